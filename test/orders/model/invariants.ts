/**
 * What must hold whatever the model says, from the books of the bank and what the acts have paid: no money to or for
 * somebody who is listed or blocked, unless operators have let it go, and to each payer at most what came from that
 * payer's account.
 */
import { expect } from 'vitest';
import { charactersOf } from './booked-rail.js';
import type { Lane } from './lane.js';
import type { ModelService } from './model-service.js';

/** The ids of merchants' records begin with the number of the merchant. */
const merchantLength = 6;

export async function expectNothingLost(service: ModelService, lanes: readonly Lane[]): Promise<void> {
  await expectNothingForTheListed(service);
  for (const { orders, paidFrom } of lanes) {
    const own = orders[0]?.id.slice(4, 4 + merchantLength);
    const refunds = service.rail.taken.filter(
      ({ reference, direction, isPaid }) =>
        direction === 'refund' && isPaid && charactersOf(reference).slice(0, merchantLength) === own,
    );
    const paidBack = new Map<string, number>();
    for (const { account, currency, amount } of refunds) {
      const key = `${account} ${currency}`;
      paidBack.set(key, (paidBack.get(key) ?? 0) + Math.round(amount * 100));
    }
    for (const [key, minor] of paidBack)
      expect(minor, `what went back to ${key}`).toBeLessThanOrEqual(paidFrom.get(key) ?? 0);
  }
}

/**
 * Nothing is paid out to somebody on the list whom nobody has cleared, nor while the sender is listed or blocked. Money
 * goes back in spite of that only if operators have decided so, and never while the sender is blocked.
 */
async function expectNothingForTheListed({ rail, sql }: ModelService): Promise<void> {
  for (const { reference, direction, isListed, stopped } of rail.taken) {
    const { orderId, isApproved, isDecided } = await decisionsAbout({ sql }, reference);
    const reasons = (orderId && stopped.get(charactersOf(orderId))) || [];
    const isLetGo = direction === 'refund' && isDecided && !reasons.includes('blocked');
    if (reasons.length > 0)
      expect(isLetGo, `${reference} left for a sender who is ${reasons.join(' and ')}`).toBe(true);
    if (!isListed) continue;
    const isCleared = direction === 'payout' ? isApproved : isDecided;
    expect(isCleared, `${reference} was paid to somebody on the list`).toBe(true);
  }
}

interface Decisions {
  readonly orderId: string | undefined;
  readonly isApproved: boolean;
  /** Operators have decided about a review of the order or a hit of its sender, or let money in suspense go. */
  readonly isDecided: boolean;
}

async function decisionsAbout({ sql }: Pick<ModelService, 'sql'>, reference: string): Promise<Decisions> {
  const { rows } = await sql.query(
    `SELECT named.order_id AS "orderId",
            EXISTS (SELECT FROM order_reviews WHERE order_id = named.order_id AND decision = 'approved') AS "isApproved",
            named.is_let_go
              OR EXISTS (SELECT FROM order_reviews WHERE order_id = named.order_id AND decision IS NOT NULL)
              OR EXISTS (SELECT FROM screening_hits JOIN orders USING (merchant_id, user_id)
                          WHERE order_id = named.order_id AND screening_hits.state = 'dismissed') AS "isDecided"
       FROM (SELECT order_id, false AS is_let_go FROM orders WHERE order_id = $1
             UNION ALL SELECT order_id, cardinality(despite) > 0 FROM suspense_records WHERE suspense_id = $2) AS named`,
    [`ord_${charactersOf(reference)}`, `sus_${charactersOf(reference)}`],
  );
  return rows[0] ?? { orderId: undefined, isApproved: false, isDecided: false };
}
