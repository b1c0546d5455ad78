/** Compares the service with the model: every order after each step, and everything that can be seen after each run. */
import { expect } from 'vitest';
import { merchantId } from '../../../src/ids.js';
import { KeyVault } from '../../../src/keys/vault.js';
import { LedgerSealer } from '../../../src/ledger/seal.js';
import { verifyLedger } from '../../../src/ledger/verify/verify.js';
import { orderBalances } from '../../../src/orders/owed/balances.js';
import { testMasterKey } from '../../harness/master-key.js';
import type { ModelOrder } from './order-model.js';
import type { Model, Real } from './step.js';

const modelStates: Readonly<Record<string, string>> = { SENDING: 'sent', ACCEPTED: 'sent', UNKNOWN: 'sent' };
const paidMinor = 10_000;

/** The state of each order, what its merchant sees of it, what we owe for it, and its attempts. */
export async function compareOrders(
  { orders }: Model,
  { service, merchant, orders: made }: Real,
): Promise<void> {
  const { rows } = await service.sql.query(
    `SELECT order_id, state, public_version, amount_received_minor::int AS received,
            amount_refunded_minor::int AS refunded, amount_out_minor::int AS amount_out,
            (SELECT json_object_agg(account, minor) FROM (
               SELECT account, -sum(amount_minor) AS minor FROM ledger_postings AS posting
                WHERE posting.merchant_id = orders.merchant_id AND reference = order_id
                  AND split_part(account, ':', 1) IN ('liability', 'payout', 'refund', 'frozen')
                GROUP BY account HAVING sum(amount_minor) <> 0) AS balance) AS owed,
            (SELECT array_agg(attempt.state ORDER BY number) FROM payout_attempts AS attempt
              WHERE attempt.merchant_id = orders.merchant_id AND attempt.order_id = orders.order_id) AS attempts
       FROM orders WHERE merchant_id = $1`,
    [merchant.merchant],
  );
  const found = new Map(rows.map((row) => [row.order_id, row]));
  expect(found.size).toBe(orders.length);
  const real = made.map(({ id }) => {
    const { state, public_version, received, refunded, owed, attempts } = found.get(id);
    const known = (attempts ?? []).map((name: string) => modelStates[name] ?? name.toLowerCase());
    return { state, version: public_version, received, refunded, owed: owed ?? {}, attempts: known };
  });
  expect(real).toEqual(
    orders.map((order, index) => ({
      ...{ state: order.state, version: order.told.length },
      received: order.isPaid ? paidMinor : 0,
      refunded: order.isRefunded ? paidMinor : 0,
      owed: owedFor(order, found.get(made[index]?.id).amount_out),
      attempts: order.attempts.map(({ state }) => state),
    })),
  );
}

function owedFor({ place }: ModelOrder, amountOut: number): Record<string, number> {
  if (place === 'none') return {};
  return place === 'payout' ? { 'payout:MXN': amountOut } : { [`${place}:USD`]: paidMinor };
}

/** What merchants see, the events without a gap, the ledger, and the books of the rail. */
export async function compareAll(model: Model, real: Real): Promise<void> {
  await compareOrders(model, real);
  for (const [index, order] of model.orders.entries()) await compareSeen(order, real, index);
  await expectLedgerWhole(real);
  expect(real.service.rail.complaints).toEqual([]);
}

async function compareSeen(
  order: ModelOrder,
  { service, merchant, orders }: Real,
  index: number,
): Promise<void> {
  const id = orders[index]?.id as string;
  const { token } = merchant;
  const { api } = service.running;
  const shown = (await api.get(`/orders/${id}`, { token })).json;
  expect(shown.status).toBe(order.state === 'FROZEN' ? 'IN_REVIEW' : order.state);
  const { rows } = await service.sql.query(
    'SELECT type, object FROM events WHERE merchant_id = $1 AND subject = $2 ORDER BY event_no',
    [merchant.merchant, id],
  );
  expect(rows.map(({ type }) => type)).toEqual(order.told);
  const objects = rows.map(({ object }) => JSON.parse(object));
  expect(objects.map(({ version }) => version)).toEqual(order.told.map((_, place) => place + 1));
  const timeline = (await api.get(`/orders/${id}/timeline`, { token })).json;
  expect(timeline.map(({ version, status }: (typeof objects)[number]) => [version, status])).toEqual(
    objects.map(({ version, status }) => [version, status]),
  );
}

async function expectLedgerWhole({ service, merchant }: Real): Promise<void> {
  const { rows } = await service.sql.query(
    `SELECT split_part(account, ':', 2) AS currency, sum(amount_minor)::int AS minor FROM ledger_postings
      WHERE merchant_id = $1 GROUP BY 1 HAVING sum(amount_minor) <> 0`,
    [merchant.merchant],
  );
  expect(rows).toEqual([]);
  const { database } = service.testDatabase;
  const current = Buffer.from(testMasterKey, 'base64');
  const { rootKey } = await KeyVault.open(database, { current, previous: undefined });
  const context = { database, sealer: new LedgerSealer(rootKey), owedBalances: orderBalances };
  const { faults } = await verifyLedger(context, merchantId(merchant.merchant), { isFull: true });
  expect(faults).toEqual([]);
}
