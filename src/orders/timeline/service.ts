/** Reads the timeline of an order, with the journals that each transition wrote. */
import type { LedgerService } from '../../ledger/service.js';
import type { Queryable } from '../../postgres/statement.js';
import { listTimelineOf, type TimelineEntry } from '../order/history.js';
import type { OrderScope } from '../order/wire/scope.js';
import type { OrderService } from '../service.js';
import { type EntryWithJournals, isPublic, publicTimeline } from './timeline.js';

export class TimelineService {
  constructor(readonly options: { readonly orders: OrderService; readonly ledger: LedgerService }) {}

  /** What users may see, the oldest first. Throws `order_not_found`. */
  async forUser(database: Queryable, scope: OrderScope, id: string): Promise<TimelineEntry[]> {
    const order = await this.options.orders.find(database, scope, id);
    return (await listTimelineOf(database, order)).filter(isPublic);
  }

  /** What merchants may see, the oldest first. Throws `order_not_found`. */
  async forMerchant(database: Queryable, scope: OrderScope, id: string): Promise<EntryWithJournals[]> {
    const order = await this.options.orders.find(database, scope, id);
    const entries = await listTimelineOf(database, order);
    const ids = entries.flatMap(({ journalIds }) => journalIds);
    const journals = await this.options.ledger.findAll(database, order.merchantId, ids);
    const byId = new Map(journals.map((journal) => [journal.journalId, journal]));
    return publicTimeline(
      entries.map((entry) => ({
        ...entry,
        journals: entry.journalIds.flatMap((journalId) => byId.get(journalId) ?? []),
      })),
    );
  }
}
