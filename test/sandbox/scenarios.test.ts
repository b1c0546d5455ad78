import { expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { told } from '../harness/users.js';
import { eventsOf, placed, sender, useOrdersService } from '../orders/orders.js';

const running = useOrdersService();
const call = (path: string, token = running.acme.token) => running.api.get(path, { token });
const play = (key: string) =>
  running.api.post('/sandbox/scenarios', { token: running.acme.token, key, body: { name: 'happy_path' } });

it('plays the happy path once for a key, from a new user to a completed order with its events', async () => {
  expect((await call('/sandbox/scenarios')).json).toMatchObject([{ name: 'happy_path' }]);
  const [first, again] = [await play('k'), await play('k')];
  expect(first.json).toMatchObject({ name: 'happy_path', status: 'PAYMENT_RECEIVED', isFinished: false });
  expect(again.json.id).toBe(first.json.id);
  const path = `/sandbox/scenarios/runs/${first.json.id}`;
  await eventually(async () => (await call(path)).json.isFinished, { what: 'the end of the story' });
  const types = (await eventsOf(running, first.json.orderId)).map(({ type }) => type);
  expect([types[0], types.at(-1)]).toEqual(['order.awaiting_payment', 'order.completed']);
  expect((await call(`/kyc?userId=${first.json.userId}`)).json.kycLevels).toEqual(['LEVEL_1']);
  expect(told(await call(path, running.rival.token))).toEqual([404, 'scenario_run_not_found']);
  const own = await placed(running, await sender(running));
  expect(told(await call(`/sandbox/scenarios/runs/${own.id}`))).toEqual([404, 'scenario_run_not_found']);
});
