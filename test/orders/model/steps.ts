/** The steps of the model: each does the same to the model and to the service, and compares the answers. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Answer } from '../../harness/api.js';
import { type MadeUser, type Merchant, newUser } from '../../harness/users.js';
import { moveClock } from '../../kyc/kyc-service.js';
import { report } from '../../payouts/payouts.js';
import type { PayoutVerbs } from '../../payouts/worker-verbs.js';
import { holdLevel, lupita } from '../orders.js';
import { type RailMode, takenIn } from './booked-rail.js';
import { compareOrders } from './comparison.js';
import type { Fault, ModelService } from './model-service.js';
import { type Expected, type ModelAttempt, ModelOrder, type ReportKind } from './order-model.js';

export interface Model {
  hour: number;
  /** How many steps were made. */
  steps: number;
  readonly orders: ModelOrder[];
}

export interface Real {
  readonly service: ModelService;
  readonly merchant: Merchant;
  readonly verbs: PayoutVerbs;
  /** In the order of the model. */
  readonly orders: { readonly id: string; readonly user: MadeUser }[];
}

type Step = fc.AsyncCommand<Model, Real>;
type PickedOrder = { readonly order: ModelOrder; readonly id: string; readonly user: MadeUser };

const note = 'A step of the model.';
const beneficiaries = [
  lupita,
  { ...lupita, account: { clabe: '002010077777777771' } },
  { ...lupita, firstName: 'Iris', lastName: 'Blokwell' },
] as const;
const isListed = (beneficiary: number) => beneficiary === 2;
const amounts = { exact: undefined, short: 60, over: 140 } as const;

function step(name: string, run: Step['run'], check: Step['check'] = () => true): Step {
  return {
    check,
    toString: () => `[${name}]`,
    run(model, real) {
      model.steps += 1;
      return run(model, real);
    },
  };
}

/** A step on the order at this place, counted round and round. */
function onOrder(
  name: string,
  at: number,
  run: (picked: PickedOrder, model: Model, real: Real) => Promise<void>,
): Step {
  return step(
    `${name} of ${at}`,
    async (model, real) => {
      const index = at % model.orders.length;
      const made = real.orders[index];
      const order = model.orders[index];
      if (!made || !order) throw new Error('the model and the service have other orders');
      await run({ order, ...made }, model, real);
      await compareOrders(model, real);
    },
    (model) => model.orders.length > 0,
  );
}

function expectAnswer(answer: Answer, expected: Expected): void {
  const code = answer.status === 200 ? [] : [answer.json.code];
  expect([answer.status, ...code], answer.text).toEqual(expected);
}

const create = (beneficiary: number, fault: Fault): Step =>
  step(`create with beneficiary ${beneficiary}, ${fault}`, async (model, real) => {
    const { service, merchant, orders } = real;
    const { api } = service.running;
    const { token } = merchant;
    const user = await newUser({ api }, merchant);
    await holdLevel(service, merchant, user, 'LEVEL_1');
    const quoted = await api.post('/rates', {
      token,
      body: { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 },
    });
    const body = {
      ...{ rateCode: quoted.json.code, purpose: 'family_support', beneficiary: beneficiaries[beneficiary] },
    };
    const answer = await service.send(`/orders?userId=${user.id}`, { token, body }, fault);
    expectAnswer(answer, [200]);
    orders.push({ id: answer.json.id, user });
    model.orders.push(new ModelOrder(model.hour, beneficiary, isListed));
    await compareOrders(model, real);
  });

const pay = (at: number, amount: keyof typeof amounts, isByAnother: boolean, fault: Fault): Step =>
  onOrder(
    `${amount} payment${isByAnother ? ' by another' : ''}, ${fault},`,
    at,
    async (picked, model, real) => {
      const expected = picked.order.pay(model.hour, amount, isByAnother);
      const body = {
        orderId: picked.id,
        ...(amounts[amount] === undefined ? {} : { amount: amounts[amount] }),
        ...(isByAnother ? { payerName: 'Bartholomew Quill' } : {}),
      };
      const { token } = real.merchant;
      const { json } = await real.service.send('/sandbox/payments', { token, body }, fault);
      expect(json.outcome === 'applied' ? 'applied' : json.reason).toBe(expected);
    },
  );

const cancel = (at: number, fault: Fault): Step =>
  onOrder(`cancellation, ${fault},`, at, async ({ order, id }, _model, { service, merchant }) => {
    const answer = await service.send(`/orders/${id}/cancel`, { token: merchant.token }, fault);
    expectAnswer(answer, order.cancel());
  });

const correct = (at: number, beneficiary: number, fault: Fault): Step =>
  onOrder(`correction to ${beneficiary}, ${fault},`, at, async ({ order, id }, _model, real) => {
    const body = { beneficiary: beneficiaries[beneficiary] };
    const { token } = real.merchant;
    const answer = await real.service.send(`/orders/${id}/beneficiary`, { token, body }, fault);
    expectAnswer(answer, order.correct(beneficiary));
  });

const provide = (at: number, fault: Fault): Step =>
  onOrder(`information, ${fault},`, at, async ({ order, id }, _model, { service, merchant: { token } }) => {
    const body = { answers: [{ code: 'purpose', answer: 'School fees.' }] };
    const answer = await service.send(`/orders/${id}/information`, { token, body }, fault);
    expectAnswer(answer, order.provideInformation());
  });

/** What operators do, with what else the request says. */
const decisions = {
  refer: (order: ModelOrder) => order.refer(),
  freeze: (order: ModelOrder) => order.freeze(),
  release: (order: ModelOrder) => order.release(),
  approve: (order: ModelOrder) => order.approve(),
  refuse: (order: ModelOrder) => order.refuse(),
  'request-information': (order: ModelOrder, hour: number) => order.askForInformation(hour),
} as const;

const decide = (at: number, verb: keyof typeof decisions, fault: Fault): Step =>
  onOrder(`${verb}, ${fault},`, at, async ({ order, id }, { hour }, { service }) => {
    const { rows } = await service.sql.query('SELECT version FROM orders WHERE order_id = $1', [id]);
    const isVersioned = verb === 'approve' || verb === 'refuse';
    const body = {
      note,
      ...(isVersioned ? { version: rows[0].version } : {}),
      ...(verb === 'refuse' ? { reason: 'other' } : {}),
      ...(verb === 'request-information' ? { items: ['purpose'] } : {}),
    };
    const path = `/operator/orders/${id}/${verb}`;
    const answer = await service.send(path, { token: service.operator, body }, fault);
    expectAnswer(answer, decisions[verb](order, hour));
  });

/** The sender loses the KYC level, or has it again. */
const changeLevel = (at: number): Step =>
  onOrder('change of level', at, async ({ order, user }, _model, { service, merchant }) => {
    const states = order.holdsLevel ? ['EXPIRED'] : ['PENDING', 'SUBMITTED', 'APPROVED'];
    for (const state of states)
      await service.sql.query(
        'UPDATE kyc_cases SET state = $3, version = version + 1 WHERE merchant_id = $1 AND user_id = $2',
        [merchant.merchant, user.id, state],
      );
    order.holdsLevel = !order.holdsLevel;
  });

const advance = (workers: number, fault: Fault): Step =>
  step(`${workers} workers advance, ${fault}`, async (model, real) => {
    const { service, merchant } = real;
    await service.work('orders.advance', { workers, fault }, async () => {
      await service.sql.query('UPDATE orders SET try_at = NULL WHERE merchant_id = $1', [merchant.merchant]);
    });
    for (const order of model.orders) order.advance();
    await compareOrders(model, real);
  });

const expire = (workers: number, fault: Fault): Step =>
  step(`${workers} workers expire, ${fault}`, async (model, real) => {
    await real.service.work('orders.expire', { workers, fault }, async () => {});
    for (const order of model.orders) order.expire(model.hour);
    await compareOrders(model, real);
  });

const wait = (hours: number): Step =>
  step(`wait ${hours} hours`, async (model, { service, merchant }) => {
    model.hour += hours;
    await moveClock(service, merchant, `${hours} hours`);
  });

const send = (workers: number, mode: RailMode, fault: Fault): Step =>
  step(`${workers} workers send, the rail is to ${mode}, ${fault}`, async (model, real) => {
    const { service, merchant } = real;
    service.rail.mode = mode;
    await service.work('payouts.send', { workers, fault }, () => letRailBeAsked(service, merchant));
    for (const order of model.orders) for (const attempt of order.attempts) sendInModel(order, attempt, mode);
    await compareOrders(model, real);
  });

function sendInModel(order: ModelOrder, attempt: ModelAttempt, mode: RailMode): void {
  if (attempt.state !== 'ready' && attempt.state !== 'sent') return;
  const isAnswered = mode !== 'down' && (mode !== 'silent' || attempt.known !== undefined);
  attempt.state = 'sent';
  if (mode !== 'down') attempt.known ??= [...takenIn[mode]];
  if (isAnswered) for (const kind of attempt.known ?? []) order.hear(attempt, kind);
}

async function letRailBeAsked({ sql }: ModelService, { merchant }: Merchant): Promise<void> {
  await sql.query(
    `UPDATE payout_attempts SET due_at = least(due_at, now()), lease_until = NULL, lease_holder = NULL
      WHERE merchant_id = $1 AND due_at IS NOT NULL`,
    [merchant],
  );
  await sql.query('UPDATE payout_rail_failures SET resumes_at = failing_since');
}

/** What can happen at a bank after this. */
const nextAtBank: Readonly<Record<ReportKind, readonly ReportKind[]>> = {
  accepted: ['paid', 'rejected'],
  paid: ['returned'],
  rejected: [],
  returned: [],
};

/** Something happens at the bank, and nobody is told yet. */
const happen = (at: number, isGood: boolean): Step =>
  onOrder(
    `${isGood ? 'good' : 'bad'} outcome at the bank`,
    at,
    async ({ order, id }, _model, { service }) => {
      const attempt = order.attempts.at(-1);
      const last = attempt?.known?.at(-1);
      const next = last && nextAtBank[last].at(isGood ? 0 : -1);
      if (!attempt || !next) return;
      attempt.known?.push(next);
      service.rail.happen(referenceOf(id, order.attempts.length), next);
    },
  );

/** The rail reports something that has happened: the newest first, or twice, or under another id. */
const tell = (at: number, back: number, again: string, times: number): Step =>
  onOrder(`report ${back} back${again}, ${times} times,`, at, async ({ order, id }, _model, { verbs }) => {
    const index = order.attempts.length - 1 - (back >> 1);
    const attempt = order.attempts[index];
    const kind = attempt?.known?.at(-1 - (back % 2));
    if (!attempt || !kind) return;
    const said = report(kind, referenceOf(id, index + 1));
    const received = { ...said, reportId: `${said.reportId}${again}` };
    const by = { actor: { kind: 'system', name: 'test' } } as const;
    const receive = () =>
      verbs.database.transaction((tx) =>
        verbs.reports.receive(tx, by, { rail: 'sandbox', report: received, source: 'rail' }),
      );
    await Promise.all(Array.from({ length: times }, receive));
    order.hear(attempt, kind);
  });

function referenceOf(orderId: string, number: number): string {
  return `ORD${orderId.slice('ord_'.length)}${number === 1 ? '' : `-${number}`}`;
}

const at = fc.nat(4);
const fault = fc.constantFrom<Fault>('none', 'none', 'none', 'twice', 'cut-before', 'cut-after');
const workers = fc.integer({ min: 1, max: 3 });
const mode = fc.constantFrom<RailMode>('accept', 'accept', 'pay', 'pay', 'reject', 'silent', 'down');
const verbs = fc.constantFrom(...(Object.keys(decisions) as (keyof typeof decisions)[]));

const creation = fc.tuple(fc.constantFrom(0, 0, 0, 1, 2), fault).map((drawn) => create(...drawn));
const exactPayment = fc
  .tuple(at, fc.constant('exact' as const), fc.constantFrom(false, false, false, true), fault)
  .map((drawn) => pay(...drawn));
const advancing = fc.tuple(workers, fault).map((drawn) => advance(...drawn));
const sending = fc.tuple(workers, mode, fault).map((drawn) => send(...drawn));
const deciding = fc.tuple(at, verbs, fault).map((drawn) => decide(...drawn));

/** What matters most is named more than once, so that it is drawn more often. */
export const steps: fc.Arbitrary<Step>[] = [
  ...[creation, creation, exactPayment, exactPayment, advancing, advancing, sending, sending],
  ...[deciding, deciding, deciding],
  fc
    .tuple(at, fc.constantFrom('short' as const, 'over' as const), fc.boolean(), fault)
    .map((drawn) => pay(...drawn)),
  fc.tuple(at, fault).map((drawn) => cancel(...drawn)),
  fc.tuple(at, fc.nat(2), fault).map((drawn) => correct(...drawn)),
  fc.tuple(at, fault).map((drawn) => provide(...drawn)),
  at.map(changeLevel),
  fc.tuple(workers, fault).map((drawn) => expire(...drawn)),
  fc.constantFrom(1, 1, 23, 96, 168).map(wait),
  fc.tuple(at, fc.boolean()).map((drawn) => happen(...drawn)),
  fc
    .tuple(at, fc.nat(3), fc.constantFrom('', '.again'), fc.integer({ min: 1, max: 2 }))
    .map((drawn) => tell(...drawn)),
];
