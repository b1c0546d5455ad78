import { beforeAll, expect, it } from 'vitest';
import { scenarios } from '../../src/sandbox/scenarios/stories.js';
import { eventually } from '../harness/eventually.js';
import { useReceiver } from '../harness/receiver.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { told } from '../harness/users.js';
import { balancesOf } from '../orders/paid-orders.js';
import { verifiesAsymmetric } from '../webhooks/verifying.js';

const receiver = useReceiver();
const running = useRemesa({ hasRates: true });
const names = scenarios.map(({ name }) => name);
const call = (path: string, token = running.acme.token) => running.api.get(path, { token });
const play = async (name: string, key?: string) =>
  running.api.post('/sandbox/scenarios', {
    ...{ token: running.acme.token, body: { name } },
    ...(key === undefined ? {} : { key }),
  });

beforeAll(async () => {
  for (const channel of ['order', 'kyc']) {
    const path = `/merchant/webhook/${channel}-notification`;
    await running.api.post(path, { token: running.acme.token, body: { url: `${receiver.url}/${channel}` } });
  }
});

it('lists what each story teaches, its steps, and the events to expect', async () => {
  const { json } = await call('/sandbox/scenarios');
  expect(json.map(({ name }: { name: string }) => name)).toEqual(names);
  expect(json[5]).toMatchObject({
    name: 'cancelled_before_payment',
    teaches: 'A cancellation without a refund.',
    events: { order: ['order.awaiting_payment', 'order.cancelled'] },
    endsAs: 'CANCELLED',
  });
});

it('plays all stories at once, and again afterwards, with the events, the timeline and the ledger that each promises', {
  timeout: 400_000,
}, async () => {
  const again = names.filter((_, index) => index % rounds(4, 1) === 0);
  const runs = [...(await playAll(names)), ...(await playAll(again))];
  expect(new Set(runs.map(({ userId }) => userId)).size).toBe(runs.length);
  const expected = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
  await eventually(async () => (await orderEvents()).length === orderEventsOf(runs), { what: 'all events' });
  const events = await orderEvents();
  for (const { name, orderId, status } of runs) {
    const own = events.filter(({ data }) => data.object.id === orderId);
    expect([name, own.map(({ type }) => type)]).toEqual([name, expected.get(name)?.events.order]);
    expect([name, status]).toEqual([name, expected.get(name)?.endsAs]);
    const timeline = (await call(`/orders/${orderId}/timeline`)).json;
    const told = own.map(({ data }) => [data.object.status, data.object.updatedAt]);
    // biome-ignore lint/suspicious/noExplicitAny: the timeline as JSON.
    expect([name, told]).toEqual([name, timeline.map(({ status: then, at }: any) => [then, at])]);
    const balances = Object.keys(await balancesOf(running, orderId));
    expect([name, balances.filter((account) => /^(liability|payout|refund|payin)/.test(account))]).toEqual([name, []]);
  }
  await allArrived(events);
});

it('begins one run for a key, and shows it to its merchant only', async () => {
  const [first, again] = [await play('happy_path', 'k'), await play('happy_path', 'k')];
  expect(again.json.id).toBe(first.json.id);
  const path = `/sandbox/scenarios/runs/${first.json.id}`;
  expect(told(await call(path, running.rival.token))).toEqual([404, 'scenario_run_not_found']);
  expect(await ended(first.json.id)).toMatchObject({ isFinished: true, stepsDone: 5, stepsInAll: 5 });
  const [kyc] = (await call(`/kyc/cases?userId=${(await call(path)).json.userId}`)).json;
  expect(kyc.status).toBe('APPROVED');
});

it('says which step failed, and why', async () => {
  const token = running.rival.token;
  const { json } = await running.api.post('/sandbox/scenarios', {
    token,
    body: { name: 'dead_receiver_heals' },
  });
  const failed = await eventually(async () => {
    const run = (await call(`/sandbox/scenarios/runs/${json.id}`, token)).json;
    return run.failure === undefined ? undefined : run;
  });
  expect(failed).toMatchObject({ isFinished: false, stepsDone: 0 });
  expect(failed.failure).toMatch(/^The next 5 notifications about orders are lost: webhook_not_registered/);
});

it('refuses what cannot happen to an order, and what is not the merchant’s', async () => {
  const { orderId } = await ended((await play('happy_path')).json.id);
  const cause = (type: string, token = running.acme.token) =>
    running.api.post(`/sandbox/orders/${orderId}/events`, { token, body: { type } });
  expect(told(await cause('refund_paid'))).toEqual([409, 'simulated_event_impossible']);
  expect(told(await cause('payout_rejected'))).toEqual([409, 'simulated_event_impossible']);
  expect(told(await cause('review_approved'))).toEqual([409, 'order_transition_not_allowed']);
  expect(told(await cause('time_ran_out'))).toEqual([409, 'order_transition_not_allowed']);
  expect(told(await cause('payout_returned', running.rival.token))).toEqual([404, 'order_not_found']);
  expect((await cause('payout_returned')).json).toMatchObject({
    ...{ status: 'RETURNED', statusReason: 'beneficiary_account_closed' },
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the runs as JSON, which the tests examine.
async function playAll(chosen: readonly string[]): Promise<any[]> {
  const begun = await Promise.all(chosen.map((name) => play(name)));
  const runs = [];
  // One after the other, because asking about all of them all the time would slow them down.
  for (const { json } of begun) runs.push(await ended(json.id));
  expect(runs.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure}`]))).toEqual([]);
  return runs;
}

// biome-ignore lint/suspicious/noExplicitAny: the run as JSON, which the tests examine.
function ended(id: string): Promise<any> {
  const probe = async () => {
    const run = (await call(`/sandbox/scenarios/runs/${id}`)).json;
    return run.isFinished || run.failure !== undefined ? run : undefined;
  };
  return eventually(probe, { withinMs: 150_000, everyMs: 200, what: `the end of ${id}` });
}

function orderEventsOf(runs: readonly { name: string }[]): number {
  const counts = new Map(scenarios.map(({ name, events }) => [name, events.order.length]));
  return runs.reduce((sum, { name }) => sum + (counts.get(name) ?? 0), 0);
}

// biome-ignore lint/suspicious/noExplicitAny: events as JSON.
async function orderEvents(): Promise<any[]> {
  const pages = [];
  for (let after = 0; ; ) {
    const page = (await call(`/events?channel=order&limit=100&after=${after}`)).json;
    pages.push(...page);
    if (page.length < 100) return pages;
    after = page.at(-1).data.sequence;
  }
}

/** Each event came, signed; what came has every number once. */
async function allArrived(events: readonly { id: string }[]): Promise<void> {
  const arrivals = () => receiver.received.filter(({ path }) => path === '/order');
  const ids = () => new Set(arrivals().map(({ headers }) => headers['webhook-id']));
  await eventually(() => ids().size === events.length, { what: 'all notifications' });
  const [key] = (await call('/merchant/webhook')).json.keys;
  for (const { headers, body } of arrivals()) {
    expect(verifiesAsymmetric(headers, body, key.publicKey ?? key)).toBe(true);
  }
  const sequences = new Set(arrivals().map(({ body }) => JSON.parse(body).data.sequence as number));
  expect([...sequences].sort((a, b) => a - b)).toEqual(events.map((_, index) => index + 1));
}
