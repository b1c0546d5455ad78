/** The verbs of movements: what was paid, for those who look at it afterwards. Reads only. */
import type { MerchantId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import * as store from './store.js';

export type { HistoryAsked, MovementPlace, PaidMovement } from './store.js';

/** More than a machine needs for a window of any rule, and few enough to be read within the time of a statement. */
const historyAtOnce = 20_000;

/** Later than every movement. */
const end: store.MovementPlace = { micros: 253_402_300_799_000_000n, orderId: '' };

export class Movements {
  constructor(readonly atOnce = historyAtOnce) {}

  /** The movements of a merchant after a place, the oldest first. */
  next(database: Queryable, merchantId: MerchantId, asked: store.NextAsked): Promise<store.PaidMovement[]> {
    return store.listNextMovements(database, merchantId, asked);
  }

  /** What was paid shortly before a place. A transaction may commit after a later one, so that it was not there yet. */
  late(database: Queryable, merchantId: MerchantId, asked: store.NextAsked): Promise<store.PaidMovement[]> {
    return store.listLateMovements(database, merchantId, asked);
  }

  /**
   * What these users paid and what was paid to these accounts, the oldest first. Undefined when it is too much to be
   * read at once.
   */
  async history(database: Queryable, asked: store.HistoryAsked): Promise<store.PaidMovement[] | undefined> {
    const found = await store.listHistoryBefore(database, asked, end, this.atOnce);
    return found.length < this.atOnce ? found.reverse() : undefined;
  }

  /** As `history`, however much it is. */
  async wholeHistory(database: Queryable, asked: store.HistoryAsked): Promise<store.PaidMovement[]> {
    const found: store.PaidMovement[] = [];
    for (let before = end; ; ) {
      const page = await store.listHistoryBefore(database, asked, before, this.atOnce);
      for (const movement of page) found.push(movement);
      const last = page.at(-1);
      if (page.length < this.atOnce || !last) return found.reverse();
      before = last.place;
    }
  }
}
