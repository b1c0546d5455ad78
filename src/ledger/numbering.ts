/**
 * Numbers committed journals, merchant by merchant, and adds them to the totals. Any number of workers may do this at
 * once: the row of the ledger decides who numbers a merchant's journals. No transaction that posts a journal waits for
 * it.
 */
import type { TenantId } from '../ids.js';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/statement.js';
import { MerchantTurns } from '../worker/merchant-turns.js';
import * as store from './journal-number-store.js';
import { findFault, lockEnd, saveEnd } from './ledger-store.js';
import { journalFaults } from './sealing/journal-check.js';
import { emptyLedger, type LedgerEnd, type LedgerSealer } from './sealing/seal.js';
import type { SealedJournal } from './sealing/sealed-journal.js';

/** At most this many journals of one merchant are numbered before the next merchant has its turn. */
const batchSize = 500;
const merchantsPerRound = 100;
/** So many journals may wait before they are added to the totals. A balance reads the journals that wait one by one. */
const totalsEvery = 250n;

export interface NumberingContext {
  readonly database: Database;
  readonly sealer: LedgerSealer;
  /**
   * Called when a journal was found that the service did not write, until the fault is recorded. It is never numbered.
   */
  readonly onForged: (merchantId: TenantId) => Promise<void>;
}

export class LedgerNumbering {
  readonly #turns = new MerchantTurns((after) =>
    store.listWaitingMerchants(this.context.database, after, merchantsPerRound),
  );

  constructor(readonly context: NumberingContext) {}

  /**
   * Runs one round and returns how many journals were numbered. A crash at any point leaves work for the next round
   * only.
   */
  async run(signal: AbortSignal): Promise<number> {
    const { database, onForged } = this.context;
    let numbered = 0;
    for await (const merchantId of this.#turns.next(signal)) {
      const result = await database.transaction((tx) => this.#numberMerchant(tx, merchantId));
      if (result.hasForged && !(await findFault(database, merchantId))) await onForged(merchantId);
      numbered += result.numbered;
    }
    return numbered;
  }

  async #numberMerchant(tx: Transaction, merchantId: TenantId): Promise<{ numbered: number; hasForged: boolean }> {
    const { sealer } = this.context;
    const end = await lockEnd(tx, merchantId, emptyLedger);
    if (!end) return { numbered: 0, hasForged: false };
    const journals = await store.listUnnumberedJournals(tx, merchantId, 0n, batchSize);
    const genuine = journals.filter((journal) => journalFaults(sealer, journal).length === 0);
    const result = { numbered: genuine.length, hasForged: genuine.length < journals.length };
    const links = linkJournals(sealer, end, genuine);
    const newEnd = links.at(-1);
    if (!newEnd) return result;
    await store.saveNumbers(tx, merchantId, links);
    await saveEnd(tx, merchantId, newEnd);
    if (newEnd.number - end.totalsNumber >= totalsEvery)
      await store.extendTotals(tx, merchantId, end.totalsNumber, newEnd.number);
    return result;
  }
}

/** Continues the history with the journals, in their order. */
function linkJournals(
  sealer: LedgerSealer,
  end: LedgerEnd,
  journals: readonly SealedJournal[],
): (LedgerEnd & { journalId: bigint })[] {
  let { number, hash } = end;
  return journals.map((journal) => {
    number += 1n;
    hash = sealer.chainHash(journal.merchantId, hash, number, journal);
    return { journalId: journal.journalId, number, hash };
  });
}
