/**
 * Compares the service with the model: every order after each round, and everything else that can be seen after each
 * story.
 */
import { expect } from 'vitest';
import { merchantId } from '../../../src/ids.js';
import { KeyVault } from '../../../src/keys/vault.js';
import { LedgerSealer } from '../../../src/ledger/sealing/seal.js';
import { type VerifyContext, verifyLedger } from '../../../src/ledger/verify/verify.js';
import { owedBalances } from '../../../src/payments/owed/balances.js';
import { testMasterKey } from '../../harness/master-key.js';
import type { Currency, Lane, LaneModel, RealSuspense } from './lane.js';
import type { ModelService } from './model-service.js';
import type { ModelOrder } from './order-model.js';
import type { ModelSuspense } from './suspense-model.js';
import { merchantsOf } from './worker-passes.js';

/** What we see of an order: its state, what its merchant was told, what we owe for it, and its attempts. */
interface View {
  readonly state: string;
  readonly version: number;
  readonly told: readonly string[];
  readonly refunds: number;
  readonly amountIn: number;
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
  text: `SELECT order_id, user_id, state, version, amount_in_minor::int AS "amountIn",
                amount_received_minor::int AS received, jsonb_array_length(refunds) AS refunds,
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
                  ORDER BY recorded_at, event_id) AS told
           FROM orders WHERE merchant_id = ANY ($1) AND user_id = ANY ($2)`,
};

const readSuspense = {
  name: 'model-read-suspense',
  text: `SELECT merchant_id, suspense_id, version, state, reason, currency, amount_minor::int AS minor,
                ARRAY(SELECT (-sum(amount_minor))::text || ' on ' || split_part(account, ':', 1)
                  FROM ledger_postings AS posting
                  WHERE posting.merchant_id = suspense_records.merchant_id AND reference = suspense_id
                    AND split_part(account, ':', 1) IN ('suspense', 'refund', 'frozen')
                  GROUP BY account HAVING sum(amount_minor) <> 0) AS owed,
                ARRAY(SELECT attempt.state FROM payout_attempts AS attempt
                  WHERE attempt.merchant_id = suspense_records.merchant_id
                    AND attempt.suspense_id = suspense_records.suspense_id ORDER BY number) AS attempts
           FROM suspense_records WHERE merchant_id = ANY ($1) AND opened_at >= $2 ORDER BY opened_at, suspense_id`,
};

export interface Rows {
  readonly orders: ReadonlyMap<string, Row>;
  readonly suspense: readonly SuspenseRow[];
}

interface SuspenseRow {
  readonly merchant_id: string;
  readonly suspense_id: string;
  readonly version: number;
  readonly state: string;
  readonly reason: string;
  readonly currency: string;
  readonly minor: number;
  readonly owed: readonly string[];
  readonly attempts: readonly string[];
}

/** Every order of the users of these lanes, and all money that no order has taken. */
export async function readRows({ sql }: ModelService, lanes: readonly Lane[]): Promise<Rows> {
  const merchants = merchantsOf(lanes);
  const users = lanes.flatMap((lane) => lane.users);
  const [orders, suspense] = await Promise.all([
    sql.query<Row>({ ...readOrders, values: [merchants, users] }),
    sql.query<SuspenseRow>({ ...readSuspense, values: [merchants, lanes[0]?.beganAt] }),
  ]);
  return { orders: new Map(orders.rows.map((row) => [row.order_id, row])), suspense: suspense.rows };
}

/** What we see of a merchant: its orders, and each amount in suspense with its reason. */
interface LaneView {
  readonly orders: readonly View[];
  readonly suspense: readonly string[];
}

/** What the service has of a lane. Throws when it has other orders than it answered with. */
export function seenOf({ orders, users, merchant }: Lane, rows: Rows): LaneView {
  const made = [...rows.orders.values()].filter(({ user_id }) => users.includes(Number(user_id)));
  if (made.length !== orders.length) throw new Error(`there are ${made.length} orders instead of ${orders.length}`);
  const own = rows.suspense.filter(({ merchant_id }) => Number(merchant_id) === Number(merchant.merchant));
  return {
    orders: orders.map(({ id }) => viewOf(rows.orders.get(id))),
    suspense: own.map(viewOfSuspense),
  };
}

/** The suspense records of a lane, as they are now. */
export function suspenseOf({ merchant }: Lane, { suspense }: Rows): RealSuspense[] {
  const own = suspense.filter(({ merchant_id }) => Number(merchant_id) === Number(merchant.merchant));
  return own.map(({ suspense_id, version }) => ({ id: suspense_id, version }));
}

function viewOfSuspense({ reason, minor, currency, state, version, owed, attempts }: SuspenseRow): string {
  const known = attempts.map((name) => attemptStates[name] ?? name.toLowerCase());
  return [reason, minor, currency, state, version, owed.join(' and ') || 'nothing', ...known].join(', ');
}

function viewOf(row: Row | undefined): View {
  if (!row) throw new Error('an order is missing');
  const { state, version, amountIn, received, refunds, refunded, owed } = row;
  const told = refunds > 1 ? inAnyOrder(row.told) : row.told;
  const attempts = row.attempts.map((name) => attemptStates[name] ?? name.toLowerCase());
  return { state, version, told, refunds, amountIn, received, refunded, owed, attempts };
}

export function expectedOf({ orders, suspense }: LaneModel): LaneView {
  return {
    orders: orders.map(expectedOrder),
    suspense: suspense.map(expectedSuspense),
  };
}

function expectedSuspense(record: ModelSuspense): string {
  const { reason, minor, currency, state, version, owed, attempts } = record;
  return [reason, minor, currency, state, version, owed, ...attempts.map((attempt) => attempt.state)].join(', ');
}

function expectedOrder(order: ModelOrder): View {
  const refunds = order.refunds.length;
  const told = refunds > 1 ? inAnyOrder(order.told) : order.told;
  return {
    ...{ state: order.state, version: order.version, told, refunds },
    ...{ amountIn: order.amountInMinor, received: order.receivedMinor, refunded: order.refundedMinor },
    owed: owedFor(order),
    attempts: order.attempts.map(({ state }) => state),
  };
}

/** Workers may be told of two refunds in either order. */
function inAnyOrder(told: readonly string[]): string[] {
  const sorted: string[] = [];
  let together: string[] = [];
  for (const type of told) {
    if (type.startsWith('order.refund')) together.push(type);
    else {
      sorted.push(...together.sort(), type);
      together = [];
    }
  }
  return [...sorted, ...together.sort()];
}

function owedFor({ place, amountOutMinor, heldMinor }: ModelOrder): Record<string, number> {
  if (place === 'none') return {};
  return place === 'payout' ? { 'payout:MXN': amountOutMinor } : { [`${place}:USD`]: heldMinor };
}

/** What merchants see over HTTP: the order, and a history that says the same as the notifications. */
export async function compareAnswers(service: ModelService, { merchant, orders, model }: Lane): Promise<void> {
  const { token } = merchant;
  for (const [index, { id }] of orders.entries()) {
    const order = model.orders[index] as ModelOrder;
    const shown = (await service.api.get(`/orders/${id}`, { token })).json;
    expect([shown.status, shown.version]).toEqual([
      order.state === 'FROZEN' ? 'IN_REVIEW' : order.state,
      order.told.length,
    ]);
    const { rows } = await service.sql.query(
      'SELECT object FROM events WHERE merchant_id = $1 AND subject = $2 ORDER BY recorded_at, event_id',
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
  return { database, sealer: new LedgerSealer(rootKey), owedBalances };
}

/** What is on the bank account of each merchant, in this order. Throws when money has arrived and is not assigned. */
export async function readBanks({ sql }: ModelService, lanes: readonly Lane[]): Promise<Record<Currency, number>[]> {
  const { rows } = await sql.query(
    `SELECT merchant_id, split_part(account, ':', 1) AS kind, split_part(account, ':', 2) AS currency,
            sum(amount_minor)::int AS minor FROM ledger_postings
      WHERE merchant_id = ANY ($1) AND split_part(account, ':', 1) IN ('bank', 'payin') GROUP BY 1, 2, 3`,
    [merchantsOf(lanes)],
  );
  expect(rows.filter(({ kind, minor }) => kind === 'payin' && minor !== 0)).toEqual([]);
  return lanes.map(({ merchant }) => {
    const of = (currency: Currency): number =>
      rows.find(
        (row) =>
          Number(row.merchant_id) === Number(merchant.merchant) && row.kind === 'bank' && row.currency === currency,
      )?.minor ?? 0;
    return { USD: of('USD'), EUR: of('EUR') };
  });
}

/** Every currency sums to zero, the bank accounts have what came and did not go back, and `verify` is content. */
export async function expectLedgersWhole(
  service: ModelService,
  context: VerifyContext,
  lanes: readonly Lane[],
  { isFull }: { readonly isFull: boolean },
): Promise<void> {
  await service.finish('changes.number');
  const { rows } = await service.sql.query(
    `SELECT merchant_id, split_part(account, ':', 2) AS currency, sum(amount_minor)::int AS minor
       FROM ledger_postings WHERE merchant_id = ANY ($1) GROUP BY 1, 2 HAVING sum(amount_minor) <> 0`,
    [merchantsOf(lanes)],
  );
  expect(rows).toEqual([]);
  const banks = await readBanks(service, lanes);
  const checks = lanes.map(async ({ merchant, model, atBankBefore, history }, place) => {
    const bank = banks[place] ?? { USD: 0, EUR: 0 };
    const came = { USD: bank.USD - atBankBefore.USD, EUR: bank.EUR - atBankBefore.EUR };
    const said = `the bank account of merchant ${merchant.merchant}:\n${numbered(history)}`;
    expect(came, said).toEqual(model.atBank);
    const { faults } = await verifyLedger(context, merchantId(merchant.merchant), { isFull });
    expect(faults, numbered(history)).toEqual([]);
  });
  await Promise.all(checks);
}

/** What was done in a lane, for the report of a failure. */
export function numbered(history: readonly string[]): string {
  return history.map((act, place) => `${place + 1}. ${act}`).join('\n');
}
