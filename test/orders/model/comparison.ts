/** Compares the service with the model: every order after each round, and everything else that can be seen after each story. */
import { expect } from 'vitest';
import { merchantId } from '../../../src/ids.js';
import { KeyVault } from '../../../src/keys/vault.js';
import { LedgerSealer } from '../../../src/ledger/seal.js';
import { type VerifyContext, verifyLedger } from '../../../src/ledger/verify/verify.js';
import { orderBalances } from '../../../src/orders/owed/balances.js';
import { testMasterKey } from '../../harness/master-key.js';
import type { Lane, LaneModel } from './lane.js';
import type { ModelService } from './model-service.js';
import { amountInMinor, type ModelOrder } from './order-model.js';
import { merchantsOf } from './worker-passes.js';

/** What we see of an order: its state, what its merchant was told, what we owe for it, and its attempts. */
interface View {
  readonly state: string;
  readonly version: number;
  readonly told: readonly string[];
  readonly received: number;
  readonly refunded: number;
  readonly owed: Readonly<Record<string, number>>;
  readonly attempts: readonly string[];
}

export interface Row extends View {
  readonly order_id: string;
  readonly user_id: string;
  readonly amount_out: number;
}

const attemptStates: Readonly<Record<string, string>> = {
  SENDING: 'sent',
  ACCEPTED: 'sent',
  UNKNOWN: 'sent',
};
const readOrders = {
  name: 'model-read-orders',
  text: `SELECT order_id, user_id, state, version, amount_received_minor::int AS received,
                amount_refunded_minor::int AS refunded, amount_out_minor::int AS amount_out,
                coalesce((SELECT json_object_agg(account, minor) FROM (
                   SELECT account, -sum(amount_minor) AS minor FROM ledger_postings AS posting
                    WHERE posting.merchant_id = orders.merchant_id AND reference = order_id
                      AND split_part(account, ':', 1) IN ('liability', 'payout', 'refund', 'frozen')
                    GROUP BY account HAVING sum(amount_minor) <> 0) AS balance), '{}') AS owed,
                ARRAY(SELECT attempt.state FROM payout_attempts AS attempt
                  WHERE attempt.merchant_id = orders.merchant_id AND attempt.order_id = orders.order_id
                  ORDER BY number) AS attempts,
                ARRAY(SELECT type FROM events WHERE events.merchant_id = orders.merchant_id AND subject = order_id
                  ORDER BY event_no) AS told
           FROM orders WHERE merchant_id = ANY ($1) AND user_id = ANY ($2)`,
};

/** Every order of the users of these lanes, by its id. */
export async function readRows(
  { sql }: ModelService,
  lanes: readonly Lane[],
): Promise<ReadonlyMap<string, Row>> {
  const values = [merchantsOf(lanes), lanes.flatMap(({ users }) => users)];
  const { rows } = await sql.query<Row>({ ...readOrders, values });
  return new Map(rows.map((row) => [row.order_id, row]));
}

/** What the service has of a lane. Throws when it has other orders than it answered with. */
export function seenOf({ orders, users }: Lane, rows: ReadonlyMap<string, Row>): View[] {
  const made = [...rows.values()].filter(({ user_id }) => users.includes(Number(user_id)));
  if (made.length !== orders.length)
    throw new Error(`there are ${made.length} orders instead of ${orders.length}`);
  return orders.map(({ id }) => {
    const row = rows.get(id);
    if (!row) throw new Error(`there is no order ${id}`);
    const { state, version, told, received, refunded, owed } = row;
    const attempts = row.attempts.map((name) => attemptStates[name] ?? name.toLowerCase());
    return { state, version, told, received, refunded, owed, attempts };
  });
}

export function expectedOf(model: LaneModel): View[] {
  return model.orders.map((order) => ({
    ...{ state: order.state, version: order.version, told: order.told },
    received: order.isPaid ? amountInMinor : 0,
    refunded: order.isRefunded ? amountInMinor : 0,
    owed: owedFor(order),
    attempts: order.attempts.map(({ state }) => state),
  }));
}

function owedFor({ place, amountOutMinor }: ModelOrder): Record<string, number> {
  if (place === 'none') return {};
  return place === 'payout' ? { 'payout:MXN': amountOutMinor } : { [`${place}:USD`]: amountInMinor };
}

/** What merchants see over HTTP: the order, and a history that says the same as the notifications. */
export async function compareAnswers(
  service: ModelService,
  { merchant, orders, model }: Lane,
): Promise<void> {
  const { token } = merchant;
  for (const [index, { id }] of orders.entries()) {
    const order = model.orders[index] as ModelOrder;
    const shown = (await service.api.get(`/orders/${id}`, { token })).json;
    expect([shown.status, shown.version]).toEqual([
      order.state === 'FROZEN' ? 'IN_REVIEW' : order.state,
      order.told.length,
    ]);
    const { rows } = await service.sql.query(
      'SELECT object FROM events WHERE merchant_id = $1 AND subject = $2 ORDER BY event_no',
      [merchant.merchant, id],
    );
    const objects = rows.map(({ object }) => JSON.parse(object));
    expect(objects.map(({ version }) => version)).toEqual(order.told.map((_, place) => place + 1));
    const timeline = (await service.api.get(`/orders/${id}/timeline`, { token })).json;
    expect(timeline.map(({ version, status }: (typeof objects)[number]) => [version, status])).toEqual(
      objects.map(({ version, status }) => [version, status]),
    );
  }
}

export async function verifyContext({ testDatabase: { database } }: ModelService): Promise<VerifyContext> {
  const current = Buffer.from(testMasterKey, 'base64');
  const { rootKey } = await KeyVault.open(database, { current, previous: undefined });
  return { database, sealer: new LedgerSealer(rootKey), owedBalances: orderBalances };
}

/** Every currency sums to zero, and `verify` is content. */
export async function expectLedgersWhole(
  service: ModelService,
  context: VerifyContext,
  lanes: readonly Lane[],
  { isFull }: { readonly isFull: boolean },
): Promise<void> {
  await service.finish('ledger.number');
  const { rows } = await service.sql.query(
    `SELECT merchant_id, split_part(account, ':', 2) AS currency, sum(amount_minor)::int AS minor
       FROM ledger_postings WHERE merchant_id = ANY ($1) GROUP BY 1, 2 HAVING sum(amount_minor) <> 0`,
    [merchantsOf(lanes)],
  );
  expect(rows).toEqual([]);
  for (const { merchant } of lanes) {
    const { faults } = await verifyLedger(context, merchantId(merchant.merchant), { isFull });
    expect(faults).toEqual([]);
  }
}
