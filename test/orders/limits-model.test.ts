/** Unpaid orders and the limits of their user against a small model: random steps, clock jumps, repetitions. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Remesa, useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { type MadeUser, type Merchant, merchantWithToken, told } from '../harness/users.js';
import { moveClock } from '../kyc/kyc-service.js';
import { cancel, eventsOf, get, lupita, place, rateCode, runExpiry, sender, timelineOf } from './orders.js';

const running = useRemesa({ hasRates: true });

interface ModelOrder {
  readonly createdHour: number;
  status: 'AWAITING_PAYMENT' | 'CANCELLED' | 'EXPIRED';
  account: string;
  /** The types of its events so far. */
  readonly events: string[];
}
interface Model {
  hour: number;
  readonly orders: ModelOrder[];
}
interface Real {
  readonly running: Remesa;
  readonly merchant: Merchant;
  readonly user: MadeUser;
  readonly ids: string[];
}
type Step = fc.AsyncCommand<Model, Real>;

const accounts = ['032180000118359719', '002010077777777771'] as const;
const beneficiaryOf = (account: string) => ({ ...lupita, account: { clabe: account } });
const masked = (account: string) => `****${account.slice(-4)}`;
const any = { check: (model: Readonly<Model>) => model.orders.length > 0 };

/** The order at this place, counted round and round, in the model and in the service. */
function pick(model: Model, real: Real, place: number): { order: ModelOrder; id: string } {
  const index = place % model.orders.length;
  return { order: model.orders[index] as ModelOrder, id: real.ids[index] as string };
}

async function compare({ running, merchant }: Real, id: string, order: ModelOrder): Promise<void> {
  const shown = (await get(running, id, merchant)).json;
  expect([shown.status, shown.payoutAccount, shown.version]).toEqual([
    order.status,
    masked(order.account),
    order.events.length,
  ]);
}

/** The orders of 100 dollars that count: those that were not cancelled and have not expired. */
function counted({ hour, orders }: Model, hours: number): number {
  const open = orders.filter(({ status }) => status === 'AWAITING_PAYMENT');
  return open.filter(({ createdHour }) => hour - createdHour < hours).length;
}

/** LEVEL_1 has 500 dollars in 24 hours and 1,000 in 30 days, and a user ten unpaid orders. */
function isAdmitted(model: Model): boolean {
  return counted(model, 24) < 5 && counted(model, 30 * 24) < 10 && counted(model, 365 * 24) < 10;
}

async function compareLimits({ running, merchant, user }: Real, model: Model): Promise<void> {
  const answer = await running.api.get(`/user/limits?userId=${user.id}`, { token: merchant.token });
  const [day, month, year] = [counted(model, 24), counted(model, 30 * 24), counted(model, 365 * 24)];
  expect(answer.json.limits.map(({ used }: { used: number }) => used)).toEqual([
    ...[0, day * 100, month * 100, year * 100, day, month, year],
  ]);
}

const create = (isRepeated: boolean): Step => ({
  check: () => true,
  toString: () => `create${isRepeated ? ' twice' : ''}`,
  async run(model, real) {
    const { running, merchant, user } = real;
    const code = await rateCode(running, merchant);
    const key = `create-${code}`;
    const ask = () => place(running, user, { merchant, key, body: { rateCode: code } });
    const answers = isRepeated ? await Promise.all([ask(), ask()]) : [await ask()];
    // A request that arrives while its twin is at work may be told so.
    const good = answers.filter(({ status }) => status === 200);
    if (!isAdmitted(model)) {
      expect(good).toEqual([]);
      expect(answers.map(told)).toContainEqual([422, 'limit_exceeded']);
      return;
    }
    expect(new Set(good.map(({ text }) => text)).size).toBe(1);
    real.ids.push(good[0]?.json.id);
    const [account] = accounts;
    const events = ['order.awaiting_payment'];
    model.orders.push({ createdHour: model.hour, status: 'AWAITING_PAYMENT', account, events });
    await compareLimits(real, model);
  },
});

const cancelOne = (at: number, times: number): Step => ({
  ...any,
  toString: () => `cancel ${at} ${times} times`,
  async run(model, real) {
    const { order, id } = pick(model, real, at);
    const answers = await Promise.all(Array.from({ length: times }, () => cancel(real.running, id, real.merchant)));
    const expected = order.status === 'EXPIRED' ? [409, 'order_not_cancellable'] : [200, undefined];
    for (const answer of answers) expect(told(answer)).toEqual(expected);
    if (order.status === 'AWAITING_PAYMENT') {
      order.status = 'CANCELLED';
      order.events.push('order.cancelled');
    }
    await compare(real, id, order);
  },
});

const correct = (at: number, which: number): Step => ({
  ...any,
  toString: () => `correct ${at} to ${which}`,
  async run(model, real) {
    const { order, id } = pick(model, real, at);
    const account = accounts[which % accounts.length] as string;
    const answer = await real.running.api.post(`/orders/${id}/beneficiary`, {
      token: real.merchant.token,
      body: { beneficiary: beneficiaryOf(account) },
    });
    const isOpen = order.status === 'AWAITING_PAYMENT';
    expect(told(answer)).toEqual(isOpen ? [200, undefined] : [409, 'order_transition_not_allowed']);
    if (isOpen && order.account !== account) {
      order.account = account;
      order.events.push('order.beneficiary_changed');
    }
    await compare(real, id, order);
  },
});

const wait = (hours: number): Step => ({
  check: () => true,
  toString: () => `wait ${hours} hours`,
  async run(model, real) {
    model.hour += hours;
    await moveClock(real.running, real.merchant, `${hours} hours`);
  },
});

const expire = (workers: number): Step => ({
  check: () => true,
  toString: () => `expire with ${workers} workers`,
  async run(model, real) {
    await Promise.all(Array.from({ length: workers }, () => runExpiry(real.running)));
    for (const [index, order] of model.orders.entries()) {
      if (order.status === 'AWAITING_PAYMENT' && model.hour - order.createdHour >= 96) {
        order.status = 'EXPIRED';
        order.events.push('order.expired');
      }
      await compare(real, real.ids[index] as string, order);
    }
  },
});

const steps = [
  fc.boolean().map(create),
  fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 3 })).map(([at, times]) => cancelOne(at, times)),
  fc.tuple(fc.nat(9), fc.nat(1)).map(([at, which]) => correct(at, which)),
  fc.constantFrom(1, 23, 48, 96).map(wait),
  fc.integer({ min: 1, max: 2 }).map(expire),
];

it('a user has used of each limit what the model says, and an unpaid order is in the state of the model', async () => {
  let merchants = 0;
  const runs = fc.asyncProperty(fc.commands(steps, { maxCommands: 20 }), async (commands) => {
    merchants += 1;
    const merchant = await merchantWithToken(running, `model-${merchants}`);
    const real: Real = { running, merchant, user: await sender(running, merchant), ids: [] };
    const model: Model = { hour: 0, orders: [] };
    await fc.asyncModelRun(() => ({ model, real }), commands);
    for (const [index, order] of model.orders.entries()) {
      const id = real.ids[index] as string;
      await compare(real, id, order);
      const events = await eventsOf(running, id);
      expect(events.map(({ type }) => type)).toEqual(order.events);
      expect(events.map(({ object }) => object.version)).toEqual(order.events.map((_, place) => place + 1));
      const timeline = await timelineOf(running, id, merchant);
      expect(timeline.map(({ version, status }) => [version, status])).toEqual(
        events.map(({ object }) => [object.version, object.status]),
      );
    }
  });
  await fc.assert(runs, { numRuns: rounds(5, 1000), endOnFailure: true });
});
