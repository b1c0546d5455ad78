/**
 * Verifies the ledger of one merchant: its chain of changes, that each journal is the one that exactly one change
 * wrote, that none is missing, changed or moved, that each sums to zero, that the totals are right, and that we owe for
 * each record what its state says. It begins where the last verification ended, so its cost does not depend on older
 * changes.
 */
import { emptyChain } from '../../changes/chain/chain.js';
import {
  countChained,
  findChainEnd,
  listChainedOf,
  listUnnumberedJournalIds,
  recordChange,
} from '../../changes/service.js';
import type { TenantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Account } from '../account.js';
import { listJournalsByIds, listUnnumberedJournals, type ReadJournal } from '../journal-number-store.js';
import { findLedgerOf, type Ledger, startLedgerOf, type VerifiedTo } from '../ledger-store.js';
import { journalFaults, nameOf } from '../sealing/journal-check.js';
import type { LedgerSealer } from '../sealing/seal.js';
import { HistoryCheck } from './history-check.js';
import { type OwedBalances, owedFaults, wholeAccountFaults } from './owed.js';
import * as progress from './progress-store.js';
import { totalsFaults } from './totals-check.js';
import * as store from './verify-store.js';

export const faultsChanged = 'ledger.faults';

export interface VerifyContext {
  readonly database: Database;
  readonly sealer: LedgerSealer;
  /** Absent: what we owe is not compared. */
  readonly owedBalances?: OwedBalances | undefined;
  /** Told how many changes were checked since it was last told. */
  readonly onChecked?: ((changes: number) => void) | undefined;
  /** Finds rows that are not what their changes left behind. Absent: they are not compared. */
  readonly rowFaults?: RowFaults | undefined;
}

export type RowFaults = (database: Queryable, merchantId: TenantId) => Promise<string[]>;

export interface LedgerReport {
  readonly merchantId: TenantId;
  /** How many journals were checked. */
  readonly journals: number;
  readonly faults: readonly string[];
}

interface Extent {
  readonly isFull: boolean;
}

const nothingVerified: VerifiedTo = { journals: 0n, change: emptyChain };
const pageSize = 500;
/** With so many faults, the rest is not worth reading. */
const mostFaults = 50;

/**
 * Reports what it finds, and records it: a fault stops the merchant's new orders, payouts and refunds. `isFull` begins
 * at the first change.
 */
export async function verifyLedger(
  context: VerifyContext,
  merchantId: TenantId,
  extent: Extent,
): Promise<LedgerReport> {
  const { database } = context;
  const { isFull } = extent;
  const ledger = await findLedgerOf(database, merchantId);
  if (!ledger) return verifyWithoutLedger(context, merchantId, extent);
  const start = isFull ? nothingVerified : ledger.verified;
  const totalsFrom = isFull ? 0n : ledger.verifiedTotals;
  const history = await verifyHistory(context, ledger, start);
  const others = [
    ...(ledger.numberBeyondEnd === undefined ? [] : [beyondEnd(ledger.numberBeyondEnd, ledger.number)]),
    ...(await unnumberedFaults(context, merchantId)),
    ...(await totalsFaults(database, merchantId, totalsFrom, ledger.totalsNumber)),
    ...(context.owedBalances ? await wholeAccountFaults(database, merchantId, context.owedBalances) : []),
    // All rows of the merchant: only as often as the whole history is read.
    ...(isFull || ledger.fault ? ((await context.rowFaults?.(database, merchantId)) ?? []) : []),
  ];
  const faults = [...history.faults, ...others];
  const { totalsNumber } = ledger;
  if (faults.length === 0)
    await database.transaction((tx) => progress.saveSoundness(tx, merchantId, { totalsNumber, isFull }));
  else {
    const sound = others.length > 0 ? start : history.sound;
    await stop(context, merchantId, faults, { ...sound, totalsNumber: totalsFrom });
  }
  return { merchantId, journals: history.journals, faults };
}

/** Records a fault that was found outside of a verification. Does nothing while a fault is known. */
export async function recordFault(context: VerifyContext, merchantId: TenantId, fault: string): Promise<void> {
  const { database } = context;
  const ledger = await findLedgerOf(database, merchantId);
  if (ledger?.fault) return;
  if (!ledger) await database.transaction((tx) => startLedgerOf(tx, merchantId));
  const { verified = nothingVerified, verifiedTotals: totalsNumber = 0n } = ledger ?? {};
  await stop(context, merchantId, [fault], { ...verified, totalsNumber });
}

interface HistoryResult {
  readonly faults: readonly string[];
  /** Before the first fault. */
  readonly sound: VerifiedTo;
  /** How many were checked. */
  readonly journals: number;
}

/** Saves its progress page by page, so that a verification that is interrupted continues there. */
async function verifyHistory(context: VerifyContext, ledger: Ledger, start: VerifiedTo): Promise<HistoryResult> {
  const { database, sealer, owedBalances } = context;
  const { merchantId } = ledger;
  const end = await findChainEnd(database, merchantId);
  const check = new HistoryCheck(sealer, database.seal, start);
  const opened = await store.listOpenedAccounts(database, merchantId);
  const faults: string[] = [];
  let sound = start;
  while (faults.length < mostFaults) {
    const { journals: before, change } = check.reached;
    const page = await listChainedOf(database, merchantId, { from: change.number, to: end.number }, pageSize);
    if (page.length === 0) break;
    const journalIds = page.flatMap((entry) => entry.journalIds);
    const journals = await listJournalsByIds(database, merchantId, journalIds);
    const byId = new Map(journals.map((journal) => [journal.journalId, journal]));
    for (const entry of page) faults.push(...check.check(entry, byId));
    for (const journal of journals) faults.push(...accountFaults(journal, opened));
    const range = { from: before, to: check.reached.journals };
    const numbered = await store.countNumberedJournals(database, merchantId, range);
    if (numbered > range.to - range.from) faults.push(twice(range));
    if (owedBalances) faults.push(...(await owedFaults(database, merchantId, referencesOf(journals), owedBalances)));
    context.onChecked?.(page.length);
    if (faults.length > 0) continue;
    sound = check.reached;
    await database.transaction((tx) => progress.saveProgress(tx, merchantId, sound));
  }
  if (faults.length < mostFaults) faults.push(...check.finish({ journals: ledger.number, change: end }));
  return { faults, sound, journals: Number(check.reached.journals - start.journals) };
}

/** Whoever deletes an account hides its balance. */
function accountFaults({ number, postings }: ReadJournal, opened: ReadonlySet<Account>): string[] {
  const unknown = postings.filter(({ account }) => !opened.has(account));
  return unknown.map(({ account }) => `the account ${account} of journal ${number} is missing`);
}

function referencesOf(page: readonly ReadJournal[]): string[] {
  const all = page.flatMap(({ postings }) => postings.flatMap(({ reference }) => reference ?? []));
  return [...new Set(all)];
}

/** Journals that are not numbered: the service did not write them, they were changed, or no change names them. */
async function unnumberedFaults({ database, sealer }: VerifyContext, merchantId: TenantId): Promise<string[]> {
  const faults: string[] = [];
  let last = 0n;
  while (faults.length < mostFaults) {
    const page = await listUnnumberedJournals(database, merchantId, last, pageSize);
    const newest = page.at(-1);
    if (!newest) break;
    const named = await listUnnumberedJournalIds(database, merchantId);
    const unnamed = page.filter(({ journalId }) => !named.has(journalId)).map(({ journalId }) => journalId);
    // A journal and its change are numbered together, so one that was numbered meanwhile is none of them.
    const still = unnamed.length === 0 ? [] : await listJournalsByIds(database, merchantId, unnamed);
    faults.push(...page.flatMap((journal) => journalFaults(sealer, journal)));
    const lost = still.filter(({ number }) => number === undefined);
    faults.push(...lost.map((journal) => `no change wrote ${nameOf(journal)}`));
    last = newest.journalId;
  }
  return faults;
}

/** There is nothing to verify until the first journal is numbered. */
async function verifyWithoutLedger(
  context: VerifyContext,
  merchantId: TenantId,
  extent: Extent,
): Promise<LedgerReport> {
  const { database } = context;
  const everything = { from: 0n, to: 2n ** 63n - 1n };
  if ((await store.countNumberedJournals(database, merchantId, everything)) === 0n)
    return { merchantId, journals: 0, faults: [] };
  // The row is written with the first numbers. They may have come after we looked for it.
  if (await findLedgerOf(database, merchantId)) return verifyLedger(context, merchantId, extent);
  const faults = ['the row of the ledger is missing, although journals were numbered'];
  await database.transaction((tx) => startLedgerOf(tx, merchantId));
  await stop(context, merchantId, faults, { ...nothingVerified, totalsNumber: 0n });
  return { merchantId, journals: 0, faults };
}

async function stop(
  { database }: VerifyContext,
  merchantId: TenantId,
  faults: readonly string[],
  sound: VerifiedTo & { readonly totalsNumber: bigint },
): Promise<void> {
  const [first = ''] = faults;
  const fault = faults.length === 1 ? first : `${first} (${faults.length} faults in all)`;
  await database.transaction(async (tx) => {
    if (!(await progress.recordFault(tx, merchantId, fault, sound))) return;
    await recordChange(
      tx,
      { actor: { kind: 'system', name: 'ledger' } },
      { merchantId, action: 'ledger.fault_found', subject: `ledger:${merchantId}`, details: { fault } },
    );
    tx.wake(faultsChanged);
  });
}

function twice({ from, to }: { readonly from: bigint; readonly to: bigint }): string {
  return `more journals have the numbers ${from + 1n} to ${to} than were given`;
}

function beyondEnd(number: bigint, end: bigint): string {
  return `journal ${number} has a number that was not given: the history ends with ${end}`;
}

/** How many changes a verification of these ledgers reads. */
export async function countToVerify(
  database: Queryable,
  merchants: readonly TenantId[],
  { isFull }: Extent,
): Promise<number> {
  const changes = await countChained(database, merchants);
  return isFull ? changes : changes - (await progress.countVerified(database, merchants));
}

const merchantsAtOnce = 500;

/** All merchants that have a ledger. */
export async function allLedgers(database: Queryable): Promise<TenantId[]> {
  const all: TenantId[] = [];
  for (let last: number | undefined = -1; last !== undefined; ) {
    const merchants = await progress.listMerchantsWithLedger(database, last, merchantsAtOnce);
    all.push(...merchants);
    last = merchants.at(-1);
  }
  return all;
}
