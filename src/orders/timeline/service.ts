/** Reads the timeline of an order, with the journals that each transition wrote. */

import type { MerchantId } from '../../ids.js';
import type { JournalContent } from '../../ledger/journal.js';
import type { LedgerService } from '../../ledger/service.js';
import type { Queryable } from '../../postgres/statement.js';
import { findOrderOf } from '../order/finding.js';
import { listTimelineOf, listTimelinesOf, type StoredEntry, type TimelineEntry } from '../order/history.js';
import type { Order } from '../order/order.js';
import type { OrderScope } from '../order/wire/scope.js';
import { type EntryWithJournals, isPublic, publicTimeline } from './timeline.js';

export class TimelineService {
  readonly #ledger: LedgerService;

  constructor(ledger: LedgerService) {
    this.#ledger = ledger;
  }

  /** What users may see, the oldest first. Throws `order_not_found`. */
  async forUser(database: Queryable, scope: OrderScope, id: string): Promise<TimelineEntry[]> {
    const order = await findOrderOf(database, scope, id);
    return (await listTimelineOf(database, order)).filter(isPublic);
  }

  /** What merchants may see, the oldest first. Throws `order_not_found`. */
  async forMerchant(database: Queryable, scope: OrderScope, id: string): Promise<EntryWithJournals[]> {
    const order = await findOrderOf(database, scope, id);
    const entries = await listTimelineOf(database, order);
    return publicWith(entries, await this.#journalsOf(database, order.merchantId, entries));
  }

  /** What the merchant may see of several orders, by their ids, each with the oldest entry first. */
  async ofOrders(
    database: Queryable,
    merchantId: MerchantId,
    orders: readonly Order[],
  ): Promise<ReadonlyMap<string, readonly EntryWithJournals[]>> {
    const timelines = await listTimelinesOf(database, merchantId, orders);
    const journals = await this.#journalsOf(database, merchantId, [...timelines.values()].flat());
    return new Map([...timelines].map(([orderId, entries]) => [orderId, publicWith(entries, journals)]));
  }

  async #journalsOf(
    database: Queryable,
    merchantId: MerchantId,
    entries: readonly StoredEntry[],
  ): Promise<ReadonlyMap<bigint, JournalContent>> {
    const ids = entries.flatMap(({ journalIds }) => journalIds);
    const journals = await this.#ledger.findAll(database, merchantId, ids);
    return new Map(journals.map((journal) => [journal.journalId, journal]));
  }
}

function publicWith(
  entries: readonly StoredEntry[],
  journals: ReadonlyMap<bigint, JournalContent>,
): EntryWithJournals[] {
  return publicTimeline(
    entries.map((entry) => ({
      ...entry,
      journals: entry.journalIds.flatMap((journalId) => journals.get(journalId) ?? []),
    })),
  );
}
