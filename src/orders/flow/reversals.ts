/** Journals that undo earlier ones of the same order, exactly. */
import { negated } from '../../ledger/journal.js';
import type { LedgerService } from '../../ledger/service.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Order } from '../order.js';
import type { OrderEvent, OrderPostings } from '../order-events.js';
import { listJournalIdsOf } from '../timeline/store.js';
import type { OrderJournal } from '../transition.js';

/** What gives the money back to `liability`; empty when the order is not converted. The caller has locked the order. */
export function reverseConversion(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
): Promise<OrderJournal[]> {
  return reverse(ledger, database, order, {
    events: ['convert', 'approve'],
    journal: 'converted',
    as: 'conversion_reversed',
  });
}

/** What lets frozen money go; empty when none is frozen. The caller has locked the order. */
export function reverseFreeze(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
): Promise<OrderJournal[]> {
  return reverse(ledger, database, order, { events: ['freeze'], journal: 'frozen', as: 'released' });
}

async function reverse(
  ledger: LedgerService,
  database: Queryable,
  order: Order,
  undone: {
    readonly events: readonly OrderEvent[];
    readonly journal: OrderPostings;
    readonly as: OrderPostings;
  },
): Promise<OrderJournal[]> {
  const ids = await listJournalIdsOf(database, order, undone.events);
  const journals = await Promise.all(ids.map((id) => ledger.find(database, order.merchantId, id)));
  return journals
    .filter(({ event, reversedBy }) => event === undone.journal && reversedBy === undefined)
    .map(({ journalId, postings }) => ({
      event: undone.as,
      postings: negated(postings),
      reverses: journalId,
    }));
}
