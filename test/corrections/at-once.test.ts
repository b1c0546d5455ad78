/**
 * Two operators decide about the same order at once, in opposite ways: one succeeds, and the other one is told clearly.
 */
import { describe, expect, it } from 'vitest';
import { mapAtMost } from '../../src/worker/claim.js';
import { rounds } from '../harness/rounds.js';
import { told } from '../harness/users.js';
import { failedPayout, faultsOf, operate, type PaidOrder, statusOf, useCorrections, versionOf } from './corrections.js';

const running = useCorrections();
const { sql } = running;
const orders = rounds(10, 500);
const atOnce = 4;

/**
 * Makes the orders a few at a time, and decides about each twice at once. Returns the answers of each order, sorted.
 */
async function decideTwice(
  prepare: (order: PaidOrder) => Promise<unknown>,
  decisions: (id: string, version: number) => readonly [path: string, body: object][],
): Promise<{ id: string; answers: unknown[] }[]> {
  const decided: { id: string; answers: unknown[] }[] = [];
  const one = async () => {
    const order = await failedPayout(running);
    await prepare(order);
    const version = await versionOf(running, order.id);
    const both = decisions(order.id, version);
    // Either may come first.
    const inTurn = decided.length % 2 === 0 ? both : both.toReversed();
    const answers = await Promise.all(
      inTurn.map(([path, body], index) => operate(running, path, body, index === 0 ? 'rita' : 'rob')),
    );
    decided.push({
      id: order.id,
      answers: answers.map((answer) => (answer.status === 200 ? 200 : told(answer))),
    });
  };
  const waiting = Array.from({ length: orders });
  await mapAtMost(waiting, atOnce, one);
  return decided;
}

const refused = [409, 'order_transition_not_allowed'];
const oneOfBoth = (answers: unknown[]) =>
  answers.filter((answer) => answer === 200).length === 1 &&
  answers.some((answer) => JSON.stringify(answer) === JSON.stringify(refused));

describe(`${orders} orders that are decided twice at once`, { timeout: rounds(300_000, 3_600_000) }, () => {
  it('are refunded or paid out again, never both', async () => {
    const decided = await decideTwice(
      async () => {},
      (id, version) => [
        [`orders/${id}/refund`, { version, reason: 'operator', note: 'Back.' }],
        [`orders/${id}/retry-payout`, { version, note: 'Again.' }],
      ],
    );
    expect(decided.length).toBeGreaterThanOrEqual(orders);
    expect(decided.filter(({ answers }) => !oneOfBoth(answers))).toEqual([]);
    const alive = await sql.query(
      `SELECT order_id FROM payout_attempts WHERE state NOT IN ('REJECTED', 'RETURNED', 'RECALLED')
        GROUP BY order_id HAVING count(*) <> 1`,
    );
    expect(alive.rows).toEqual([]);
    const [first] = decided;
    expect(['REFUND_PENDING', 'PAYOUT_SUBMITTED']).toContain(await statusOf(running, first?.id ?? ''));
  });

  it('are approved or refused, never both; every currency sums to zero and the ledger is content', async () => {
    const decided = await decideTwice(
      ({ id }) => operate(running, `orders/${id}/refer`, { note: 'Look.' }),
      (id, version) => [
        [`orders/${id}/approve`, { version, note: 'Fine.' }],
        [`orders/${id}/refuse`, { version, reason: 'other', note: 'No.' }],
      ],
    );
    expect(decided.filter(({ answers }) => !oneOfBoth(answers))).toEqual([]);
    const sums = await sql.query(
      `SELECT split_part(account, ':', 2) AS currency FROM ledger_postings GROUP BY 1 HAVING sum(amount_minor) <> 0`,
    );
    expect(sums.rows).toEqual([]);
    expect(await faultsOf(running)).toEqual([]);
  });
});
