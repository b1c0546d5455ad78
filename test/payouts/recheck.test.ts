/** A payout that waits is decided anew before it leaves: by the worker, by hand, and by operators who stop it. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../src/worker/worker.js';
import { operatorTokens } from '../harness/access.js';
import type { Answer } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { moveClock } from '../kyc/kyc-service.js';
import { openBankAccounts } from '../ledger/bank-accounts.js';
import { eventsOf, get, lupita } from '../orders/orders.js';
import { paid, reaches } from '../orders/paid-orders.js';

const folder = newFolder();
const file = join(folder, 'targets.simple.csv');
const held = ['payouts.send', 'orders.expire'];
const jobs = new Map<string, Job>();
const running = useRemesa({
  settings: {
    SCREENING_LISTS: `opensanctions:${file}`,
    FOUR_EYES: 'order.correct,order.release',
    PAYOUT_RAILS: 'manual=bank_account/MXN,sandbox=cash_pickup/MXN',
  },
  hasRates: true,
  chooseJobs: (all) => {
    for (const job of all) jobs.set(job.name, job);
    return all.filter(({ name }) => !held.includes(name));
  },
});
const { sql } = running;
let tokens: Readonly<Record<string, string>> = {};

/** The list only grows: one that lost much would be refused. */
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

beforeAll(async () => {
  tokens = await operatorTokens(running, { rita: 'reviewer', rob: 'reviewer', root: 'admin' });
  await openBankAccounts(running, 'bank:MXN:mexico');
  await load('Somebody Else');
});

let keys = 0;
function operate(path: string, body: unknown, login = 'rita'): Promise<Answer> {
  keys += 1;
  return running.api.post(`/operator/${path}`, { token: tokens[login] ?? '', body, key: `recheck-${keys}` });
}
const run = (name: string) => jobs.get(name)?.run(AbortSignal.timeout(30_000));
const attemptsOf = async (id: string) =>
  (await sql.query('SELECT * FROM payout_attempts WHERE order_id = $1 ORDER BY number', [id])).rows;
const versionOf = async (id: string) =>
  (await sql.query('SELECT version FROM orders WHERE order_id = $1', [id])).rows[0].version;
const tasks = async (kind: string): Promise<string[]> => {
  const { json } = await running.api.get(`/operator/tasks?kind=${kind}&limit=200`, { token: running.viewer });
  return json.map(({ path }: { path: string }) => path.split('/').at(-1));
};

/** An order whose payout is decided, and which nobody has sent. */
async function waiting(method: 'bank_account' | 'cash_pickup', lastName = 'Ortega Ruiz') {
  const account = method === 'cash_pickup' ? { phoneNumber: '+525512345678' } : lupita.account;
  const id = await paid(running, { body: { beneficiary: { ...lupita, lastName, method, account } } });
  await reaches(running, id, 'PAYOUT_SUBMITTED');
  const [attempt] = await attemptsOf(id);
  return { id, attemptId: attempt.attempt_id as string };
}
const submit = async (attemptId: string) => {
  const { rows } = await sql.query('SELECT version FROM payout_attempts WHERE attempt_id = $1', [attemptId]);
  return operate(`payouts/${attemptId}/submitted`, { version: rows[0].version });
};

describe('when the beneficiary is on a list that came since', () => {
  it('the worker sends nothing, the order is reviewed, and an approval makes a new payout', async () => {
    const { id } = await waiting('cash_pickup', 'Zorrilla Quintanar');
    await load('Somebody Else', 'Guadalupe Zorrilla Quintanar');
    await run('payouts.send');
    await reaches(running, id, 'IN_REVIEW');
    const review = await running.api.get(`/operator/orders/${id}/review`, { token: running.admin });
    expect(review.json).toMatchObject({ reasons: ['beneficiary_match'] });
    expect((await sql.query('SELECT FROM sandbox_payouts')).rowCount).toBe(0);
    const approved = await operate(`orders/${id}/approve`, { version: await versionOf(id), note: 'Another person.' });
    expect([200, 202]).toContain(approved.status);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    await run('payouts.send');
    expect((await attemptsOf(id)).map(({ state }) => state)).toEqual(['RECALLED', 'ACCEPTED']);
  });

  it('nobody can record that the bank is instructed, and the order is reviewed', async () => {
    const { id, attemptId } = await waiting('bank_account', 'Echeverria Bustamante');
    await load('Somebody Else', 'Guadalupe Zorrilla Quintanar', 'Guadalupe Echeverria Bustamante');
    expect(told(await submit(attemptId))).toEqual([409, 'payout_stopped']);
    await reaches(running, id, 'IN_REVIEW');
    expect((await attemptsOf(id)).map(({ state }) => state)).toEqual(['RECALLED']);
    expect(await tasks('payout_to_make')).not.toContain(attemptId);
  });
});

describe('operators stop a payout that nobody was instructed to make', () => {
  it('a freeze and a review stop it, which merchants cannot tell apart; an approval makes a new payout', async () => {
    const [frozen, referred] = [await waiting('bank_account'), await waiting('bank_account')];
    expect((await operate(`orders/${frozen.id}/freeze`, { note: 'Request 4711.' })).status).toBe(200);
    expect((await operate(`orders/${referred.id}/refer`, { note: 'Look.' })).status).toBe(200);
    const shown = async (id: string) => {
      const order = (await get(running, id)).json;
      const types = (await eventsOf(running, id)).map(({ type, previousStatus }) => [type, previousStatus]);
      return { status: order.status, version: order.version, types };
    };
    expect(await shown(frozen.id)).toEqual(await shown(referred.id));
    for (const { attemptId } of [frozen, referred])
      expect(told(await submit(attemptId))).toEqual([409, 'payout_not_recordable']);
    const released = await operate(`orders/${frozen.id}/release`, { note: 'It is over.' });
    expect((await operate(`approvals/${released.json.approvalId}/approve`, undefined, 'rob')).status).toBe(200);
    for (const { id } of [frozen, referred]) {
      const decision = { version: await versionOf(id), note: 'Fine.' };
      expect((await operate(`orders/${id}/approve`, decision)).status).toBe(200);
      await reaches(running, id, 'PAYOUT_SUBMITTED');
      expect((await attemptsOf(id)).map(({ state }) => state)).toEqual(['RECALLED', 'READY']);
    }
  });

  it('nothing stops it once the bank is instructed', async () => {
    const { id, attemptId } = await waiting('bank_account');
    expect((await submit(attemptId)).status).toBe(200);
    for (const verb of ['freeze', 'refer'])
      expect(told(await operate(`orders/${id}/${verb}`, { note: 'Too late.' }))).toEqual([
        ...[409, 'order_transition_not_allowed'],
      ]);
  });

  it('nobody instructs the bank in a pause and no task says so, but what the bank has done is recorded', async () => {
    const { attemptId } = await waiting('bank_account');
    const pause = { kind: 'corridor', name: 'USD-MXN' };
    expect((await operate('pauses', { ...pause, note: 'A sanction.' })).status).toBe(200);
    expect(await tasks('payout_to_make')).not.toContain(attemptId);
    const refused = await submit(attemptId);
    expect([told(refused), refused.json.detail]).toEqual([
      [409, 'payout_stopped'],
      expect.stringMatching(/^rita has paused payouts here since 20\S+Z: A sanction\.$/),
    ]);
    const line = { bankReference: 'PAID-IN-A-PAUSE', bookedAt: '2026-11-15T09:41:00.000Z', bank: 'mexico' };
    expect((await operate(`payouts/${attemptId}/paid`, { version: 1, ...line })).status).toBe(200);
    expect((await operate('pauses/resume', pause)).status).toBe(200);
  });
});

describe('while a late proof waits for a second operator', () => {
  it('nothing is paid again and nothing goes back by itself', async () => {
    const { id, attemptId } = await waiting('bank_account');
    expect((await operate(`payouts/${attemptId}/failed`, { version: 1, reason: 'AC01' })).status).toBe(200);
    const items = ['beneficiary_details'];
    expect((await operate(`orders/${id}/request-information`, { items, note: 'Correct it.' })).status).toBe(200);
    const line = { bankReference: 'LATE', bookedAt: '2026-11-15T09:41:00.000Z', bank: 'mexico' };
    const asked = await operate(`payouts/${attemptId}/prove-paid`, { version: 2, note: 'See the statement.', ...line });
    expect(asked.status, asked.text).toBe(202);
    await moveClock(running, running.acme, '8 days');
    await run('orders.expire');
    expect((await get(running, id)).json.status).toBe('ACTION_REQUIRED');
    const approve = `approvals/${asked.json.approvalId}/approve`;
    const proved = await operate(approve, undefined, 'rob');
    expect(proved.status, proved.text).toBe(200);
    expect((await get(running, id)).json.status).toBe('COMPLETED');
  });
});
