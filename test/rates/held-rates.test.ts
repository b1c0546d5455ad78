import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { boardChanged } from '../../src/rates/board/rate-state.js';
import { auditRows, newMerchant, operatorTokens, type Running, tokenOf, useNodes } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { told } from '../harness/users.js';

const folder = newFolder();
const { sql, startNode } = useNodes();
const path = join(folder, 'rates.json');
let node: Running;
let acme: string;
let admin: string;
let viewer: string;
let minutesAgo = 600;

/** Writes a second file and renames it, as the guide recommends. */
function write(text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

function publish(base: string, rates: Record<string, number>): void {
  minutesAgo -= 1;
  const publishedAt = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  write(JSON.stringify({ base, publishedAt, rates }));
}

beforeAll(async () => {
  publish('EUR', { USD: 1.1, MXN: 20 });
  const settings = { QUOTES_PER_MINUTE: '1000000', RATE_SOURCES: `file=${path}` };
  node = await startNode({ settings });
  const { database } = node.service;
  await setTerms('quote', 2000);
  acme = await tokenOf(node, await newMerchant(database, 'acme'));
  ({ ana: admin, vic: viewer } = await operatorTokens(node, { ana: 'admin', vic: 'viewer' }));
  await eventually(async () => (await quote()).status === 200, { withinMs: 30_000 });
});

/** Of all corridors. */
async function setTerms(onHold: 'close' | 'quote', toleranceBasisPoints: number): Promise<void> {
  const values = [onHold, toleranceBasisPoints];
  await sql.query('UPDATE corridors SET on_hold = $1, rate_tolerance_basis_points = $2', values);
  await node.service.database.transaction(async (tx) => tx.wake(boardChanged));
}

const quote = (fiatIn = 'EUR', fiatOut = 'MXN') =>
  node.api.post('/rates', { token: acme, body: { fiatIn, fiatOut, amountIn: 100 } });
const midOf = async (fiatIn = 'EUR', fiatOut = 'MXN') => {
  const { json } = await quote(fiatIn, fiatOut);
  return (await node.api.get(`/rates/${json.code}`, { token: acme })).json.madeOf?.midMarketRate;
};
const board = async () => (await node.api.get('/operator/rates', { token: viewer })).json;
const heldNow = async () => (await board()).held.map(({ currency, rate }: never) => `${currency} ${rate}`).toSorted();
const decide = (currency: string, verdict: 'accept' | 'refuse', body?: unknown, token = admin) =>
  node.api.post(`/operator/rates/file-1/${currency}/${verdict}`, { token, ...(body ? { body } : {}) });
const heldGauge = async (kind: string) =>
  Number(
    new RegExp(`^remesa_held_rates\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(
      (await node.anywhere.get('/metrics')).text,
    )?.[1],
  );
const linesWith = (words: string) =>
  node
    .logText()
    .split('\n')
    .filter((line) => line.includes(words));

describe('a file of rates', () => {
  it('is read within seconds of a change, also after it was malformed', async () => {
    publish('EUR', { USD: 1.1, MXN: 20.5 });
    await eventually(async () => (await midOf()) === 20.5, { withinMs: 20_000 });
    write('{"base":"EUR"');
    await eventually(async () => (await board()).sources[0].fault?.startsWith('malformed'), {
      withinMs: 20_000,
    });
    publish('EUR', { USD: 1.1, MXN: 20 });
    await eventually(async () => (await midOf()) === 20, { withinMs: 20_000 });
    expect((await board()).sources[0].fault).toBeUndefined();
  });

  it('is read when an operator asks for it, and only a source that exists can be asked', async () => {
    const collect = (source: string, token = admin) =>
      node.api.post(`/operator/rates/sources/${source}/collect`, { token });
    const before = (await board()).sources[0].checkedAt;
    expect(told(await collect('file-1'))).toEqual([200, '']);
    await eventually(async () => (await board()).sources[0].checkedAt !== before, { withinMs: 20_000 });
    expect(told(await collect('file-2'))).toEqual([404, 'rate_source_not_found']);
    expect(told(await collect('file-1', viewer))).toEqual([403, 'role_missing']);
    expect(await auditRows(sql, 'rate_source.%')).toMatchObject([{ subject: 'rate_source:file-1' }]);
  });

  it('changes no quote when a new base makes the peso 500 times cheaper, and is logged and counted once', async () => {
    expect(await heldGauge('figure')).toBe(0);
    publish('MXN', { EUR: 0.0001, USD: 0.00011 });
    await eventually(async () => (await board()).held.length === 2, { withinMs: 20_000 });
    expect(await midOf()).toBe(20);
    const euro = (await board()).held.find(({ currency }: { currency: string }) => currency === 'EUR');
    expect(euro).toMatchObject({ base: 'MXN', rate: '0.0001' });
    expect(euro.corridors).toContainEqual({
      fiatIn: 'EUR',
      fiatOut: 'MXN',
      acceptedRate: '20',
      newRate: '10000',
      changePercent: 49900,
    });
    expect(await heldGauge('figure')).toBe(2);
    expect(await heldGauge('corridor')).toBe(0);
    const checked = (await board()).sources[0].checkedAt;
    publish('MXN', { EUR: 0.0001, USD: 0.00011 });
    await eventually(async () => (await board()).sources[0].checkedAt !== checked, { withinMs: 20_000 });
    expect(linesWith('a rate jumped and is held')).toHaveLength(2);
    for (const currency of ['EUR', 'USD']) expect(told(await decide(currency, 'refuse'))).toEqual([200, '']);
    expect(await heldGauge('figure')).toBe(0);
  });
});

describe('a held rate', () => {
  it('is accepted only by an operator who names the figure that is held now', async () => {
    publish('EUR', { USD: 1.1, MXN: 30 });
    await eventually(async () => (await heldNow()).join() === 'MXN 30', { withinMs: 20_000 });
    publish('EUR', { USD: 1.1, MXN: 31 });
    await eventually(async () => (await heldNow()).join() === 'MXN 31', { withinMs: 20_000 });

    const late = await decide('MXN', 'accept', { rate: '30' });
    expect(told(late)).toEqual([409, 'held_rate_changed']);
    expect(late.json).toMatchObject({ rate: '30', heldRate: '31' });
    const otherBase = await decide('MXN', 'accept', { rate: '31', base: 'USD' });
    expect(told(otherBase)).toEqual([409, 'held_rate_changed']);
    const silent = await node.anywhere.post('/operator/rates/file-1/MXN/accept', { token: admin, body: {} });
    expect(told(silent)).toEqual([400, 'invalid_fields']);
    expect(silent.json.errors).toMatchObject([{ field: 'rate', code: 'required' }]);
    expect(await heldNow()).toEqual(['MXN 31']);
    expect(await midOf()).toBe(20);

    expect(told(await decide('MXN', 'accept', { rate: '31.0', base: 'EUR' }))).toEqual([200, '']);
    // The node that answered quotes the rate at once.
    expect(await midOf()).toBe(31);
    expect(await heldNow()).toEqual([]);
    expect(await auditRows(sql, 'rate.accepted')).toMatchObject([
      { subject: 'rate:file-1:MXN', details: { rate: '31', previousRate: '20' } },
    ]);
  });

  it('becomes the rate that later ones are compared with', async () => {
    publish('EUR', { USD: 1.1, MXN: 35 });
    await eventually(async () => (await midOf()) === 35, { withinMs: 20_000 });
    expect(await heldNow()).toEqual([]);
  });
});

describe('a corridor that closes while its rate is held', () => {
  const isListedOpen = async () => {
    const [corridor] = (await node.api.get('/corridors?fiatIn=EUR&fiatOut=MXN', { token: acme })).json;
    return corridor.isOpen;
  };

  it('refuses quotes with corridor_unavailable and looks closed, until an operator has decided', async () => {
    await setTerms('close', 1000);
    await eventually(async () => (await midOf()) === 35, { withinMs: 20_000 });
    expect(await isListedOpen()).toBe(true);
    publish('EUR', { USD: 1.1, MXN: 39 });
    const refused = await eventually(
      async () => {
        const answer = await quote();
        return answer.status === 200 ? undefined : answer;
      },
      { withinMs: 20_000 },
    );
    expect(told(refused)).toEqual([422, 'corridor_unavailable']);
    expect(refused.json.detail).toContain('its rate is unclear');
    expect(await isListedOpen()).toBe(false);
    // Other corridors go on.
    expect((await quote('USD', 'EUR')).status).toBe(200);
    expect((await quote('USD', 'MXN')).status).toBe(422);
    expect(told(await decide('MXN', 'accept', { rate: '39' }))).toEqual([200, '']);
    expect([await midOf(), await isListedOpen()]).toEqual([39, true]);
    publish('EUR', { USD: 1.1, MXN: 20 });
    await eventually(async () => (await quote()).status === 422, { withinMs: 20_000 });
    expect(told(await decide('MXN', 'refuse'))).toEqual([200, '']);
    await eventually(async () => (await midOf()) === 39, { withinMs: 20_000 });
    publish('EUR', { USD: 1.1, MXN: 39 });
    await setTerms('quote', 2000);
  });
});

describe('a source that fails', () => {
  it('has metrics, is a task after an hour, and is none any more when it works again', async () => {
    const metric = async (name: string) =>
      new RegExp(`^${name}\\{source="file-1"\\} (\\S+)$`, 'm').exec((await node.anywhere.get('/metrics')).text)?.[1];
    const tasks = async () => (await node.api.get('/operator/tasks?kind=rate_source_failing', { token: viewer })).json;
    publish('EUR', { USD: 1.1, MXN: 39 });
    await eventually(async () => (await metric('remesa_rate_source_failing')) === '0', { withinMs: 20_000 });
    const isAge = (seconds: number) => seconds > 0 && Math.abs(seconds - minutesAgo * 60) < 60;
    await eventually(async () => isAge(Number(await metric('remesa_rate_age_seconds'))), { withinMs: 20_000 });
    write('{"base":"EUR"');
    await eventually(async () => (await metric('remesa_rate_source_failing')) === '1', { withinMs: 20_000 });
    expect(linesWith('rate source failed').at(-1)).toContain('"fault":"malformed: ');
    expect(await tasks()).toEqual([]);
    await sql.query(
      `UPDATE rate_sources SET failing_since = failing_since - interval '1 hour' WHERE source = 'file-1'`,
    );
    const [task] = await tasks();
    expect(task.summary).toContain('Repair the rate source file-1 (malformed: ');
    publish('EUR', { USD: 1.1, MXN: 39 });
    await eventually(async () => (await tasks()).length === 0, { withinMs: 20_000 });
  });
});

describe('two sources that differ', () => {
  it('close the corridor, become a task, and cannot be accepted: one of them must be corrected', async () => {
    const first = join(folder, 'first.json');
    const second = join(folder, 'second.json');
    const put = (at: string, MXN: number) => {
      minutesAgo -= 1;
      const publishedAt = new Date(Date.now() - minutesAgo * 60_000).toISOString();
      writeFileSync(`${at}.new`, JSON.stringify({ base: 'EUR', publishedAt, rates: { USD: 1.1, MXN } }));
      renameSync(`${at}.new`, at);
    };
    put(first, 39);
    put(second, 43);
    await setTerms('close', 1000);
    const two = await startNode({
      settings: { QUOTES_PER_MINUTE: '1000000', RATE_SOURCES: `file=${first},file=${second}` },
    });
    const asked = () => two.api.post('/rates', { token: acme, body: { fiatIn: 'EUR', fiatOut: 'MXN', amountIn: 100 } });
    await eventually(async () => (await asked()).status === 422, { withinMs: 20_000 });
    const { heldCorridors } = (await two.api.get('/operator/rates', { token: viewer })).json;
    expect(heldCorridors).toContainEqual(
      expect.objectContaining({
        ...{ fiatIn: 'EUR', fiatOut: 'MXN', because: 'sources_differ' },
        ...{ acceptedRate: '39', newRate: '43', source: 'file-2', changePercent: 10.25 },
      }),
    );
    const { json: tasks } = await two.api.get('/operator/tasks?kind=held_rate', { token: viewer });
    expect(tasks.map(({ summary }: { summary: string }) => summary)).toContain(
      'Find out which rate of the corridor EUR to MXN is right: file-1 and file-2 differ.',
    );
    const accepted = await two.api.post('/operator/corridors/EUR/MXN/accept-rate', {
      token: admin,
      body: { rate: '43' },
    });
    expect(told(accepted)).toEqual([409, 'rate_sources_differ']);
    put(second, 40);
    await eventually(async () => (await asked()).status === 200, { withinMs: 20_000 });
    await setTerms('quote', 2000);
  });
});

describe('a restart with other sources', () => {
  it('does not quote from a source that contradicts the last accepted rate', async () => {
    const other = join(folder, 'other.json');
    const publishedAt = new Date(Date.now() - 60_000).toISOString();
    writeFileSync(other, JSON.stringify({ base: 'EUR', publishedAt, rates: { USD: 1.1, MXN: 20 } }));
    const settings = { RATE_SOURCES: `file=${other},file=${path}` };
    // The new file has the name of the old one, and so its earlier figures.
    const restarted = await startNode({ settings });
    const overview = async () => (await restarted.api.get('/operator/rates', { token: viewer })).json;
    await eventually(async () => (await overview()).held.length > 0, { withinMs: 20_000 });
    const answer = await restarted.api.post('/rates', {
      token: acme,
      body: { fiatIn: 'EUR', fiatOut: 'MXN', amountIn: 100 },
    });
    const { madeOf } = (await restarted.api.get(`/rates/${answer.json.code}`, { token: acme })).json;
    expect(madeOf.midMarketRate).toBe(39);
  });
});
