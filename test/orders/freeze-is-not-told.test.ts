/**
 * Two orders side by side: one is frozen or was stopped by a rule, the other is in an ordinary review. After every
 * step, everything that a merchant or a user can see of the two is equal, but for ids and moments.
 */
import { beforeAll, expect, it } from 'vitest';
import type { By } from '../../src/caller.js';
import { amount } from '../../src/money/amount.js';
import { lockOrder } from '../../src/orders/order/finding.js';
import { type Answer, done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { type MadeUser, userToken } from '../harness/users.js';
import { declare } from '../payments/mismatches.js';
import { newLink, visit } from '../transfer-page/links.js';
import { cancel, eventsOf, get, lupita, operate, placed, sender, verbsOf } from './orders.js';
import { loaded, pay, reaches, TestPayouts, tryNow, untilTried } from './paid-orders.js';

const payouts = new TestPayouts();
payouts.isPayoutWithdrawable = true;
const running = useRemesa({ payouts, hasRates: true });
const listed = { ...lupita, firstName: 'Iris', lastName: 'Blokwell' };

// What does not match goes back by itself, if nothing stops it.
beforeAll(() => declare(running, { over: 'refund', duplicate: 'refund', afterEnd: 'refund' }));

interface Watched {
  readonly id: string;
  readonly user: MadeUser;
  readonly isFrozen: boolean;
  /** What the merchant's own calls were answered. */
  readonly answers: unknown[];
  /** The ids of the payments that banks made. */
  readonly payments: string[];
  /** The page of the sender. */
  readonly page: string;
  /** Ends the block of the sender. */
  lift?: () => Promise<void>;
}
type Step = (order: Watched) => Promise<unknown>;

/** The freeze of the one, where the other is put under review. */
const stop: Step = (order) => operate(running, order.id, order.isFrozen ? 'freeze' : 'refer');
const freezeWithinReview: Step = async (order) => order.isFrozen && operate(running, order.id, 'freeze');
const release: Step = async (order) => order.isFrozen && operate(running, order.id, 'release');
const approve: Step = (order) => operate(running, order.id, 'approve');
const refuse: Step = (order) => operate(running, order.id, 'refuse', { reason: 'other' });
const ask: Step = (order) => operate(running, order.id, 'request-information', { items: ['purpose'] });
const becomes =
  (status: string): Step =>
  ({ id }) =>
    reaches(running, id, status);
const payOut: Step = async ({ id }) => {
  await untilTried(running, [id]);
  payouts.obstacle = undefined;
  await tryNow(running, id);
  await reaches(running, id, 'PAYOUT_SUBMITTED');
};

const byRail: By = { actor: { kind: 'system', name: 'payouts' } };
/** What the rail says about the payout. */
const reported =
  (what: 'fails' | 'comes back'): Step =>
  async ({ id }) => {
    const { payoutOutcomes, users } = await verbsOf(running);
    await running.service.database.transaction(async (tx) => {
      const order = await lockOrder(tx, users, await loaded(running, id));
      if (what === 'fails') {
        await payoutOutcomes.failPayout(tx, byRail, order, { rail: 'test', reason: 'payout_rejected' });
        return;
      }
      const charge = amount(order.amountOut.currency, 0n);
      const paidOut = await payoutOutcomes.completePayout(tx, byRail, order, { rail: 'test', bank: undefined, charge });
      const returned = { to: { rail: 'test' }, charge, reason: 'payout_returned' } as const;
      await payoutOutcomes.returnPayout(tx, byRail, paidOut, returned);
    });
  };

/** Everything a merchant can try, whether it is allowed now or not. */
const tryEverything: Step = async ({ id, user, answers }) => {
  const { token } = running.acme;
  const asMerchant = (path: string, body?: object) =>
    running.api.post(`/orders/${id}/${path}`, { token, ...(body ? { body } : {}) });
  const told = ({ status, json }: Answer) => answers.push({ status, ...json, requestId: 0, instance: 0 });
  told(await asMerchant('beneficiary', { beneficiary: lupita }));
  told(await asMerchant('information', { answers: [{ code: 'purpose', answer: 'A gift.' }] }));
  told(await running.api.call('DELETE', `/user?userId=${user.id}`, { token }));
  const paidAgain = await running.api.post('/sandbox/payments', {
    token,
    body: { orderId: id, amount: 100 },
  });
  answers.push([paidAgain.status, paidAgain.json.outcome, paidAgain.json.reason]);
};
const cancelTwice: Step = async ({ id, answers }) => {
  for (const { status, json } of [await cancel(running, id), await cancel(running, id)])
    answers.push({ status, ...json, requestId: 0, instance: 0 });
};

async function payIn({ id: orderId }: Pick<Watched, 'id'>, amount: number): Promise<string> {
  const body = { orderId, amount };
  return done(await running.api.post('/sandbox/payments', { token: running.acme.token, body })).id;
}

async function begin(isFrozen: boolean, beneficiary: object): Promise<Watched> {
  const user = await sender(running);
  const { id } = await placed(running, user, { body: { beneficiary } });
  const { url: page } = await newLink(running, id);
  return { id, user, isFrozen, answers: [], payments: [], page };
}

/** Paid, and then stopped by a closed rail: before the conversion, or after it. `parts`: by several payments. */
async function waiting(order: Watched, isConverted: boolean, parts: readonly number[] = []): Promise<void> {
  payouts.obstacle = isConverted ? undefined : 'rail_paused';
  payouts.closesAfter = isConverted ? 1 : undefined;
  for (const amount of parts) order.payments.push(await payIn(order, amount));
  if (parts.length === 0) await pay(running, order.id);
  await eventually(async () => (await get(running, order.id)).json.pendingReason === 'payout_route');
  await running.sql.query(`UPDATE orders SET try_at = now() + interval '1 hour' WHERE order_id = $1`, [order.id]);
}
const whilePaid: Step = (order) => waiting(order, false);
const whileConverted: Step = (order) => waiting(order, true);
const whilePaidByTwo: Step = (order) => waiting(order, false, [40, 60]);
const whileConvertedOfTwo: Step = (order) => waiting(order, true, [40, 60]);
/** The bank of the payer takes the first payment back. */
const takeBack: Step = async ({ id, payments: [first] }) => {
  const { admin: token } = running;
  const { version } = done(await running.api.get(`/operator/orders/${id}/review`, { token }));
  const line = { bankReference: `taken-${first}`, bookedAt: new Date().toISOString() };
  const body = { version, ...line, note: 'Disputed.' };
  const key = `taken-${first}`;
  done(await running.api.post(`/operator/payments/${first}/corrections/clawback`, { token, body, key }));
};
const payAtOnce: Step = async ({ id }) => {
  payouts.obstacle = undefined;
  await pay(running, id);
};

/** What the worker does after a step belongs to the step. */
const then =
  (...steps: readonly Step[]): Step =>
  async (order) => {
    for (const step of steps) await step(order);
  };
const reviewed = then(payAtOnce, becomes('IN_REVIEW'));

const stories: Record<string, { readonly beneficiary?: object; readonly steps: readonly Step[] }> = {
  'within a review that ends in a payout': {
    beneficiary: listed,
    steps: [...[reviewed, freezeWithinReview, tryEverything, release], then(approve, becomes('PAYOUT_SUBMITTED'))],
  },
  'within a review that ends in a refund': {
    beneficiary: listed,
    steps: [
      ...[reviewed, freezeWithinReview, cancelTwice, tryEverything, release],
      then(approve, becomes('REFUND_PENDING')),
    ],
  },
  'of a paid order': {
    steps: [...[whilePaid, stop, tryEverything, cancelTwice, release], then(refuse, becomes('REFUND_PENDING'))],
  },
  'of a converted order that is paid out after all': {
    steps: [whileConverted, stop, tryEverything, release, then(approve, becomes('CONVERTED'), payOut)],
  },
  'of an order that waits for information': {
    steps: [whilePaid, ask, stop, tryEverything, release, approve],
  },
  'of a paid order, of which a bank takes a payment back': {
    steps: [whilePaidByTwo, stop, takeBack, tryEverything, release, approve, becomes('AWAITING_PAYMENT')],
  },
  'of a converted order, of which a bank takes a payment back': {
    steps: [whileConvertedOfTwo, stop, takeBack, cancelTwice, release, then(approve, becomes('REFUND_PENDING'))],
  },
  'of a payout that was not sent yet': {
    steps: [then(whilePaid, payOut), stop, tryEverything, release, then(approve, becomes('PAYOUT_SUBMITTED'))],
  },
  'of an order whose payout failed': {
    steps: [then(whilePaid, payOut, reported('fails')), stop, tryEverything, cancelTwice, release, approve],
  },
  'of an order whose payout came back': {
    steps: [
      ...[then(whilePaid, payOut, reported('comes back')), stop, tryEverything, release],
      then(refuse, becomes('REFUND_PENDING')),
    ],
  },
  'of an order that is refunded': {
    steps: [whilePaid, cancelTwice, stop, tryEverything, release, approve],
  },
};

it.each(Object.entries(stories))('a freeze %s is not told by anything', async (_name, story) => {
  const { beneficiary = lupita, steps } = story;
  const ordinary = await begin(false, beneficiary);
  const frozen = await begin(true, beneficiary);
  for (const step of steps) {
    await step(ordinary);
    await step(frozen);
    expect(await seen(frozen)).toEqual(await seen(ordinary));
  }
});

/** The one is frozen because its sender is blocked; the other is put under review. */
const stopByBlock: Step = async (order) => {
  await whilePaid(order);
  if (!order.isFrozen) return operate(running, order.id, 'refer');
  const { admin: token } = running;
  const body = { kind: 'person', merchant: 'acme', userId: order.user.id, reason: 'A test.' };
  const { blockId } = (await running.api.post('/operator/blocks', { token, body })).json;
  const isFrozen = `SELECT FROM orders WHERE order_id = $1 AND state = 'FROZEN'`;
  await eventually(async () => (await running.sql.query(isFrozen, [order.id])).rowCount === 1, {
    what: 'a frozen order',
  });
  order.lift = async () => {
    expect(
      (await running.api.post(`/operator/blocks/${blockId}/lift`, { token, body: { note: 'A test.' } })).status,
    ).toBe(200);
    await operate(running, order.id, 'release');
  };
};
const liftBlock: Step = async ({ lift }) => lift?.();

it.each(
  Object.entries({
    'in a payout': [tryEverything, liftBlock, then(approve, becomes('PAYMENT_RECEIVED'), payOut)],
    'in a refund': [cancelTwice, tryEverything, liftBlock, then(refuse, becomes('REFUND_PENDING'))],
  }),
)('a block that ends %s is not told by anything', async (_name, steps) => {
  const ordinary = await begin(false, lupita);
  const blocked = await begin(true, lupita);
  for (const step of [stopByBlock, ...steps]) {
    await step(ordinary);
    await step(blocked);
    expect(await seen(blocked)).toEqual(await seen(ordinary));
  }
});

/** From now on the sender has the name of somebody who is listed. */
const listSender: Step = async ({ user }) => {
  const body = { firstName: 'Iris Sanctia', lastName: 'Blockwell' };
  done(await running.api.call('PATCH', `/user?userId=${user.id}`, { token: running.acme.token, body }));
};
const decideHit =
  (verbs: { readonly frozen?: 'confirm'; readonly ordinary?: 'dismiss' }): Step =>
  async ({ user, isFrozen }) => {
    const verb = isFrozen ? verbs.frozen : verbs.ordinary;
    const { admin: token } = running;
    const [hit] = done(await running.api.get(`/operator/screening/hits?userId=${user.id}`, { token }));
    const body = { note: 'A test.' };
    if (verb) done(await running.api.post(`/operator/screening/hits/${hit.id}/${verb}`, { token, body }));
  };

it('a confirmed hit is not told by anything about the order, also not by its refund', async () => {
  const ordinary = await begin(false, lupita);
  const confirmed = await begin(true, lupita);
  const steps = [
    ...[then(listSender, reviewed), decideHit({ frozen: 'confirm' }), tryEverything, cancelTwice],
    then(release, decideHit({ ordinary: 'dismiss' }), refuse, becomes('REFUND_PENDING')),
  ];
  for (const step of steps) {
    await step(ordinary);
    await step(confirmed);
    // That the level was revoked is told, with a reason that says no more than COMPLIANCE.
    const [one, other] = await Promise.all([seen(ordinary), seen(confirmed)]);
    expect({ ...other, limits: 0, exports: 0 }).toEqual({ ...one, limits: 0, exports: 0 });
  }
});

/** The one is stopped by a rule, the other by an operator. */
const stopByRule: Step = async (order) => {
  if (!order.isFrozen) {
    await whilePaid(order);
    await operate(running, order.id, 'refer');
    return;
  }
  const { admin: token } = running;
  const parameters = { fromUsd: 1 };
  const body = { kind: 'amount', parameters };
  const { ruleId, version } = (await running.api.post('/operator/rules', { token, body })).json;
  await reviewed(order);
  const off = { parameters, isEnabled: false, version };
  expect((await running.api.call('PUT', `/operator/rules/${ruleId}`, { token, body: off })).status).toBe(200);
};
const answerInParts: Step = async ({ id, answers }) => {
  for (const code of ['purpose', 'relationship']) {
    const body = { answers: [{ code, answer: 'A gift.' }] };
    const { status, json } = await running.api.post(`/orders/${id}/information`, {
      token: running.acme.token,
      body,
    });
    answers.push({ status, ...json, requestId: 0, instance: 0 });
  }
};
const askTwoThings: Step = (order) =>
  operate(running, order.id, 'request-information', { items: ['purpose', 'relationship'] });

const endings: Record<string, readonly Step[]> = {
  'in a payout': [tryEverything, then(approve, becomes('PAYOUT_SUBMITTED'))],
  'in a refund, after information that came in parts': [
    ...[askTwoThings, answerInParts, cancelTwice],
    then(refuse, becomes('REFUND_PENDING')),
  ],
};

it.each(Object.entries(endings))('a review by a rule that ends %s is not told by anything', async (_name, steps) => {
  const ordinary = await begin(false, lupita);
  const ruled = await begin(true, lupita);
  for (const step of [stopByRule, ...steps]) {
    await step(ordinary);
    payouts.obstacle = undefined;
    await step(ruled);
    expect(await seen(ruled)).toEqual(await seen(ordinary));
  }
});

/** Everything that can be seen of an order, with ids and moments replaced by what they are for the order. */
async function seen({ id, user, answers, payments, page }: Watched): Promise<Record<string, unknown>> {
  const { token } = running.acme;
  const ofUser = await userToken(running, running.acme, user);
  const read = async (path: string, as = token) => (await running.api.get(path, { token: as })).json;
  const order = await read(`/orders/${id}`);
  const day = order.createdAt.slice(0, 10);
  const report = (await running.api.get(`/merchant/reports/orders?day=${day}`, { token })).text;
  const movements = (await running.api.get(`/merchant/reports/movements?day=${day}`, { token })).text;
  const told = JSON.stringify({
    order,
    toUser: await read(`/orders/${id}`, ofUser),
    timeline: await read(`/orders/${id}/timeline`),
    beneficiary: await read(`/orders/${id}/beneficiary`),
    lists: [
      await read('/orders', ofUser),
      await read(`/merchant/orders?userId=${user.id}&status=${order.status}`),
      await read(`/merchant/orders?userId=${user.id}&updatedSince=${order.updatedAt}`),
    ],
    limits: await read('/user/limits', ofUser),
    exports: [
      { ...(await read('/user/export', ofUser)), exportedAt: '' },
      (await read(`/user/export?userId=${user.id}`)).orders,
    ],
    events: await eventsOf(running, id),
    report: report.split('\r\n').filter((line) => line.startsWith(id)),
    movements: movements.split('\r\n').filter((line) => line.includes(id)),
    payouts: await read(`/orders/${id}/payouts`),
    receipt: { ...(await read(`/orders/${id}/receipt`)), proof: '', requestId: '', instance: '' },
    page: (await visit(page)).text.replaceAll(/\bRF\d\d[ 0-9A-Z]{4,}|\d+:\d\d/g, ''),
    answers,
  });
  // A refund is as old as its transition, give or take a millisecond.
  const text = told.replaceAll(/("id":"rfd_[^}]*?)"createdAt":"[^"]*","updatedAt":"[^"]*"/g, '$1"at":0');
  const times = [...new Set(text.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [])].sort();
  let plain = text;
  for (const [rank, time] of times.entries()) plain = plain.replaceAll(time, `time ${rank}`);
  for (const own of [...payments, order.id, order.rateCode, order.payIn.reference])
    plain = plain.replaceAll(own, 'own');
  plain = plain.replaceAll(/rfd_[0-9A-Z]{26}/g, 'refund').replaceAll(/kyc_[0-9A-Z]{26}/g, 'case');
  return JSON.parse(plain.replaceAll(String(user.id), '0'));
}

const rename = async ({ user }: Watched, body: object) =>
  done(await running.api.call('PATCH', `/user?userId=${user.id}`, { token: running.acme.token, body }));
/** The one sender is politically exposed, the other may be on a list of sanctions. */
const nameSender: Step = async (order) =>
  order.isFrozen ? rename(order, { firstName: 'Petra Exposita', lastName: 'Ministress' }) : listSender(order);
/** The one sender is a high risk, the other may be on a list of sanctions. */
const raiseRisk: Step = async (order) => {
  if (!order.isFrozen) return listSender(order);
  await rename(order, { firstName: 'Benita', lastName: 'Cordial' });
  const [path, { reviewer: token }] = [`/operator/users/${order.user.id}/risk`, running];
  const { version } = done(await running.api.get(`${path}?merchant=acme`, { token }));
  const body = { merchant: 'acme', band: 'high', note: 'A test.', version };
  return done(await running.api.post(path, { token, body }));
};

/** What each merchant has called the own sender is on the receipt. */
const seenWithoutName = async (order: Watched) =>
  JSON.parse(
    JSON.stringify(await seen(order))
      .replaceAll(/Iris Sanctia|Petra Exposita|Benita/g, 'first')
      .replaceAll(/Blockwell|Ministress|Cordial/g, 'last'),
  );

it.each(
  Object.entries({
    'that the sender is politically exposed': [nameSender, decideHit({ frozen: 'confirm', ordinary: 'dismiss' })],
    'that the sender is a high risk': [raiseRisk, decideHit({ ordinary: 'dismiss' })],
  } satisfies Record<string, readonly [Step, Step]>),
)('nothing tells %s: it looks like any review', async (_what, [mark, decided]) => {
  const ordinary = await begin(false, lupita);
  const marked = await begin(true, lupita);
  const end = then(refuse, becomes('REFUND_PENDING'));
  for (const step of [then(mark, reviewed), tryEverything, decided, cancelTwice, end]) {
    await step(ordinary);
    await step(marked);
    expect(await seenWithoutName(marked)).toEqual(await seenWithoutName(ordinary));
  }
});
