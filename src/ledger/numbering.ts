/**
 * Numbers the journals of changes, in the transaction that numbers the changes, and adds them to the totals. No
 * transaction that posts a journal waits for it.
 */
import type { JournalBook } from '../changes/chain/journal-book.js';
import type { TenantId } from '../ids.js';
import type { Transaction } from '../postgres/statement.js';
import * as store from './journal-number-store.js';
import { moveEnd } from './ledger-store.js';
import { journalFaults } from './sealing/journal-check.js';
import type { LedgerSealer } from './sealing/seal.js';

/** So many journals may wait before they are added to the totals. A balance reads the journals that wait one by one. */
const totalsEvery = 250n;

export class LedgerNumbering implements JournalBook {
  readonly #sealer: LedgerSealer;

  constructor(sealer: LedgerSealer) {
    this.#sealer = sealer;
  }

  async sealsOf(
    tx: Transaction,
    merchantId: TenantId,
    journalIds: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, Buffer>> {
    const seals = new Map<bigint, Buffer>();
    if (journalIds.length === 0) return seals;
    for (const journal of await store.listJournalsByIds(tx, merchantId, journalIds)) {
      const [fault] = journalFaults(this.#sealer, journal);
      if (fault === undefined) seals.set(journal.journalId, journal.seal);
      else tx.reportFault(merchantId, fault);
    }
    return seals;
  }

  async number(tx: Transaction, merchantId: TenantId, journalIds: readonly bigint[]): Promise<void> {
    if (journalIds.length === 0) return;
    const { number, totalsNumber } = await moveEnd(tx, merchantId, journalIds.length);
    const first = number - BigInt(journalIds.length) + 1n;
    await store.saveNumbers(tx, merchantId, journalIds, first);
    if (number - totalsNumber >= totalsEvery) await store.extendTotals(tx, merchantId, totalsNumber, number);
  }
}
