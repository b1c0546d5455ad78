import { beforeAll, describe, expect, it } from 'vitest';
import { boardChanged } from '../../src/rates/board/rate-state.js';
import { auditRows, newMerchant, operatorTokens, type Running, tokenOf, useNodes } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { told } from '../harness/users.js';
import { secret, useRateServer } from '../providers/rate-server.js';

const { sql, startNode } = useNodes();
const server = useRateServer();
const nodes: Running[] = [];
let acme: string;
let admin: string;
let viewer: string;

const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
const good = { USD: '1', MXN: '18.5', KES: '130.25', EUR: '0.85' };
let publishedAt = secondsAgo(86_400);

/** A document in the format of Open Exchange Rates. */
function document(rates: Record<string, string>, timestamp: number | string = publishedAt): string {
  const listed = Object.entries(rates).map(([code, figure]) => `"${code}":${figure}`);
  return `{"timestamp":${timestamp},"base":"USD","rates":{${listed.join()}}}`;
}

const node = () => nodes[0] as Running;

beforeAll(async () => {
  server.answer(document(good), { etag: '"first"' });
  const settings = { QUOTES_PER_MINUTE: '1000000', RATE_SOURCES: `json=${server.address}` };
  nodes.push(await startNode({ settings }), await startNode({ settings }));
  const { database } = node().service;
  // What happens to a corridor that closes is in held-rates.test.ts.
  await sql.query("UPDATE corridors SET on_hold = 'quote', rate_tolerance_basis_points = 2000");
  await database.transaction(async (tx) => tx.wake(boardChanged));
  acme = await tokenOf(node(), await newMerchant(database, 'acme'));
  ({ ana: admin, vic: viewer } = await operatorTokens(node(), { ana: 'admin', vic: 'viewer' }));
  await Promise.all(
    nodes.map((each) => eventually(async () => (await pesos(each)).status === 200, { withinMs: 30_000 })),
  );
});

const pesos = (at = node()) =>
  at.api.post('/rates', { token: acme, body: { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 } });

/** Returns `madeOf` of a new quote. */
async function madeOf(at = node()): Promise<{ midMarketRate: number; rateSource: string; ratePublishedAt: string }> {
  const { json } = await pesos(at);
  return (await at.api.get(`/rates/${json.code}`, { token: acme })).json.madeOf;
}

const board = async (token = viewer) => (await node().api.get('/operator/rates', { token })).json;
const checkedAt = async () =>
  (await sql.query("SELECT checked_at FROM rate_sources WHERE source = 'json-1'")).rows[0].checked_at.getTime();

/** Makes the source due, wakes the nodes, and resolves when one of them has recorded the answer. */
async function askNow(): Promise<void> {
  const before = await checkedAt();
  await sql.query("UPDATE rate_sources SET due_at = '-infinity'");
  await node().service.database.transaction(async (tx) => tx.wake('rates.collect'));
  await eventually(async () => (await checkedAt()) > before, { withinMs: 30_000, what: 'the source asked' });
}

/** Resolves when every node quotes this mid-market rate. */
async function settled(midMarketRate: number): Promise<void> {
  for (const each of nodes) {
    await eventually(async () => (await madeOf(each)).midMarketRate === midMarketRate, { withinMs: 30_000 });
  }
}

async function publish(rates: Record<string, string>): Promise<void> {
  publishedAt += 60;
  server.answer(document(rates));
  await askNow();
}

describe('two nodes and one source', () => {
  it('ask it once together, and both quote from it', async () => {
    for (const each of nodes) {
      expect(await madeOf(each)).toMatchObject({ midMarketRate: 18.5, rateSource: 'json-1' });
    }
    const before = server.requests.length;
    await askNow();
    expect(server.requests.length).toBe(before + 1);
    await Promise.all(nodes.map(({ service }) => service.database.transaction(async (tx) => tx.wake('rates.collect'))));
    await settled(18.5);
    expect(server.requests.length).toBe(before + 1);
  });

  it('send conditional requests, and keep their rates when nothing is new', async () => {
    await publish({ ...good, MXN: '18.6' });
    server.answer(document({ ...good, MXN: '18.6' }), {
      etag: '"second"',
      'last-modified': 'Wed, 11 Nov 2026',
    });
    await askNow();
    server.answer('', {}, 304);
    await askNow();
    expect(server.requests.at(-1)?.headers).toMatchObject({
      'if-none-match': '"second"',
      'if-modified-since': 'Wed, 11 Nov 2026',
    });
    expect((await board()).sources[0].fault).toBeUndefined();
    await settled(18.6);
  });

  it('show operators the source, its rates, their age and its last fault, but not its address', async () => {
    const answer = await node().api.get('/operator/rates', { token: viewer });
    const [source] = answer.json.sources;
    expect(source).toMatchObject({
      name: 'json-1',
      ageLimitBusinessDays: 2,
      checkedAt: expect.stringMatching(/Z$/),
      changedAt: expect.stringMatching(/Z$/),
    });
    expect(source.rates.map(({ currency, base, rate }: never) => `${base} ${currency} ${rate}`)).toEqual([
      'USD EUR 0.85',
      'USD KES 130.25',
      'USD MXN 18.6',
    ]);
    for (const { ageBusinessDays } of source.rates) expect([0, 1]).toContain(ageBusinessDays);
    expect(answer.text).not.toContain(secret);
    expect(nodes.map(({ logText }) => logText()).join()).not.toContain(secret);
  });
});

describe('a hostile source', () => {
  const hostile: [what: string, body: () => string | Uint8Array, fault: RegExp, status?: number][] = [
    ['zero', () => document({ ...good, MXN: '0' }), /^bad_rate: /],
    ['a negative rate', () => document({ ...good, MXN: '-18.5' }), /^bad_rate: /],
    ['NaN', () => document({ ...good, MXN: 'NaN' }), /^malformed: /],
    ['NaN as a text', () => document({ ...good, MXN: '"NaN"' }), /^bad_rate: /],
    ['an infinity', () => document({ ...good, MXN: '1e999' }), /^bad_rate: /],
    ['null', () => document({ ...good, MXN: 'null' }), /^bad_rate: /],
    ['two rates of one currency', () => document(good).replace('"KES"', '"MXN"'), /^malformed: /],
    ['HTML', () => '<html><body>Welcome to the hotel Wi-Fi</body></html>', /^malformed: /],
    ['10 MB', () => Buffer.alloc(10_000_000, ' '), /^too_large: /],
    ['nothing at all', () => '', /^malformed: /],
    ['an error', () => document(good), /^http_status: /, 500],
    ['a redirect', () => document(good), /^redirected: /, 302],
    ['news of the year 2286', () => document({ ...good, MXN: '19' }, 9_999_999_999), /^malformed: /],
  ];

  it.each(hostile)(
    'makes no price when it answers %s, and the last good one stays',
    async (_what, body, fault, status) => {
      const before = await madeOf();
      server.answer(body(), {}, status);
      await askNow();
      expect((await board()).sources[0].fault).toMatch(fault);
      expect((await board()).held).toEqual([]);
      expect(await madeOf()).toMatchObject({
        midMarketRate: before.midMarketRate,
        ratePublishedAt: before.ratePublishedAt,
      });
    },
  );

  it('sets no price when it closes the connection without an answer', async () => {
    const before = await madeOf();
    server.listener = (request) => request.socket.destroy();
    await askNow();
    expect((await board()).sources[0].fault).toMatch(/^unreachable: /);
    expect((await madeOf()).midMarketRate).toBe(before.midMarketRate);
  });

  it('sets no price when its rates are old', async () => {
    const before = await madeOf();
    server.answer(document({ ...good, MXN: '17' }, publishedAt - 3600));
    await askNow();
    const [source] = (await board()).sources;
    expect(source.fault).toBeUndefined();
    expect((await madeOf()).midMarketRate).toBe(before.midMarketRate);
  });

  it('is held and shown when a rate is a hundred times larger, and its other rates are accepted', async () => {
    const before = await madeOf();
    await publish({ ...good, MXN: '1860', KES: '131' });
    const { held, sources } = await board();
    expect(held).toMatchObject([
      {
        source: 'json-1',
        currency: 'MXN',
        base: 'USD',
        rate: '1860',
        previousRate: '18.6',
        publishedAt: new Date(publishedAt * 1000).toISOString(),
      },
    ]);
    expect(held[0].corridors).toContainEqual({
      fiatIn: 'USD',
      fiatOut: 'MXN',
      acceptedRate: '18.6',
      newRate: '1860',
      changePercent: 9900,
    });
    const kes = sources[0].rates.find(({ currency }: { currency: string }) => currency === 'KES');
    expect(kes.rate).toBe('131');
    expect(await madeOf()).toMatchObject({ midMarketRate: before.midMarketRate });
  });
});

describe('a held figure', () => {
  const decide = (currency: string, verdict: string, token = admin, source = 'json-1') =>
    node().api.post(`/operator/rates/${source}/${currency}/${verdict}`, {
      token,
      headers: { 'x-request-id': `${verdict}-1` },
      ...(verdict === 'accept' ? { body: { rate: '25' } } : {}),
    });

  it('can be decided by admins only', async () => {
    expect(told(await decide('MXN', 'accept', viewer))).toEqual([403, 'role_missing']);
    expect(told(await decide('MXN', 'refuse', viewer))).toEqual([403, 'role_missing']);
    expect(told(await node().api.get('/operator/rates', { token: acme }))[0]).toBe(401);
    expect((await board()).held).toHaveLength(1);
  });

  it('is discarded when it is rejected: nothing is quoted from it, and the audit log records the operator', async () => {
    expect(told(await decide('MXN', 'refuse'))).toEqual([200, '']);
    expect((await board()).held).toEqual([]);
    expect((await madeOf()).midMarketRate).toBe(18.6);
    expect(await auditRows(sql, 'rate.refused')).toMatchObject([
      {
        actor: expect.stringMatching(/^operator:\d+$/),
        subject: 'rate:json-1:MXN',
        details: { rate: '1860', previousRate: '18.6' },
        request_id: 'refuse-1',
      },
    ]);
  });

  it('is quoted by all nodes when it is accepted, is in the history, and the audit log records the operator', async () => {
    await publish({ ...good, MXN: '25' });
    expect((await board()).held).toMatchObject([{ currency: 'MXN', rate: '25' }]);
    expect(told(await decide('MXN', 'accept'))).toEqual([200, '']);
    await settled(25);
    expect((await board()).held).toEqual([]);
    expect(await auditRows(sql, 'rate.accepted')).toMatchObject([
      { subject: 'rate:json-1:MXN', details: { rate: '25', previousRate: '18.6' }, request_id: 'accept-1' },
    ]);
    const { rows } = await sql.query(
      "SELECT rate::text FROM rate_history WHERE source = 'json-1' AND currency = 'MXN' ORDER BY id",
    );
    expect(rows.map(({ rate }) => rate)).toEqual(['18.5', '18.6', '25']);
  });

  it('is decided once; a rate that is not held cannot be decided', async () => {
    for (const verdict of ['accept', 'refuse']) {
      expect(told(await decide('MXN', verdict))).toEqual([404, 'rate_not_held']);
      expect(told(await decide('KES', verdict))).toEqual([404, 'rate_not_held']);
      expect(told(await decide('MXN', verdict, admin, 'nobody'))).toEqual([404, 'rate_not_held']);
    }
    expect(await auditRows(sql, 'rate.%')).toHaveLength(2);
  });
});

describe('rates that are too old', () => {
  it('are not quoted: 503 with Retry-After until newer ones arrive', async () => {
    await sql.query("UPDATE current_rates SET published_at = published_at - interval '10 days'");
    await node().service.database.transaction(async (tx) => tx.wake(boardChanged));
    const answer = await eventually(async () => {
      const asked = await pesos();
      return asked.status === 200 ? undefined : asked;
    });
    expect(told(answer)).toEqual([503, 'rates_unavailable']);
    expect(answer.headers.get('retry-after')).toBe('60');
    await publish({ ...good, MXN: '25.5' });
    await settled(25.5);
  });

  it('are replaced by the next source, and by one that is 30 % lower only after an operator accepts it', async () => {
    const layered = await startNode({
      settings: {
        QUOTES_PER_MINUTE: '1000000',
        RATE_SOURCES: `json=${server.address}, snapshot`,
      },
    });
    await eventually(async () => {
      const { rows } = await sql.query("SELECT 1 FROM current_rates WHERE source = 'sandbox-snapshot'");
      return rows.length > 0;
    });
    expect((await madeOf(layered)).rateSource).toBe('json-1');
    await sql.query("UPDATE current_rates SET published_at = '2001-01-01'");
    await node().service.database.transaction(async (tx) => tx.wake(boardChanged));
    // 17.39 pesos instead of 25.5: not without an operator.
    await eventually(async () => (await pesos(layered)).status === 503);
    await layered.service.database.transaction(async (tx) => tx.wake('rates.collect'));
    const held = await eventually(async () => {
      const { json } = await layered.api.get('/operator/rates', { token: viewer });
      return json.heldCorridors.find(
        ({ fiatIn, fiatOut, because }: never) => `${fiatIn}${fiatOut} ${because}` === 'USDMXN changed',
      );
    });
    expect(held).toMatchObject({ acceptedRate: '25.5', source: 'sandbox-snapshot', changePercent: -31.79 });
    const accept = (rate: string) =>
      layered.api.post('/operator/corridors/USD/MXN/accept-rate', { token: admin, body: { rate } });
    const other = await accept('17.4');
    expect(told(other)).toEqual([409, 'held_rate_changed']);
    expect(other.json).toMatchObject({ rate: '17.4', heldRate: held.newRate });
    expect(told(await accept(held.newRate))).toEqual([200, '']);
    await eventually(async () => (await madeOf(layered)).rateSource === 'sandbox-snapshot');
    expect(told(await accept(held.newRate))).toEqual([404, 'rate_not_held']);
    expect(told(await pesos())).toEqual([503, 'rates_unavailable']);
  });
});
