/**
 * What the operators' desk asks of orders: those of all merchants, as they really are. It contains nothing personal.
 */
import type { MerchantId } from '../../../ids.js';
import type { LedgerService } from '../../../ledger/service.js';
import type { Queryable } from '../../../postgres/statement.js';
import type { OrderPlace } from '../../api/listing/store.js';
import { listTimelineOf } from '../../order/history.js';

import type { Order, OrderId, OrderRef } from '../../order/order.js';
import type { Review } from '../../order/review.js';
import { findOrder } from '../../order/store.js';
import { hasCheckDigits, merchantOfReference } from '../../payin/payin-reference.js';
import { listOrdersByPayinReferences } from '../../payin/payin-reference-store.js';
import { listReviewsOf } from '../../review/review-store.js';
import type { EntryWithJournals } from '../../timeline/timeline.js';
import {
  type CreatedOrders,
  countCreatedOrders,
  type DeskFilter,
  listOrdersByExternalId,
  listOrdersOfAll,
} from './desk-store.js';
import type { StuckOrder } from './stuck.js';
import { listStuckOrders } from './stuck-store.js';

export type { CreatedOrders } from './desk-store.js';

export interface DeskPage {
  readonly after: OrderPlace | undefined;
  readonly limit: number;
}

export class OrderDesk {
  readonly #ledger: LedgerService;

  constructor(ledger: LedgerService) {
    this.#ledger = ledger;
  }

  /** The newest first. */
  list(database: Queryable, filter: DeskFilter, page: DeskPage): Promise<Order[]> {
    return listOrdersOfAll(database, filter, page);
  }

  /** Orders that were created in the period, by their state. Undefined: of all merchants. */
  countCreated(
    database: Queryable,
    merchantId: MerchantId | undefined,
    period: { readonly from: Date; readonly to: Date },
  ): Promise<CreatedOrders[]> {
    return countCreatedOrders(database, merchantId, { from: period.from, to: period.to });
  }

  /** The one that has not moved for longest first. `unknown`: orders with a payment whose outcome nobody knows. */
  listStuck(database: Queryable, page: DeskPage, unknown: readonly OrderId[]): Promise<StuckOrder[]> {
    return listStuckOrders(database, page, unknown);
  }

  /** Orders with this external id, or with this pay-in reference. */
  async listByText(database: Queryable, text: string, atMost: number): Promise<Order[]> {
    const reference = text.replaceAll(' ', '').toUpperCase();
    const merchantId = /^RF[0-9]{2}[0-9A-Z]{21}$/.test(reference) ? merchantOfReference(reference) : undefined;
    const byReference =
      merchantId && hasCheckDigits(reference)
        ? await listOrdersByPayinReferences(database, merchantId, [reference])
        : [];
    return [...byReference, ...(await listOrdersByExternalId(database, text, atMost))];
  }

  findAll(database: Queryable, refs: readonly OrderRef[]): Promise<(Order | undefined)[]> {
    return Promise.all(refs.map((ref) => findOrder(database, ref)));
  }

  /** Every change with its journals, the oldest first: also those that merchants do not see. */
  async timeline(database: Queryable, order: Order): Promise<EntryWithJournals[]> {
    const entries = await listTimelineOf(database, order);
    const ids = entries.flatMap(({ journalIds }) => journalIds);
    const journals = await this.#ledger.findAll(database, order.merchantId, ids);
    const byId = new Map(journals.map((journal) => [journal.journalId, journal]));
    return entries.map((entry) => ({
      ...entry,
      journals: entry.journalIds.flatMap((journalId) => byId.get(journalId) ?? []),
    }));
  }

  /** The oldest first. */
  reviews(database: Queryable, order: Order): Promise<Review[]> {
    return listReviewsOf(database, order);
  }
}
