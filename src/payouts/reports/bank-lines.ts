/** Payouts and refunds in the statements of banks: their debits, and what came back of them. */
import { explainReported } from '../../bank/lines/service.js';
import type { LineTaker, ReportedMovement, Verdict } from '../../bank/matching/taker.js';
import type { By } from '../../caller.js';
import { amount } from '../../money/amount.js';
import type { Database } from '../../postgres/database.js';
import { type Attempt, ownerOfReference } from '../attempt.js';
import { isByHand, type Rail, type Report } from '../rail.js';
import { findAttemptByReference } from '../store.js';
import { debitedBankOf } from './debits.js';
import type { ReportService } from './report-service.js';
import { listReportsOf } from './report-store.js';

const byBank: By = { actor: { kind: 'system', name: 'bank statements' } };

/** Undoes what was begun: the payout takes no such report. */
class NotApplied extends Error {
  override readonly name = 'NotApplied';
}

export function payoutTaker({
  reports,
  rails,
}: {
  readonly reports: ReportService;
  readonly rails: ReadonlyMap<string, Rail>;
}): LineTaker {
  return {
    async take(database, movement) {
      const attempt = await findAttempt(database, movement);
      if (!attempt) return undefined;
      const isDebited = debitedBankOf(await listReportsOf(database, attempt)) !== undefined;
      const rail = rails.get(attempt.rail);
      const report = reportOf(attempt, movement, { isDebited, isByHand: isByHand(rail) });
      if ('reason' in report) return report;
      const explainedBy = `payout:${attempt.attemptId}`;
      const bank = movement.account.accountId;
      const received = {
        rail: attempt.rail,
        report: report.report,
        source: 'hand',
        bank,
        isReportedLine: true,
      } as const;
      try {
        await database.transaction(async (tx) => {
          await explainReported(tx, movement, explainedBy);
          const outcome = await reports.receive(tx, byBank, { ...received, about: attempt });
          if (outcome !== 'applied') throw new NotApplied(outcome);
        });
      } catch (error) {
        if (error instanceof NotApplied) return { reason: 'payout_state' };
        throw error;
      }
      return { explainedBy };
    },
  };
}

/** The one that the bank names. A reference in a text that people wrote is not enough. */
async function findAttempt(database: Database, { endToEndId }: ReportedMovement): Promise<Attempt | undefined> {
  const owner = endToEndId === undefined ? undefined : ownerOfReference(endToEndId);
  return owner === undefined ? undefined : findAttemptByReference(database, owner, endToEndId ?? '');
}

interface Known {
  readonly isDebited: boolean;
  readonly isByHand: boolean;
}

/** What the movement says about the payout; the reason when it does not fit. */
function reportOf(attempt: Attempt, movement: ReportedMovement, { isDebited, isByHand: byHand }: Known): Read {
  const { amount: ordered } = attempt;
  const { amount: moved, sign } = movement;
  if (moved.currency !== ordered.currency) return { reason: 'payout_currency' };
  return sign === 'debit'
    ? debitOf(attempt, movement, { isDebited, isByHand: byHand })
    : returnOf(attempt, movement, isDebited);
}

type Read = { readonly report: Report } | Extract<Verdict, { reason: string }>;

/** Banks keep less than this part of a payment as their charge. What is more, somebody looks at. */
const largestChargePart = 10n;

function isCharge(charge: bigint, { amount: ordered, direction }: Attempt): boolean {
  return charge === 0n || (charge > 0n && direction === 'payout' && charge * largestChargePart <= ordered.minor);
}

function debitOf(attempt: Attempt, movement: ReportedMovement, { isDebited, isByHand: byHand }: Known): Read {
  const { amount: ordered, state } = attempt;
  if (movement.isReturn) return { reason: 'payout_return_is_debit' };
  if (isDebited || state === 'PAID') return { reason: 'payout_paid_before' };
  if (!byHand && (state === 'READY' || state === 'SENDING')) return { reason: 'payout_not_sent' };
  const charge = movement.amount.minor - ordered.minor;
  if (!isCharge(charge, attempt)) return { reason: 'payout_amount' };
  return { report: reported(attempt, movement, 'paid', charge) };
}

/**
 * A credit with our id may also correct a fee, or have the wrong sign: only what the bank marks as a return is one.
 * What came back of a payment whose debit is not booked waits for that.
 */
function returnOf(attempt: Attempt, movement: ReportedMovement, isDebited: boolean): Read {
  const { amount: ordered, state } = attempt;
  if (!movement.isReturn) return { reason: 'payout_credit' };
  if (state === 'RETURNED') return { reason: 'payout_returned_before' };
  if (!isDebited) return { reason: 'return_before_debit' };
  const kept = ordered.minor - movement.amount.minor;
  if (!isCharge(kept, attempt)) return { reason: 'payout_amount' };
  return { report: reported(attempt, movement, 'returned', kept) };
}

function reported(attempt: Attempt, movement: ReportedMovement, kind: 'paid' | 'returned', charge: bigint): Report {
  const { lineId, number, bookedOn, reference, returnReason } = movement;
  const reason = returnReason?.replaceAll(/[^A-Za-z0-9_]/g, '').slice(0, 35);
  return {
    reportId: `${kind}:${lineId}.${number}`,
    reference: attempt.reference,
    kind,
    ...(kind === 'paid' ? { amount: attempt.amount } : {}),
    ...(charge > 0n ? { charge: amount(attempt.amount.currency, charge) } : {}),
    ...(reason ? { reason } : {}),
    occurredAt: new Date(`${bookedOn}T00:00:00Z`),
    raw: reference,
  };
}
