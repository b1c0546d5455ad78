/** Finds the orders that the texts of payments name, many at a time. It reads only. */
import { instanceTenant, type MerchantId, type TenantId } from '../../ids.js';
import type { Order } from '../../orders/order/order.js';
import { isPayable } from '../../orders/order/payable.js';
import { listOrdersByPayinReferences } from '../../orders/payin/payable-orders.js';
import { merchantOfReference, payinReferenceOf } from '../../orders/payin/payin-reference.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Candidate } from './matching.js';
import { nearReferencesIn, orderIdsIn, referencesIn } from './references.js';

/**
 * For each text what it leads to, in the same order. On an account of one merchant only that merchant's orders are
 * found; on a shared account, those of all.
 */
export async function findCandidates(
  database: Queryable,
  owner: TenantId,
  texts: readonly string[],
): Promise<Candidate[]> {
  const named = texts.map(referencesIn);
  const orders = await ordersOf(database, owner, named.flat());
  return Promise.all(
    named.map((references, index) =>
      references.length === 0
        ? withoutReference(database, owner, texts[index] ?? '')
        : candidateOf(references.flatMap((reference) => orders.get(reference) ?? [])),
    ),
  );
}

export async function findCandidate(database: Queryable, owner: TenantId, text: string): Promise<Candidate> {
  const [candidate] = await findCandidates(database, owner, [text]);
  return candidate ?? { reason: 'no_reference' };
}

/** Every order that the text names or nearly names, for a person to choose from. */
export async function listNamedOrders(
  database: Queryable,
  owner: TenantId,
  text: string,
): Promise<{ readonly named: readonly Order[]; readonly nearly: readonly Order[] }> {
  const [named, byId, nearly] = await Promise.all([
    ordersOf(database, owner, referencesIn(text)),
    ordersById(database, owner, text),
    ordersOf(database, owner, nearReferencesIn(text)),
  ]);
  return { named: [...named.values(), ...byId], nearly: [...nearly.values()] };
}

/**
 * A payer may name the order by its id. Only an order that waits for its payment takes the money: the id is also what
 * we call a payout, so the money of another order may be a payout that came back, and a person must look.
 */
async function withoutReference(database: Queryable, owner: TenantId, text: string): Promise<Candidate> {
  const [order, another] = await ordersById(database, owner, text);
  if (!order) return nearlyNamed(database, owner, text);
  if (another) return { reason: 'several_references' };
  return isPayable(order) ? { order } : { reason: 'no_reference', suggested: order };
}

async function ordersById(database: Queryable, owner: TenantId, text: string): Promise<Order[]> {
  const ids = new Set(orderIdsIn(text));
  if (ids.size === 0) return [];
  const found = await ordersOf(database, owner, [...ids].map(payinReferenceOf));
  // The reference has only a part of the id.
  return [...found.values()].filter(({ orderId }) => ids.has(orderId));
}

async function nearlyNamed(database: Queryable, owner: TenantId, text: string): Promise<Candidate> {
  const references = nearReferencesIn(text);
  if (references.length === 0) return { reason: 'no_reference' };
  const found = [...(await ordersOf(database, owner, references)).values()];
  const [suggested] = found;
  const isOnlyOne = suggested !== undefined && found.length === 1;
  return { reason: 'mistyped_reference', ...(isOnlyOne ? { suggested } : {}) };
}

/** One statement for each merchant. */
async function ordersOf(
  database: Queryable,
  owner: TenantId,
  references: readonly string[],
): Promise<ReadonlyMap<string, Order>> {
  const byMerchant = new Map<MerchantId, string[]>();
  for (const reference of references) {
    const merchant = merchantOfReference(reference);
    if (merchant === undefined || (owner !== instanceTenant && owner !== merchant)) continue;
    byMerchant.set(merchant, [...(byMerchant.get(merchant) ?? []), reference]);
  }
  const found = await Promise.all(
    [...byMerchant].map(([merchant, ofMerchant]) => listOrdersByPayinReferences(database, merchant, ofMerchant)),
  );
  return new Map(found.flat().map((order) => [order.payinReference, order]));
}

function candidateOf(orders: readonly Order[]): Candidate {
  const [order] = orders;
  if (!order) return { reason: 'unknown_reference' };
  return orders.length > 1 ? { reason: 'several_references' } : { order };
}
