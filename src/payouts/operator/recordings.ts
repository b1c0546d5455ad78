/** Operators record what happened to a payment: instructed, paid, refused, returned. */
import type { ApprovalSubject } from '../../approval.js';
import type { BankAccounts, NamedAccount } from '../../bank/accounts/service.js';
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import type { FindPending } from '../../http/four-eyes.js';
import type { Amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { loginsOf } from '../../operators/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Attempt } from '../attempt.js';
import { findPauseOf } from '../pauses/pause-store.js';
import { isByHand, type Rail } from '../rail.js';
import { notRecordable, payoutChanged, payoutNotFound } from '../refusals.js';
import type { ReportService } from '../reports/report-service.js';
import { listReportsOf, type StoredReport } from '../reports/report-store.js';
import type { ExitChecks } from '../sending/exit-checks.js';
import * as store from '../store.js';
import { addSum, lockSum } from './recorded-sum-store.js';
import { type Recording, reportOf, requireRecordable } from './recording.js';
import { type AttemptFile, type PayoutOperatorService, refOf } from './service.js';

export interface RecordingOptions {
  readonly files: Pick<PayoutOperatorService, 'file'>;
  readonly reports: ReportService;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly bankAccounts: BankAccounts;
  readonly exitChecks: ExitChecks;
  readonly findPending: FindPending;
  /** How much an operator may record on a day without a second person, by currency. Absent: nothing. */
  readonly recordedPerDay: ReadonlyMap<CurrencyCode, Amount>;
}

export class PayoutRecordings {
  readonly #options: RecordingOptions;

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  /**
   * A payment by hand that waited passes the gate again before it is instructed, or recorded without that. Outside the
   * transaction of the command: one that does not pass is withdrawn whatever becomes of the command. Throws
   * `payout_not_found` and `payout_stopped`.
   */
  async recheck(database: Queryable, id: string, kind: Recording['kind']): Promise<void> {
    const { rails, exitChecks } = this.#options;
    const attempt = await this.#find(database, id);
    const isAboutToLeave = kind === 'accepted' || kind === 'paid';
    if (attempt.state !== 'READY' || !isAboutToLeave || !isByHand(rails.get(attempt.rail))) return;
    const verdict = (await exitChecks.verdictsOf([attempt])).get(attempt);
    if (verdict === 'withdrawn') throw isWithdrawn();
    // What the bank has paid is recorded whatever the service waits for.
    if (verdict === 'wait' && kind === 'accepted') throw mustWait();
  }

  /** What a recording is about; undefined when the operator's sum of the day is within the limit. */
  async review(tx: Transaction, by: By, id: string): Promise<ApprovalSubject | undefined> {
    const { amount, attemptId, version } = await this.#find(tx, id);
    const subject = { subject: `payout:${attemptId}`, version: String(version) };
    // A second person has been asked, whatever the sum of that person is.
    if (by.approval) return subject;
    const allowed = this.#options.recordedPerDay.get(amount.currency)?.minor ?? 0n;
    const recorded = await lockSum(tx, operatorOf(by), amount.currency);
    return recorded + amount.minor <= allowed ? undefined : subject;
  }

  /**
   * Records what happened, as a report by hand. Throws `payout_not_found`, `payout_changed` when the version is
   * another, `payout_not_recordable` when the state does not allow it, `payout_stopped`, `approval_pending`,
   * `bank_reference_used`, and `invalid_fields`.
   */
  async record(tx: Transaction, by: By, id: string, recording: Recording): Promise<AttemptFile> {
    const attempt = await this.#find(tx, id);
    const { kind, version, bank } = recording;
    const reports = await listReportsOf(tx, attempt);
    if (attempt.version !== version) throw payoutChanged(attempt, await this.#since(tx, reports));
    await this.#requireAllowed(tx, attempt, recording, reports);
    const report = reportOf(attempt, recording);
    const outcome = await this.#options.reports.receive(tx, by, {
      rail: attempt.rail,
      report,
      source: 'hand',
      bank,
      recorded: { version, by: operatorOf(by) },
    });
    if (outcome !== 'applied') throw notRecordable(attempt, await this.#since(tx, reports));
    if (kind !== 'accepted' && by.actor.kind === 'operator' && !by.approval)
      await addSum(tx, by.actor.operatorId, attempt.amount);
    await recordChange(tx, by, {
      merchantId: attempt.merchantId,
      action: `payout.recorded_${kind}`,
      subject: recordOf(attempt),
      fromState: attempt.state,
    });
    return this.#options.files.file(tx, attempt);
  }

  async #requireAllowed(
    tx: Transaction,
    attempt: Attempt,
    recording: Recording,
    reports: readonly StoredReport[],
  ): Promise<void> {
    const { rails, bankAccounts } = this.#options;
    const { kind, bank } = recording;
    requireRecordable(attempt, recording, { rail: rails.get(attempt.rail), reports });
    if (bank !== undefined) await bankAccounts.requireKnown(tx, namedBy(attempt, bank), 'bank');
    if (kind === 'accepted' && attempt.state === 'READY') await this.#requireFree(tx, attempt);
  }

  /** Nobody instructs the bank while the way is paused, or while somebody says that the payment has been made. */
  async #requireFree(tx: Transaction, attempt: Attempt): Promise<void> {
    const pause = await findPauseOf(tx, attempt);
    if (pause) {
      const login = (await loginsOf(tx)).get(pause.operatorId) ?? String(pause.operatorId);
      const since = pause.pausedAt.toISOString();
      throw stopped(`${login} has paused payouts here since ${since}: ${pause.note}`);
    }
    const record = recordOf(attempt);
    const pending = (await this.#options.findPending(tx, [record])).get(record);
    if (!pending) return;
    const message = `${pending.requestedBy} has asked to record something about this payout. Decide about that first.`;
    const { approvalId } = pending;
    throw new RemesaError('conflict', 'approval_pending', message, { members: { approvalId } });
  }

  /** What somebody recorded last, as a sentence; empty when nobody did. */
  async #since(database: Queryable, reports: readonly StoredReport[]): Promise<string> {
    const last = reports.findLast(({ outcome, recordedBy }) => outcome === 'applied' && recordedBy !== undefined);
    if (last?.recordedBy === undefined) return '';
    const login = (await loginsOf(database)).get(last.recordedBy) ?? String(last.recordedBy);
    return ` ${login} recorded at ${last.receivedAt.toISOString()} that ${said[last.kind]}.`;
  }

  /** Throws `payout_not_found`. */
  async #find(database: Queryable, id: string): Promise<Attempt> {
    const attempt = await store.findAttempt(database, refOf(id));
    if (!attempt) throw payoutNotFound();
    return attempt;
  }
}

const said: Readonly<Record<StoredReport['kind'], string>> = {
  accepted: 'the bank is being instructed',
  available_for_pickup: 'the cash is ready',
  paid: 'it was paid',
  rejected: 'the bank refused it',
  returned: 'the money came back',
  recalled: 'it was recalled',
};

/** The name under which bank lines, approvals and the log of changes know a payout. */
export function recordOf({ attemptId }: Pick<Attempt, 'attemptId'>): string {
  return `payout:${attemptId}`;
}

/** The account that an operator named, for what this payout moved. */
export function namedBy({ merchantId, amount: { currency } }: Attempt, bank: string): NamedAccount {
  return { merchantId, currency, bank };
}

function stopped(message: string): RemesaError {
  return new RemesaError('conflict', 'payout_stopped', message);
}

function isWithdrawn(): RemesaError {
  return stopped('The checks have found something since this payout was decided. It was withdrawn for a review.');
}

function mustWait(): RemesaError {
  return stopped('This payout cannot be checked now, or a correction of its order waits for a second operator.');
}
