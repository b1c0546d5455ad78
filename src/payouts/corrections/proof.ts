/** What operators bring as the proof of a correction, and how it is kept: as a report, a bank line and a change. */
import { bankReferenceUsed, freeBankLines, takeBankLine } from '../../bank/lines/service.js';
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Attempt } from '../attempt.js';
import { recordOf } from '../operator/recordings.js';
import type { Rail, Report } from '../rail.js';
import { notCorrectable } from '../refusals.js';
import { askInSeconds } from '../reports/asking.js';
import { addReport, withdrawRecorded } from '../reports/report-store.js';
import { sealRaw } from '../sealed.js';
import * as store from '../store.js';
import { type AttemptEvent, attemptStateAfter } from '../transitions.js';

export interface Correction {
  /** Of the attempt. */
  readonly version: number;
  readonly note: string;
}

/** The line of the bank statement that shows the payment. */
export interface Proof extends Correction {
  readonly bankReference: string;
  readonly bookedAt: Date;
  /** The place of the bank account in the ledger. */
  readonly bank: string | undefined;
  /** As a decimal, in the currency of the payment. */
  readonly charge: string | undefined;
}

interface Proved {
  readonly proof: Pick<Proof, 'bank'>;
  readonly report: Report;
  readonly key: Buffer;
  readonly detail?: string;
  readonly orderVersion?: number;
}

/** Throws `bank_reference_used`. */
export async function storeProof(
  tx: Transaction,
  by: By,
  attempt: Attempt,
  { proof, report, key, detail, orderVersion }: Proved,
): Promise<void> {
  const isNew = await addReport(tx, {
    rail: attempt.rail,
    report,
    attempt,
    outcome: 'applied',
    detail,
    sealedRaw: sealRaw(key, attempt, report.raw),
    bank: proof.bank,
    orderVersion,
    recordedBy: operatorOf(by),
  });
  if (!isNew) throw bankReferenceUsed('This bank reference was recorded before.');
}

/** Without a bank account there is no line. Throws `bank_reference_used`. */
export async function takeLine(
  tx: Transaction,
  { amount: paid, reference: endToEndId }: Attempt,
  { bank, bankReference: reference, bookedAt }: Pick<Proof, 'bank' | 'bankReference' | 'bookedAt'>,
  taken: { readonly report: Report; readonly record: string },
): Promise<void> {
  if (bank === undefined) return;
  const moved = { bank, currency: paid.currency, sign: 'debit', source: 'hand' } as const;
  const amountMinor = paid.minor + (taken.report.charge?.minor ?? 0n);
  const bookedOn = bookedAt.toISOString().slice(0, 10);
  await takeBankLine(tx, { ...moved, amountMinor, bookedOn, reference, endToEndId }, taken.record);
}

/** What was recorded did not happen: the references of the bank are free for what they belong to. */
export async function freeRecorded(tx: Transaction, attempt: Attempt, kind: 'paid' | 'returned'): Promise<void> {
  await withdrawRecorded(tx, attempt, kind);
  await freeBankLines(tx, recordOf(attempt), kind === 'paid' ? 'debit' : 'credit');
}

/** Throws `payout_not_correctable`. */
export async function changeAttempt(
  tx: Transaction,
  rail: Rail | undefined,
  attempt: Attempt,
  event: AttemptEvent,
): Promise<Attempt> {
  const to = attemptStateAfter(attempt.state, event);
  if (to === undefined) throw notCorrectable(attempt);
  const saved = await store.saveState(tx, attempt, to, rail && askInSeconds(rail, to, 0));
  if (!saved) throw new Error(`attempt ${attempt.attemptId} changed under its lock`);
  return saved;
}

/** The state stays, and the same is not recorded twice. */
export async function raiseVersion(tx: Transaction, attempt: Attempt): Promise<Attempt> {
  const raised = await store.raiseVersion(tx, attempt);
  if (!raised) throw new Error(`attempt ${attempt.attemptId} changed under its lock`);
  return raised;
}

/** The order, or the money in suspense, must be where the mistake has left it. Throws `payout_not_correctable`. */
export function asCorrection<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result> {
  return work().catch((error: unknown) => {
    const code = error instanceof RemesaError ? error.code : '';
    const isRefused = code === 'order_transition_not_allowed' || code === 'suspense_transition_not_allowed';
    throw isRefused ? notCorrectable(attempt) : error;
  });
}

export function recordCorrection(
  tx: Transaction,
  by: By,
  { merchantId, attemptId, state }: Attempt,
  what: 'not_paid' | 'proved_paid' | 'paid_twice',
): Promise<void> {
  const subject = recordOf({ attemptId });
  return recordChange(tx, by, { merchantId, action: `payout.corrected_${what}`, subject, fromState: state });
}
