/**
 * Explains what banks reported: each payment of a line is offered to the rooms that move money, and is a break when
 * none takes it.
 */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { Log } from '../../log.js';
import { amount } from '../../money/amount.js';
import type { Database } from '../../postgres/database.js';
import { isDatabaseUnavailable } from '../../postgres/failure.js';
import type { Job } from '../../worker/worker.js';
import type { BankAccount } from '../accounts/bank-account.js';
import type { BankAccountService } from '../accounts/service.js';
import type { BatchedPayments } from '../batches/ports.js';
import type { LineSealer } from '../lines/content.js';
import { matchJob } from '../lines/line.js';
import { noContent } from '../lines/reported.js';
import { listWaitingDetails, markBreak, type WaitingDetail } from '../lines/reported-store.js';
import { LineExplained } from '../lines/service.js';
import { replaceDetail } from '../lines/splitting.js';
import { partsOfBatch } from './batch-debits.js';
import { kindOfCode } from './codes.js';
import type { LineTaker, ReportedMovement, Verdict } from './taker.js';

const byBank: By = { actor: { kind: 'system', name: 'bank statements' } };

const detailsAtOnce = 200;

export interface MatchingOptions {
  readonly database: Database;
  readonly accounts: BankAccountService;
  readonly sealer: LineSealer;
  /** Asked in this order. */
  readonly takers: () => readonly LineTaker[];
  /** The payments that leave in files; undefined where none does. */
  readonly payments: () => BatchedPayments | undefined;
  readonly log: Log;
}

export function matchJobOf(options: MatchingOptions): Job {
  return { name: matchJob, everySeconds: 30, run: (signal) => matchSome(options, signal) };
}

/** One after the other: what left is booked before what came back of it. */
async function matchSome(options: MatchingOptions, signal: AbortSignal): Promise<number> {
  const waiting = await listWaitingDetails(options.database, detailsAtOnce);
  const accounts = new Map<string, BankAccount>();
  for (const detail of waiting) {
    if (signal.aborted) break;
    const account = accounts.get(detail.bank) ?? (await options.accounts.get(options.database, detail.bank));
    accounts.set(detail.bank, account);
    await match(options, detail, account);
  }
  return waiting.length;
}

async function match(options: MatchingOptions, detail: WaitingDetail, account: BankAccount): Promise<void> {
  const { database, log } = options;
  const verdict = await verdictOf(options, movementOf(options.sealer, detail, account)).catch((error: unknown) => {
    if (error instanceof LineExplained) return undefined;
    if (isDatabaseUnavailable(error)) throw error;
    if (!(error instanceof RemesaError)) log.error({ err: error }, 'a line of a bank cannot be matched');
    return { reason: error instanceof RemesaError ? error.code : 'internal_error' };
  });
  if (!verdict || 'explainedBy' in verdict) return;
  const reason =
    verdict.reason === 'unknown' ? (kindOfCode(detail.code, account.profile) ?? 'unknown') : verdict.reason;
  await database.transaction((tx) => markBreak(tx, detail, reason));
}

/** Undefined for a payment that several have taken the place of: they are matched next. */
async function verdictOf(
  options: MatchingOptions,
  movement: ReportedMovement & WaitingDetail,
): Promise<Verdict | undefined> {
  const { database, takers, sealer } = options;
  const collective = await partsOfBatch(database, options.payments(), movement);
  if (collective && 'reason' in collective) return collective;
  if (collective) {
    await database.transaction((tx) => replaceDetail(tx, sealer, byBank, movement, collective));
    return undefined;
  }
  for (const taker of takers()) {
    const verdict = await taker.take(database, movement);
    if (verdict) return verdict;
  }
  return { reason: 'unknown' };
}

function movementOf(sealer: LineSealer, detail: WaitingDetail, account: BankAccount): ReportedMovement & WaitingDetail {
  const { lineId, number, sign, amountMinor, sealedContent, currency } = detail;
  const content = (sealedContent && sealer.open(lineId, sealedContent)[number - 1]) ?? noContent;
  const {
    name,
    account: counterparty,
    text,
    references,
    isReturn,
    returnReason,
    messageIds,
    count,
    saidToBe,
  } = content;
  const opposite = sign === 'credit' ? 'debit' : 'credit';
  return {
    ...detail,
    account,
    sign: amountMinor > 0n ? sign : opposite,
    amount: amount(currency, amountMinor > 0n ? amountMinor : -amountMinor),
    reference: detail.bankReference ?? lineId,
    name,
    counterpartyAccount: counterparty,
    text,
    references,
    isReturn,
    returnReason,
    messageIds,
    count,
    saidToBe,
  };
}
