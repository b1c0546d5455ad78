import { describe, expect, it } from 'vitest';
import { tokenOf } from '../harness/access.js';
import type { Answer } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { type MadeUser, type Merchant, merchantWithToken, newUser, told, userToken } from '../harness/users.js';
import { dollarsToPesos, quote, quoteOfLiteral, saveCorridor } from './quoting.js';

const running = useRemesa({ hasRates: true });
const rowsOf = async (code: string) => (await running.sql.query('SELECT * FROM quotes WHERE code = $1', [code])).rows;
const countRows = async () => Number((await running.sql.query('SELECT count(*) AS count FROM quotes')).rows[0].count);

describe('a quote', () => {
  it('has exactly the seven fields of the contract, priced to the digit from the snapshot of 2026-04-13', async () => {
    const answer = await quote(running);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(answer.json)).toEqual([
      'fiatIn',
      'fiatOut',
      'amountIn',
      'amountOut',
      'rate',
      'code',
      'expirationDate',
    ]);
    // 100 − (1 + 0.3 %) = 98.70 of 100; 20.3203 / 1.1684 less 1.2 %.
    expect(answer.json).toEqual({
      fiatIn: 'USD',
      fiatOut: 'MXN',
      amountIn: 100,
      amountOut: 1695.94,
      rate: 16.95948516,
      code: expect.stringMatching(/^rt_[0-9A-HJKMNP-TV-Z]{26}$/),
      expirationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('has a row with the same values, and expires half an hour after it was created', async () => {
    const { json } = await quote(running);
    const [row] = await rowsOf(json.code);
    expect(row).toMatchObject({
      merchant_id: String(running.acme.merchant),
      user_id: null,
      fiat_in: 'USD',
      fiat_out: 'MXN',
      amount_in_minor: '10000',
      amount_out_minor: '169594',
      rate: '16.95948516',
      mid_rate: '17.3915611092091',
      rate_source: 'sandbox-snapshot',
      margin_basis_points: 120,
      fee_minor: '130',
      taken_at: null,
    });
    expect(row.expires_at.toISOString()).toBe(json.expirationDate);
    // Truncated to the millisecond, so that the answer and the row are equal.
    const lifetime = row.expires_at.getTime() - row.created_at.getTime();
    expect(lifetime).toBeGreaterThanOrEqual(1_799_999);
    expect(lifetime).toBeLessThanOrEqual(1_800_000);
  });

  it('can be created with a user token, and then belongs to that user', async () => {
    const user = await newUser(running, running.acme);
    const token = await userToken(running, running.acme, user);
    const answer = await running.api.post('/rates', { token, body: dollarsToPesos });
    expect(answer.status).toBe(200);
    expect(await rowsOf(answer.json.code)).toMatchObject([{ user_id: String(user.id) }]);
  });

  it.each([
    ['userId', (user: MadeUser) => `userId=${user.id}`],
    ['externalClientId', (user: MadeUser) => `externalClientId=${user.externalClientId}`],
  ])('is bound to the user whom a merchant names by %s', async (_name, query) => {
    const user = await newUser(running, running.acme);
    const { token } = running.acme;
    const answer = await running.api.post(`/rates?${query(user)}`, { token, body: dollarsToPesos });
    expect(answer.status).toBe(200);
    expect(await rowsOf(answer.json.code)).toMatchObject([{ user_id: String(user.id) }]);
  });

  it('is refused for a user of another merchant, and nothing is written', async () => {
    const foreign = await newUser(running, running.rival);
    const before = await countRows();
    const { token } = running.acme;
    const answer = await running.api.post(`/rates?userId=${foreign.id}`, { token, body: dollarsToPesos });
    expect(told(answer)).toEqual([404, 'user_not_found']);
    expect(await countRows()).toBe(before);
  });

  it('is refused without a token, and with one that lacks the scope', async () => {
    const token = await tokenOf(running, running.acme, { scope: 'users' });
    expect(told(await running.api.post('/rates', { body: dollarsToPesos }))).toEqual([401, 'unauthorized']);
    const lacking = await running.api.post('/rates', { token, body: dollarsToPesos });
    expect(told(lacking)).toEqual([403, 'scope_missing']);
  });

  it('is one row and one answer with an Idempotency-Key, byte for byte, however often it is requested', async () => {
    const before = await countRows();
    const ask = { token: running.acme.token, body: dollarsToPesos, key: 'the-same' };
    const first = await running.api.post('/rates', ask);
    const again = await running.api.post('/rates', ask);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await countRows()).toBe(before + 1);
    expect(await rowsOf(first.json.code)).toHaveLength(1);
  });

  it('is refused when its Idempotency-Key was used with another body', async () => {
    const { token } = running.acme;
    await running.api.post('/rates', { token, body: dollarsToPesos, key: 'once-more' });
    const other = await running.api.post('/rates', {
      token,
      body: { ...dollarsToPesos, amountIn: 101 },
      key: 'once-more',
    });
    expect(told(other)).toEqual([422, 'idempotency_key_reused']);
  });

  it('is a new one each time without an Idempotency-Key, also when many are requested at once', async () => {
    const before = await countRows();
    const answers: Answer[] = [];
    for (let wave = 0; wave < 10; wave += 1) {
      const asked = Array.from({ length: 20 }, (_, index) => quote(running, { amountIn: 100 + wave * 20 + index }));
      answers.push(...(await Promise.all(asked)));
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ json }) => json.code)).size).toBe(200);
    // Quotes that share one INSERT must not be swapped.
    expect(answers.map(({ json }) => json.amountIn)).toEqual(Array.from({ length: 200 }, (_, index) => 100 + index));
    const { rows } = await running.sql.query(
      'SELECT code, amount_in_minor / 100 AS sent FROM quotes WHERE code = ANY ($1)',
      [answers.map(({ json }) => json.code)],
    );
    const sent = new Map(rows.map((row) => [row.code, Number(row.sent)]));
    expect(answers.map(({ json }) => sent.get(json.code))).toEqual(answers.map(({ json }) => json.amountIn));
    expect(await countRows()).toBe(before + 200);
  });

  it('belongs to its merchant and has the times of its clock, also when merchants create quotes at the same moment', async () => {
    const ahead = await merchantAhead('far-ahead');
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const merchant = index % 2 === 0 ? running.acme : ahead;
        const { json } = await running.api.post('/rates', { token: merchant.token, body: dollarsToPesos });
        return { json, merchant: String(merchant.merchant) };
      }),
    );
    for (const { json, merchant } of answers) {
      const [row] = await rowsOf(json.code);
      expect([row.merchant_id, row.expires_at.toISOString()]).toEqual([merchant, json.expirationDate]);
    }
  });

  it('expires by the clock of its merchant', async () => {
    const { token } = await merchantAhead('ahead');
    const { json } = await running.api.post('/rates', { token, body: dollarsToPesos });
    const inHours = (Date.parse(json.expirationDate) - Date.now()) / 3_600_000;
    expect(inHours).toBeGreaterThan(72.4);
    expect(inHours).toBeLessThan(72.6);
  });

  async function merchantAhead(name: string): Promise<Merchant> {
    const merchant = await merchantWithToken(running, name);
    await running.sql.query("INSERT INTO merchant_clocks VALUES ($1, '72 hours')", [merchant.merchant]);
    return merchant;
  }
});

describe('the fields of a request', () => {
  it('are all required, and all that are missing are named', async () => {
    const answer = await running.api.post('/rates', { token: running.acme.token, body: {} });
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    expect(answer.json.errors.map(({ field, code }: never) => `${field} ${code}`)).toEqual([
      'fiatIn required',
      'fiatOut required',
      'amountIn required',
    ]);
  });

  it('are these three and no others', async () => {
    const answer = await quote(running, { rate: 20, code: 'rt_mine' });
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    expect(answer.json.errors.map(({ field, code }: never) => `${field} ${code}`)).toEqual([
      'rate unknown_field',
      'code unknown_field',
    ]);
  });

  it.each(['', 'usd', 'US', 'USDT', 'ZZZ', 'XAU', 'constructor', '__proto__', 'USD\u0000'])(
    'name currencies of the table, not %j',
    async (fiatIn) => {
      const answer = await running.api.post('/rates', {
        token: running.acme.token,
        text: `{"fiatIn":${JSON.stringify(fiatIn)},"fiatOut":"MXN","amountIn":100}`,
      });
      expect(answer.status).toBe(400);
      expect(['invalid_fields', 'malformed_body']).toContain(answer.json.code);
      if (answer.json.code !== 'invalid_fields') return;
      expect(answer.json.errors).toMatchObject([{ field: 'fiatIn', code: 'not_allowed' }]);
      expect(answer.json.errors[0].allowed).toContain('USD');
    },
  );

  it.each([null, [], 'x', 7].map((body) => [JSON.stringify(body)]))('are not %s', async (text) => {
    const answer = await running.api.post('/rates', { token: running.acme.token, text });
    expect(told(answer)).toEqual([400, 'invalid_fields']);
  });
});

describe('an amount', () => {
  it.each([
    ['1e3', 'exponent'],
    ['1E3', 'exponent'],
    ['1.5e1', 'exponent'],
    ['100e0', 'exponent'],
    ['-0', 'signed'],
    ['-1', 'signed'],
    ['-100.00', 'signed'],
    ['1.00000000000000001', 'too_many_digits'],
    ['9007199254740993', 'too_many_digits'],
    ['100.000000000000001', 'too_many_digits'],
    ['99999999999999999999999999999', 'too_many_digits'],
    ['1000000000000000000000000000000', 'too_large'],
    ['100.001', 'too_many_decimals'],
    ['0.005', 'too_many_decimals'],
    ['10000000000000.01', 'too_many_digits'],
    ['100000000000000', 'too_large'],
    ['"100"', 'wrong_type'],
    ['null', 'wrong_type'],
    ['true', 'wrong_type'],
    ['[100]', 'wrong_type'],
    ['{"value":100}', 'wrong_type'],
  ])('is refused when written %s: %s', async (literal, code) => {
    const before = await countRows();
    const answer = await quoteOfLiteral(running, literal);
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    expect(answer.json.errors).toMatchObject([{ field: 'amountIn', code }]);
    expect(answer.json.detail).toMatch(/^amountIn: must /);
    expect(await countRows()).toBe(before);
  });

  it.each(['01', '+1', 'NaN', 'Infinity', '-Infinity', '0x64', '1_000', '1,000', '100.', '.5', '1n', '', '100 100'])(
    'is not JSON when written %s',
    async (literal) => {
      expect(told(await quoteOfLiteral(running, literal))).toEqual([400, 'malformed_body']);
    },
  );

  it.each(['1e400', '1e308', '1e-400'])('is refused when written %s, whatever a float makes of it', async (literal) => {
    const answer = await quoteOfLiteral(running, literal);
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    expect(answer.json.errors).toHaveLength(1);
  });

  it.each([
    '{"fiatIn":"USD","fiatOut":"MXN","amountIn":100,"amountIn":1}',
    '{"fiatIn":"USD","fiatOut":"MXN","amountIn":1,"amount\\u0049n":100}',
    '{"fiatIn":"USD","fiatIn":"EUR","fiatOut":"MXN","amountIn":100}',
  ])('is refused when it is sent twice, also with an escaped name: %s', async (text) => {
    const answer = await running.api.post('/rates', { token: running.acme.token, text });
    expect(told(answer)).toEqual([400, 'malformed_body']);
    expect(answer.json.detail).toContain('twice');
  });

  it.each([
    ['JPY', '100.5', 0],
    ['USD', '100.555', 2],
    ['EUR', '100.0001', 2],
  ])('is refused in %s with more decimals than that currency has: %s', async (fiatIn, literal, max) => {
    const answer = await quoteOfLiteral(running, literal, [fiatIn, 'MXN']);
    expect(answer.json.errors).toMatchObject([{ field: 'amountIn', code: 'too_many_decimals', max }]);
  });

  it.each([
    ['JPY', '10000.0', '10000'],
    ['JPY', '10000.000000000000000000', '10000'],
    ['USD', '100.00', '100'],
    ['USD', '99.950', '99.95'],
  ])('may be written in %s as %s, and is returned as %s', async (fiatIn, literal, written) => {
    const answer = await quoteOfLiteral(running, literal, [fiatIn, 'MXN']);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(`"amountIn":${written},`);
  });

  it('is refused with the limits below and above those of the corridor', async () => {
    for (const amountIn of [0, 0.01, 4.99, 25_000.01, 1_000_000]) {
      const answer = await quote(running, { amountIn });
      expect(told(answer)).toEqual([422, 'amount_out_of_range']);
      expect(answer.json).toMatchObject({ min: 5, max: 25_000, currency: 'USD' });
    }
    for (const amountIn of [5, 25_000]) expect((await quote(running, { amountIn })).status).toBe(200);
  });

  it('is refused with the smallest payout when too little would arrive', async () => {
    await saveCorridor(running, 'USD/PEN', { minAmountIn: 0.01, minAmountOut: 3, feeFixed: 5 });
    await settled('USD', 'PEN', (corridor) => corridor.minAmountIn === 0.01);
    for (const amountIn of [0.01, 5, 5.01, 5.5]) {
      const answer = await quote(running, { fiatOut: 'PEN', amountIn });
      expect(told(answer)).toEqual([422, 'payout_below_minimum']);
      expect(answer.json).toMatchObject({ min: 3, currency: 'PEN' });
    }
  });

  it('is refused with the largest amount when the payout could not be written exactly', async () => {
    await saveCorridor(running, 'USD/VND', { maxAmountIn: 10_000_000_000_000, minAmountOut: 1 });
    await settled('USD', 'VND', (corridor) => corridor.maxAmountIn === 10_000_000_000_000);
    const answer = await quote(running, { fiatOut: 'VND', amountIn: 10_000_000_000_000 });
    expect(told(answer)).toEqual([422, 'amount_out_of_range']);
    const { max } = answer.json;
    expect(max).toBeLessThan(10_000_000_000_000);
    expect((await quote(running, { fiatOut: 'VND', amountIn: max })).status).toBe(200);
  });
});

describe('a corridor', () => {
  it.each([
    ['that nobody knows', 'MXN', 'USD'],
    ['from a currency to itself', 'USD', 'USD'],
    ['of currencies that nobody serves', 'KWD', 'UYW'],
  ])('%s is unavailable', async (_what, fiatIn, fiatOut) => {
    const answer = await quote(running, { fiatIn, fiatOut });
    expect(told(answer)).toEqual([422, 'corridor_unavailable']);
    expect(answer.json).toMatchObject({ fiatIn, fiatOut });
  });

  it('is unavailable after it was closed, and available again after it was opened', async () => {
    await saveCorridor(running, 'USD/GTQ', { isOpen: false });
    await settled('USD', 'GTQ', (corridor) => !corridor.isOpen);
    expect(told(await quote(running, { fiatOut: 'GTQ' }))).toEqual([422, 'corridor_unavailable']);
    await saveCorridor(running, 'USD/GTQ', { isOpen: true });
    await settled('USD', 'GTQ', (corridor) => corridor.isOpen);
    expect((await quote(running, { fiatOut: 'GTQ' })).status).toBe(200);
  });
});

interface SeenCorridor {
  readonly isOpen: boolean;
  readonly minAmountIn: number;
  readonly maxAmountIn: number;
}

/** Resolves when the node's board has the change. */
function settled(fiatIn: string, fiatOut: string, is: (corridor: SeenCorridor) => boolean): Promise<unknown> {
  return eventually(async () => {
    const { api, acme } = running;
    const answer = await api.get(`/corridors?fiatIn=${fiatIn}&fiatOut=${fiatOut}`, { token: acme.token });
    return is(answer.json[0]);
  });
}

describe('a quote for an amount that is to arrive', () => {
  const target = (body: object) =>
    running.api.post('/rates/target', { token: running.acme.token, body: { fiatIn: 'USD', fiatOut: 'MXN', ...body } });

  it('has the fields of every quote, with the smallest amount that makes it arrive', async () => {
    const { status, json } = await target({ amountOut: 1695.94 });
    expect([status, json.amountIn, json.amountOut, json.rate]).toEqual([200, 100, 1695.94, 16.95948516]);
    const [row] = await rowsOf(json.code);
    expect([row.amount_in_minor, row.amount_out_minor]).toEqual(['10000', '169594']);
    const more = await target({ amountOut: 1695.95 });
    expect([more.json.amountIn, more.json.amountOut]).toEqual([100.02, 1696.12]);
  });

  it.each([
    [{ amountOut: 0.01 }, 422, 'payout_below_minimum'],
    [{ amountOut: 99_999_999 }, 422, 'amount_out_of_range'],
    [{ amountOut: 1.001 }, 400, 'invalid_fields'],
    [{ amountOut: -1 }, 400, 'invalid_fields'],
    [{ amountIn: 100 }, 400, 'invalid_fields'],
    [{ amountOut: 100, fiatOut: 'USD' }, 422, 'corridor_unavailable'],
  ])('is refused for %j with %s %s', async (body, status, code) => {
    expect(told(await target(body))).toEqual([status, code]);
  });
});
