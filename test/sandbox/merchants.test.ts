/** POST /sandbox/merchants */
import { expect, it } from 'vitest';
import { tokenOf } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';

const running = useRemesa();

it('makes a merchant with a clock, users and notifications of its own', async () => {
  const { token } = running.acme;
  const made = await running.api.post('/sandbox/merchants', { token, body: { name: 'Nightly tests' } });
  expect(made.status, made.text).toBe(200);
  const own = await tokenOf(running, made.json);
  expect((await running.api.get('/merchant/users', { token: own })).json).toEqual([]);
  await running.api.post('/sandbox/clock', { token: own, body: { advanceSeconds: 3600 } });
  expect((await running.api.get('/sandbox/clock', { token })).json.aheadSeconds).toBe(0);
  const other = await running.api.post('/sandbox/merchants', { token, body: {} });
  expect(other.json.clientId).not.toBe(made.json.clientId);
});
