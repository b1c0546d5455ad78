import { beforeAll, describe, expect, it } from 'vitest';
import { auditRows, newMerchant, operatorTokens, type Running, tokenOf, useNodes } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { told } from '../harness/users.js';
import { plainTerms } from './quoting.js';

const { sql, startNode } = useNodes();
const nodes: Running[] = [];
const node = () => nodes[0] as Running;
const tokens = { acme: '', admin: '', reviewer: '', viewer: '' };

beforeAll(async () => {
  const settings = { QUOTES_PER_MINUTE: '1000000' };
  nodes.push(await startNode({ settings }), await startNode({ settings }));
  const { database } = node().service;
  tokens.acme = await tokenOf(node(), await newMerchant(database, 'acme'));
  const roles = { admin: 'admin', reviewer: 'reviewer', viewer: 'viewer' } as const;
  Object.assign(tokens, await operatorTokens(node(), roles));
});

const list = (query = '', token = tokens.acme, at = node()) => at.api.get(`/corridors${query}`, { token });
const put = (path: string, terms: Record<string, unknown> = {}, token = tokens.admin) =>
  node().api.call('PUT', `/operator/corridors/${path}`, { token, body: { ...plainTerms, ...terms } });
const putText = (path: string, text: string) =>
  node().api.call('PUT', `/operator/corridors/${path}`, { token: tokens.admin, text });
const faultsOf = (answer: { json: { errors: { field: string; code: string }[] } }) =>
  answer.json.errors.map(({ field, code }) => `${field} ${code}`);

describe('the corridors', () => {
  it('go from nine currencies to more than twenty-five in a new instance', async () => {
    const { json } = await list();
    const ins = new Set(json.map(({ fiatIn }: never) => fiatIn));
    const outs = new Set<string>(json.map(({ fiatOut }: never) => fiatOut));
    expect([...ins].toSorted()).toEqual(['AED', 'AUD', 'CAD', 'CHF', 'EUR', 'GBP', 'JPY', 'SGD', 'USD']);
    const usual =
      'MXN PHP INR NGN KES GHS COP PEN BRL ARS CLP DOP GTQ PKR BDT LKR NPR VND IDR MAD EGP XOF EUR GBP'.split(' ');
    expect(usual.filter((code) => !outs.has(code))).toEqual([]);
    expect(outs.size).toBeGreaterThanOrEqual(25);
    expect(json.filter(({ fiatIn, fiatOut }: never) => fiatIn === fiatOut)).toEqual([]);
  });

  it('can all be quoted in the sandbox, at the smallest and at the largest amount', async () => {
    await eventually(async () => (await quoteOf('USD', 'MXN', 100)).status === 200, { withinMs: 30_000 });
    for (const { fiatIn, fiatOut, minAmountIn, maxAmountIn } of (await list()).json) {
      for (const amountIn of [minAmountIn, maxAmountIn]) {
        const { status, text } = await quoteOf(fiatIn, fiatOut, amountIn);
        expect(status, `${amountIn} ${fiatIn} to ${fiatOut}: ${text}`).toBe(200);
      }
    }
  }, 120_000);

  it('are shown to merchants without margin and fees', async () => {
    const [corridor] = (await list('?fiatIn=USD&fiatOut=MXN')).json;
    expect(corridor).toEqual({
      fiatIn: 'USD',
      fiatOut: 'MXN',
      isOpen: true,
      minAmountIn: 5,
      maxAmountIn: 25_000,
      minAmountOut: 18,
      quoteLifetimeSeconds: 1800,
      kycBands: [{ upTo: 200, level: 'LEVEL_1' }, { upTo: 10_000, level: 'LEVEL_2' }, { level: 'LEVEL_3' }],
      payoutMethods: ['bank_account', 'cash_pickup'],
      ...{ rateGuaranteeHours: 24, paymentDueHours: 72, maxUnpaidOrders: 10 },
    });
  });

  it('can be filtered by either currency or both, also if none matches', async () => {
    const pairsOf = async (query: string) =>
      (await list(query)).json.map(({ fiatIn, fiatOut }: never) => `${fiatIn}${fiatOut}`);
    const fromDollars = await pairsOf('?fiatIn=USD');
    expect(fromDollars.every((pair: string) => pair.startsWith('USD'))).toBe(true);
    expect(fromDollars.length).toBeGreaterThan(25);
    expect(await pairsOf('?fiatOut=MXN')).toEqual([
      'AEDMXN',
      'AUDMXN',
      'CADMXN',
      'CHFMXN',
      'EURMXN',
      'GBPMXN',
      'JPYMXN',
      'SGDMXN',
      'USDMXN',
    ]);
    expect(await pairsOf('?fiatIn=JPY&fiatOut=PHP')).toEqual(['JPYPHP']);
    expect(await pairsOf('?fiatIn=MXN')).toEqual([]);
  });

  it('cannot be filtered by an unknown currency or by another field', async () => {
    expect(told(await list('?fiatIn=usd'))).toEqual([400, 'invalid_fields']);
    expect(told(await list('?from=USD'))).toEqual([400, 'invalid_fields']);
    expect(told(await node().api.get('/corridors'))).toEqual([401, 'unauthorized']);
  });
});

describe('an operator', () => {
  it('sees the prices too, in any role', async () => {
    for (const role of ['viewer', 'reviewer', 'admin'] as const) {
      const { json } = await node().api.get('/operator/corridors', { token: tokens[role] });
      const corridor = json.find(({ fiatIn, fiatOut }: never) => fiatIn === 'JPY' && fiatOut === 'MXN');
      expect(corridor).toMatchObject({
        marginBasisPoints: 120,
        feeFixed: 150,
        feeBasisPoints: 30,
        version: 1,
      });
    }
    const asMerchant = await node().api.get('/operator/corridors', { token: tokens.acme });
    expect(asMerchant.status).toBe(401);
  });

  it('cannot change anything without the role admin', async () => {
    for (const role of ['viewer', 'reviewer'] as const) {
      expect(told(await put('USD/MXN', { isOpen: false }, tokens[role]))).toEqual([403, 'role_missing']);
    }
    expect((await put('USD/MXN', {}, tokens.acme)).status).toBe(401);
    expect(await auditRows(sql, 'corridor.%')).toEqual([]);
  });

  it('opens a new corridor, which all nodes quote within seconds, and the audit log records it', async () => {
    const answer = await put('MXN/USD', { minAmountIn: 50, minAmountOut: 0.01, feeFixed: 0 });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ fiatIn: 'MXN', fiatOut: 'USD', minAmountIn: 50, version: 1 });
    for (const each of nodes) {
      await eventually(async () => (await quoteOf('MXN', 'USD', 1000, each)).status === 200, {
        withinMs: 8000,
        what: 'the new corridor',
      });
    }
    expect((await auditRows(sql, 'corridor.saved')).at(-1)).toMatchObject({
      actor: expect.stringMatching(/^operator:\d+$/),
      subject: 'corridor:MXN-USD',
      details: { isOpen: true, marginBasisPoints: 120, feeBasisPoints: 30, version: 1 },
    });
  });

  it('changes a price: the next quotes of all nodes have it, and the version increases', async () => {
    const margin = async (at: Running) => {
      const { json } = await quoteOf('USD', 'INR', 100, at);
      return (await at.api.get(`/rates/${json.code}`, { token: tokens.acme })).json.madeOf.marginBasisPoints;
    };
    expect((await put('USD/INR', { marginBasisPoints: 77 })).json.version).toBe(2);
    for (const each of nodes) await eventually(async () => (await margin(each)) === 77, { withinMs: 8000 });
    expect((await put('USD/INR', { marginBasisPoints: 78 })).json.version).toBe(3);
    const { rows } = await sql.query("SELECT version FROM corridors WHERE fiat_in = 'USD' AND fiat_out = 'INR'");
    expect(rows).toEqual([{ version: 3 }]);
  });

  it('reads exactly the amounts that were written', async () => {
    const text = `{"isOpen":true,"minAmountIn":0.01,"maxAmountIn":9999999999999.99,"minAmountOut":0.10,
      "marginBasisPoints":0,"feeFixed":0.07,"feeBasisPoints":5000,"quoteLifetimeSeconds":30,
      "kycBands":[{"upTo":0.29,"level":"LEVEL_1"},{"level":"LEVEL_3"}],"payoutMethods":["cash_pickup"]}`;
    const answer = await putText('EUR/USD', text);
    expect(answer.text).toContain('"maxAmountIn":9999999999999.99');
    expect(answer.json).toMatchObject({
      minAmountIn: 0.01,
      minAmountOut: 0.1,
      feeFixed: 0.07,
      kycBands: [{ upTo: 0.29, level: 'LEVEL_1' }, { level: 'LEVEL_3' }],
    });
    const { rows } = await sql.query(
      "SELECT max_in_minor::text, fee_fixed_minor::text, kyc_bands FROM corridors WHERE fiat_in = 'EUR' AND fiat_out = 'USD'",
    );
    expect(rows).toEqual([
      {
        max_in_minor: '999999999999999',
        fee_fixed_minor: '7',
        kyc_bands: [{ upToMinor: '29', level: 'LEVEL_1' }, { level: 'LEVEL_3' }],
      },
    ]);
  });

  it('gets all faults of the amounts at once, each once', async () => {
    const answer = await putText(
      'JPY/MXN',
      `{"isOpen":true,"minAmountIn":0.5,"maxAmountIn":1e6,"minAmountOut":0.001,"marginBasisPoints":0,"feeFixed":-1,
        "feeBasisPoints":0,"quoteLifetimeSeconds":30,"kycBands":[{"upTo":10.5,"level":"LEVEL_1"},{"level":"LEVEL_2"}],
        "payoutMethods":["cash_pickup"]}`,
    );
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    expect(faultsOf(answer)).toEqual([
      'minAmountIn too_many_decimals',
      'maxAmountIn exponent',
      'minAmountOut too_many_decimals',
      'feeFixed signed',
      'kycBands.0.upTo too_many_decimals',
    ]);
  });

  it('gets all faults of the fields at once', async () => {
    const answer = await put('USD/MXN', {
      marginBasisPoints: 5001,
      feeBasisPoints: -1,
      quoteLifetimeSeconds: 29,
      payoutMethods: [],
      kycBands: [{ level: 'LEVEL_9' }],
      spread: 7,
      isOpen: 'true',
    });
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    expect(new Set(answer.json.errors.map(({ field }: never) => field))).toEqual(
      new Set([
        'spread',
        'isOpen',
        'marginBasisPoints',
        'feeBasisPoints',
        'quoteLifetimeSeconds',
        'kycBands.0.level',
        'payoutMethods',
      ]),
    );
  });

  it.each([
    ['a minimum of nothing', { minAmountIn: 0 }, ['minAmountIn not_allowed']],
    ['a payout of nothing', { minAmountOut: 0 }, ['minAmountOut not_allowed']],
    ['a maximum below the minimum', { maxAmountIn: 4.99 }, ['maxAmountIn not_allowed']],
    [
      'three of these',
      { minAmountIn: 0, minAmountOut: 0, kycBands: [{ upTo: 5, level: 'LEVEL_1' }] },
      ['minAmountIn not_allowed', 'minAmountOut not_allowed', 'kycBands not_allowed'],
    ],
    [
      'bands that fall',
      { kycBands: [{ upTo: 200, level: 'LEVEL_1' }, { upTo: 100, level: 'LEVEL_2' }, { level: 'LEVEL_3' }] },
      ['kycBands not_allowed'],
    ],
    [
      'bands that stand still',
      { kycBands: [{ upTo: 200, level: 'LEVEL_1' }, { upTo: 200, level: 'LEVEL_2' }, { level: 'LEVEL_3' }] },
      ['kycBands not_allowed'],
    ],
    [
      'levels that fall',
      { kycBands: [{ upTo: 200, level: 'LEVEL_2' }, { level: 'LEVEL_1' }] },
      ['kycBands not_allowed'],
    ],
    [
      'no band without an end',
      {
        kycBands: [
          { upTo: 200, level: 'LEVEL_1' },
          { upTo: 300, level: 'LEVEL_2' },
        ],
      },
      ['kycBands not_allowed'],
    ],
    [
      'a band without an end before another',
      { kycBands: [{ level: 'LEVEL_1' }, { upTo: 300, level: 'LEVEL_2' }, { level: 'LEVEL_3' }] },
      ['kycBands not_allowed'],
    ],
    ['a way to pay out twice', { payoutMethods: ['cash_pickup', 'cash_pickup'] }, ['payoutMethods not_allowed']],
  ])('is refused %s', async (_what, terms, faults) => {
    const answer = await put('USD/MXN', terms);
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    expect(faultsOf(answer)).toEqual(faults);
  });

  it('cannot save a corridor from a currency to itself or with an unknown currency', async () => {
    const same = await put('USD/USD');
    expect(told(same)).toEqual([400, 'invalid_fields']);
    expect(faultsOf(same)).toEqual(['fiatOut not_allowed']);
    expect(told(await put('USD/usd'))).toEqual([400, 'invalid_fields']);
  });

  it('changes nothing by a refused request', async () => {
    const before = await auditRows(sql, 'corridor.%');
    await put('USD/PEN', { maxAmountIn: 1 });
    expect(await auditRows(sql, 'corridor.%')).toEqual(before);
    const { rows } = await sql.query("SELECT version FROM corridors WHERE fiat_in = 'USD' AND fiat_out = 'PEN'");
    expect(rows).toEqual([{ version: 1 }]);
  });
});

function quoteOf(fiatIn: string, fiatOut: string, amountIn: number, at = node()) {
  return at.api.post('/rates', { token: tokens.acme, body: { fiatIn, fiatOut, amountIn } });
}
