/** Commands on one payment at the same moment: of all that say one version, one succeeds, and the books follow it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { rounds } from '../harness/rounds.js';
import { get, placed, sender } from '../orders/orders.js';
import { movement, record } from '../payments/payments.js';
import { faultsOf, operate, useCorrections, versionOf } from './corrections.js';

const running = useCorrections({ FOUR_EYES: 'off' });
const { sql } = running;
const atOnce = 20;
const note = 'At the same moment.';

interface Place {
  readonly paymentId: string;
  /** The order that has the money, or a part of it. */
  readonly orderId: string | undefined;
  /** The record that has the money, or a part of it. */
  readonly suspenseId: string | undefined;
  readonly version: number;
}

beforeAll(async () => {
  // Paid orders stay as they are.
  done(await operate(running, 'pauses', { kind: 'corridor', name: 'USD-MXN', note }));
});
afterAll(async () => {
  expect(await faultsOf(running)).toEqual([]);
});

async function placeOf(paymentId: string, orderId: string | undefined): Promise<Place> {
  const text = 'SELECT suspense_id, version FROM suspense_records WHERE payment_id = $1';
  const { suspense_id: suspenseId, version = 0 } = (await sql.query(text, [paymentId])).rows[0] ?? {};
  return { paymentId, orderId, suspenseId, version: orderId ? await versionOf(running, orderId) : version };
}
/** Money for an order, all of which the order takes, or which is more than it needs. */
const forOrder = (amount: number) => async (): Promise<Place> => {
  const { id, payIn } = await placed(running, await sender(running));
  const payment = done(await record(running, movement({ amount, remittanceText: payIn.reference })));
  return placeOf(payment.id, id);
};
const inSuspense = async (): Promise<Place> => {
  const payment = done(await record(running, movement({ amount: 40, remittanceText: 'rent' })));
  return placeOf(payment.id, undefined);
};

let lines = 0;
type Ask = (place: Place, target: string) => [path: string, body: object];
const correct =
  (verb: string): Ask =>
  ({ paymentId, version }) => {
    lines += 1;
    const line = verb === 'clawback' ? { bankReference: `at-once-${lines}`, bookedAt: '2026-11-17' } : {};
    return [`payments/${paymentId}/corrections/${verb}`, { version, note, ...line }];
  };
const decide =
  (verb: string): Ask =>
  ({ suspenseId }, orderId) => [
    `suspense/${suspenseId}/${verb}`,
    { version: 1, note, ...(verb === 'match' ? { orderId } : {}) },
  ];
const verbs: Record<string, Ask> = {
  ...{ 'take-off': correct('take-off'), clawback: correct('clawback'), void: correct('void') },
  ...{ match: decide('match'), return: decide('return') },
};

/** What we owe afterwards, in minor units, by the command that succeeded. */
type Owed = Readonly<Record<string, number>>;
const stages: [name: string, prepare: () => Promise<Place>, owed: Owed][] = [
  ['a part of an order', forOrder(40), { 'take-off': 4_000, clawback: 0, void: 0 }],
  ['in suspense', inSuspense, { match: 4_000, return: 4_000, clawback: 0, void: 0 }],
  ['more than an order needs', forOrder(103), { match: 10_300, clawback: 0 }],
];
const pairs = stages.flatMap(([name, prepare, owed]) =>
  Object.keys(owed).flatMap((first, index) =>
    Object.keys(owed)
      .slice(index)
      .map((second) => [`${first} and ${second} of money that is ${name}`, { prepare, owed, first, second }] as const),
  ),
);
/** Each verb is sent several times, so that a pair of two also shows what becomes of equal ones. */
const chosen = rounds(
  pairs.filter(([, { first, second }]) => first !== second),
  pairs,
);

it.each(chosen)('%s: one succeeds of twenty', async (_, { prepare, owed, first, second }) => {
  const place = await prepare();
  const { id: target } = await placed(running, await sender(running));
  const asked = Array.from({ length: atOnce }, (_, index) => (index % 2 === 0 ? first : second));
  const answers = await Promise.all(
    asked.map((verb) => {
      const [path, body] = verbs[verb]?.(place, target) ?? ['', {}];
      return operate(running, path, body);
    }),
  );
  const done = asked.filter((_, index) => answers[index]?.status === 200);
  expect(done).toHaveLength(1);
  expect(answers.filter(({ status }) => status !== 200 && status !== 409).map(({ text }) => text)).toEqual([]);
  const { rows } = await sql.query(
    `SELECT coalesce(-sum(amount_minor), 0)::int AS owed FROM ledger_postings
      WHERE split_part(account, ':', 1) IN ('liability', 'suspense', 'refund', 'frozen')
        AND (reference = ANY ($1) OR reference IN (SELECT suspense_id FROM suspense_records WHERE payment_id = $2))`,
    [[place.orderId, target], place.paymentId],
  );
  expect([done[0], rows[0].owed]).toEqual([done[0], owed[done[0] ?? '']]);
  expect((await get(running, target)).json.amountReceived).toBe(done[0] === 'match' ? (place.orderId ? 3 : 40) : 0);
});
