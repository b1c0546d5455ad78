/** The screening lists change while orders are under way. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { useRemesa } from '../harness/remesa.js';
import { get } from './orders.js';
import { paid, reaches, TestPayouts, tryNow } from './paid-orders.js';

const folder = newFolder();
const file = join(folder, 'targets.simple.csv');
const payouts = new TestPayouts();
const running = useRemesa({
  settings: { SCREENING_LISTS: `opensanctions:${file}` },
  payouts,
  hasRates: true,
});

async function load(...names: readonly string[]): Promise<void> {
  const rows = names.map((name, index) => `"NK-${index}","Person","${name}","","","mx"`);
  writeFileSync(`${file}.new`, ['"id","schema","name","aliases","birth_date","countries"', ...rows, ''].join('\n'));
  renameSync(`${file}.new`, file);
  const isLoaded = async () => {
    const { json } = await running.api.get('/operator/screening/lists', { token: running.viewer });
    return JSON.stringify(json).includes(`"entries":${names.length},`);
  };
  await eventually(isLoaded, { what: 'the list' });
}

it('an order waits until the lists can be used, and one whose beneficiary is listed after its payment is reviewed', async () => {
  const waitsFor = (id: string, reason: string) =>
    eventually(async () => (await get(running, id)).json.pendingReason === reason, { what: reason });
  const first = await paid(running);
  await waitsFor(first, 'service_delay');
  expect(payouts.payoutsOf(first)).toBe(0);
  await load('Somebody Else');
  await tryNow(running, first);
  await reaches(running, first, 'PAYOUT_SUBMITTED');

  payouts.obstacle = 'corridor_paused';
  const second = await paid(running);
  await waitsFor(second, 'payout_route');
  await load('Somebody Else', 'Guadalupe Ortega Ruiz');
  payouts.obstacle = undefined;
  await tryNow(running, second);
  await reaches(running, second, 'IN_REVIEW');
  const { json } = await running.api.get(`/operator/orders/${second}/review`, { token: running.admin });
  expect(json).toMatchObject({ reasons: ['beneficiary_match'], findings: { hits: [] } });
  expect(payouts.payoutsOf(second)).toBe(0);
});
