/**
 * What must hold whatever the model says, from the books of the bank and what the acts have paid: no money for somebody
 * on the list whom nobody has cleared, and to each payer at most what came from that payer's account.
 */
import { expect } from 'vitest';
import type { Lane } from './lane.js';
import type { ModelService } from './model-service.js';

/** The characters of an order or suspense record within the references of its attempts. */
function charactersOf(reference: string): string {
  return reference.slice(3).split('-')[0] as string;
}

/** The ids of a merchant begin with its number. */
const merchantLength = 6;

export async function expectNothingLost({ rail, sql }: ModelService, lanes: readonly Lane[]): Promise<void> {
  const taken = rail.taken;
  for (const { reference } of taken.filter(({ direction, isListed }) => direction === 'payout' && isListed)) {
    const { rowCount } = await sql.query(`SELECT FROM order_reviews WHERE order_id = $1 AND decision = 'approved'`, [
      `ord_${charactersOf(reference)}`,
    ]);
    expect(rowCount, `${reference} was paid to somebody on the list`).not.toBe(0);
  }
  for (const { orders, paidFrom } of lanes) {
    const own = orders[0]?.id.slice(4, 4 + merchantLength);
    const refunds = taken.filter(
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
