/** Orders in a currency that no source has a rate to US dollars for. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { quote } from '../rates/quoting.js';
import { lupita, place, sender } from './orders.js';

const folder = newFolder();
const file = join(folder, 'rates.json');
const today = new Date().toISOString().slice(0, 10);
writeFileSync(file, `{"base": "EUR", "publishedAt": "${today}", "rates": {"MXN": 20.3203}}`);

const running = useRemesa({ settings: { RATE_SOURCES: `file=${file}` } });

it('are refused with 503, in a preflight too, and the quote stays unused', async () => {
  const user = await sender(running);
  const rateCode = await eventually(
    async () => {
      const quoted = await quote(running, { fiatIn: 'EUR' });
      return quoted.status === 200 ? quoted.json.code : undefined;
    },
    { withinMs: 30_000, what: 'a quote from euros to pesos' },
  );
  const { token } = running.acme;
  const body = { rateCode, beneficiary: lupita, purpose: 'gift' };
  const preflight = await running.api.post(`/orders/preflight?userId=${user.id}`, { token, body });
  expect(preflight.json).toMatchObject({
    accepted: false,
    problems: [{ code: 'rates_unavailable', status: 503 }],
    amountUsd: null,
  });
  const answer = await place(running, user, { body: { rateCode } });
  expect(told(answer)).toEqual([503, 'rates_unavailable']);
  expect(answer.headers.get('retry-after')).toBe('60');
  expect((await running.api.get(`/rates/${rateCode}`, { token })).json.status).toBe('open');
});
