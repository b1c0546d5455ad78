/** POST /orders/preflight */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { save, wanjiku } from '../beneficiaries/people.js';
import type { Answer } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { type MadeUser, newUser, told } from '../harness/users.js';
import { moveClock } from '../kyc/kyc-service.js';
import { quote, saveCorridor } from '../rates/quoting.js';
import { holdLevel, lupita, place, placed, rateCode, sender } from './orders.js';

const running = useRemesa({ hasRates: true });
const { sql } = running;

const preflight = (user: MadeUser, body: Record<string, unknown>, merchant = running.acme): Promise<Answer> =>
  running.api.post(`/orders/preflight?userId=${user.id}`, {
    token: merchant.token,
    body: { beneficiary: lupita, purpose: 'gift', ...body },
  });
const codesOf = ({ json }: Answer): string[] => json.problems.map(({ code }: { code: string }) => code);

/** Everything that creating an order writes. */
const written = async () => {
  const tables = ['orders', 'changes', 'screening_hits', 'idempotency_keys'];
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  const taken = '(SELECT count(*)::int FROM quotes WHERE taken_at IS NOT NULL) AS taken';
  return (await sql.query(`SELECT ${[...counts, taken].join(', ')}`)).rows[0];
};

describe('POST /orders/preflight 200', () => {
  it('answers the price, the value and the limits of an order that would be accepted', async () => {
    const user = await sender(running);
    const { json: quoted } = await quote(running);
    const { json } = await preflight(user, { rateCode: quoted.code });
    const { limits } = (await running.api.get(`/user/limits?userId=${user.id}`, { token: running.acme.token })).json;
    expect(json).toMatchObject({
      accepted: true,
      problems: [],
      price: {
        ...{ fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100, amountOut: quoted.amountOut, rate: quoted.rate },
        ...{ fee: 1.3, expirationDate: quoted.expirationDate },
      },
      amountUsd: 100,
      estimatedArrivalAt: expect.stringMatching(/Z$/),
      cancellableUntil: { status: 'PAYOUT_SUBMITTED', minutesAfterPayment: null },
      kycLevel: 'LEVEL_1',
      nextLevel: { kycLevel: 'LEVEL_2', formPath: '/kyc/register/LEVEL_2/EEA' },
    });
    expect(json.limits).toEqual(limits);
  });

  it('says that a sender in the United States may cancel for 30 minutes after paying', async () => {
    const user = await newUser(running, running.acme, { countryCode: 'US' });
    const { json } = await preflight(user, { rateCode: 'rt_0' });
    expect(json.cancellableUntil).toEqual({ status: 'PAYOUT_SUBMITTED', minutesAfterPayment: 30 });
  });

  it('creates nothing, leaves the quote unused, and screens nobody', async () => {
    const user = await sender(running);
    const code = await rateCode(running);
    const before = await written();
    const listed = { ...lupita, firstName: 'Jose Maria', lastName: 'Prohibido Listado' };
    for (let count = 0; count < 3; count += 1) {
      expect((await preflight(user, { rateCode: code, beneficiary: listed })).json.accepted).toBe(true);
    }
    expect(await written()).toEqual(before);
    expect((await place(running, user, { body: { rateCode: code } })).status).toBe(200);
  });

  it('lists everything that would stop the order at once', async () => {
    const user = await sender(running);
    await placed(running, user, { body: { externalOrderId: 'taken-1' } });
    const code = await rateCode(running, running.acme, 300);
    const answer = await preflight(user, {
      rateCode: code,
      beneficiary: wanjiku,
      payoutMethod: 'bank_account',
      refundAccount: { country: 'US', account: { routingNumber: '021000021' } },
      externalOrderId: 'taken-1',
    });
    expect(answer.json.accepted).toBe(false);
    expect(codesOf(answer).sort()).toEqual([
      'external_id_conflict',
      'invalid_fields',
      'invalid_fields',
      'kyc_level_required',
      'limit_exceeded',
      'payout_unavailable',
    ]);
    const problem = (code: string) => answer.json.problems.find((found: { code: string }) => found.code === code);
    expect(problem('kyc_level_required')).toMatchObject({
      status: 403,
      requiredLevel: 'LEVEL_2',
      zone: 'EEA',
      formPath: '/kyc/register/LEVEL_2/EEA',
    });
    expect(problem('limit_exceeded')).toMatchObject({
      status: 422,
      amountUsd: 300,
      exceeded: [{ name: 'amount_per_order', unit: 'USD', max: 200, used: 0, left: 200 }],
    });
    const fields = answer.json.problems.flatMap(({ errors = [] }: { errors?: { field: string }[] }) =>
      errors.map(({ field }) => field),
    );
    expect(fields.sort()[0]).toBe('payoutMethod');
    expect(fields.some((field: string) => field.startsWith('refundAccount.account.'))).toBe(true);
  });

  it('lists each wrong field of a beneficiary', async () => {
    const user = await sender(running);
    const beneficiary = { ...lupita, firstName: '', account: { clabe: '032180000118359710' } };
    const answer = await preflight(user, { rateCode: await rateCode(running), beneficiary });
    expect(codesOf(answer)).toEqual(['invalid_fields']);
    expect(answer.json.problems[0].status).toBe(400);
    const fields = answer.json.problems[0].errors.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(['beneficiary.account.clabe', 'beneficiary.firstName']);
  });

  it('shows the price of a quote that is used, and says so', async () => {
    const user = await sender(running);
    const order = await placed(running, user);
    const answer = await preflight(user, { rateCode: order.rateCode });
    expect(codesOf(answer)).toEqual(['rate_already_used']);
    expect(answer.json.price.amountOut).toBe(order.amountOut);
  });

  it('answers null for the price of an unknown quote, and still shows the limits', async () => {
    const user = await sender(running);
    const theirs = await rateCode(running, running.rival);
    for (const code of ['rt_0', theirs]) {
      const { json } = await preflight(user, { rateCode: code });
      expect(json).toMatchObject({ accepted: false, price: null, amountUsd: null, kycLevel: 'LEVEL_1' });
      expect(json.problems).toMatchObject([{ code: 'rate_not_found', status: 404 }]);
    }
  });

  it('says that the corridor was closed since the quote', async () => {
    const user = await sender(running);
    const { json: quoted } = await quote(running, { fiatOut: 'GTQ' });
    await saveCorridor(running, 'USD/GTQ', { isOpen: false });
    const answer = await eventually(
      async () => {
        const found = await preflight(user, { rateCode: quoted.code });
        return codesOf(found).includes('corridor_unavailable') ? found : undefined;
      },
      { what: 'the closed corridor' },
    );
    expect(codesOf(answer)).toEqual(['corridor_unavailable']);
  });
});

describe('POST /orders/preflight', () => {
  it('refuses a body that does not match the schema, with 400', async () => {
    const user = await sender(running);
    expect(told(await preflight(user, { rateCode: 7 }))).toEqual([400, 'invalid_fields']);
    expect(told(await preflight(user, { rateCode: 'rt_0', colour: 'red' }))).toEqual([400, 'invalid_fields']);
  });

  it('refuses the user of another merchant, with 404', async () => {
    const user = await sender(running);
    expect(told(await preflight(user, { rateCode: 'rt_0' }, running.rival))).toEqual([404, 'user_not_found']);
  });
});

describe('a preflight and the order after it', () => {
  const cases = fc.record({
    level: fc.constantFrom(undefined, 'LEVEL_1', 'LEVEL_1', 'LEVEL_2'),
    amountIn: fc.constantFrom(5, 100, 160, 200, 200.01, 600),
    earlier: fc.integer({ min: 0, max: 3 }),
    quote: fc.constantFrom('fresh', 'fresh', 'fresh', 'used', 'expired', 'unknown', 'of another user'),
    beneficiary: fc.constantFrom('inline', 'inline', 'stored', 'missing', 'both', 'faulty', 'unknown', 'wallet'),
    payoutMethod: fc.constantFrom(undefined, undefined, 'bank_account', 'cash_pickup'),
    externalOrderId: fc.constantFrom(undefined, undefined, 'new', 'taken'),
  });

  it('agree: it is accepted exactly when the order is, and lists the code that the order answers', async () => {
    const { rival } = running;
    let count = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (tried) => {
        count += 1;
        const user = await newUser(running, rival);
        await holdLevel(running, rival, user, tried.level ?? 'LEVEL_2');
        for (let made = 0; made < tried.earlier; made += 1) {
          const externalOrderId = `taken-${count}-${made}`;
          await placed(running, user, {
            merchant: rival,
            body: { rateCode: await rateCode(running, rival, 150), externalOrderId },
          });
        }
        if (tried.level === undefined) await revoke(user);
        const body = await bodyOf(tried, user, count);
        const asking = { token: rival.token, body };
        const asked = await running.api.post(`/orders/preflight?userId=${user.id}`, asking);
        const created = await running.api.post(`/orders?userId=${user.id}`, asking);
        expect(asked.status, asked.text).toBe(200);
        expect(asked.json.accepted, asked.text).toBe(created.status === 200);
        if (created.status !== 200) {
          const problems = asked.json.problems.map((one: { code: string; status: number }) => [one.status, one.code]);
          expect(problems).toContainEqual(told(created));
        }
      }),
      { numRuns: rounds(25, 1_000) },
    );
  });

  const revoke = (user: MadeUser) =>
    sql.query(`UPDATE kyc_cases SET state = 'REVOKED', version = version + 1 WHERE user_id = $1`, [user.id]);

  type Tried = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

  async function bodyOf(tried: Tried, user: MadeUser, count: number): Promise<Record<string, unknown>> {
    const taken = tried.earlier > 0 ? `taken-${count}-0` : undefined;
    const externalOrderId = tried.externalOrderId === 'new' ? `new-${count}` : taken;
    return {
      rateCode: await codeOf(tried, user),
      purpose: 'gift',
      ...(await chosenBy(tried, user)),
      ...(tried.payoutMethod && { payoutMethod: tried.payoutMethod }),
      ...(tried.externalOrderId && externalOrderId && { externalOrderId }),
    };
  }

  async function codeOf({ quote: kind, amountIn, level }: Tried, user: MadeUser): Promise<string> {
    const { rival } = running;
    if (kind === 'unknown') return 'rt_00000000000000000000000000';
    if (kind === 'of another user') {
      const other = await newUser(running, rival);
      const body = { fiatIn: 'USD', fiatOut: 'MXN', amountIn };
      return (await running.api.post(`/rates?userId=${other.id}`, { token: rival.token, body })).json.code;
    }
    const code = await rateCode(running, rival, amountIn);
    if (kind === 'expired') await moveClock(running, rival, '31 minutes');
    if (kind === 'used' && level) await place(running, user, { merchant: rival, body: { rateCode: code } });
    return code;
  }

  async function chosenBy({ beneficiary }: Tried, user: MadeUser): Promise<Record<string, unknown>> {
    const unknown = { beneficiaryId: 'ben_00000000000000000000000000' };
    if (beneficiary === 'missing') return {};
    if (beneficiary === 'unknown') return unknown;
    if (beneficiary === 'both') return { beneficiary: lupita, ...unknown };
    if (beneficiary === 'wallet') return { beneficiary: wanjiku };
    if (beneficiary === 'faulty') return { beneficiary: { ...lupita, account: {} } };
    if (beneficiary === 'inline') return { beneficiary: lupita };
    return { beneficiaryId: (await save(running, running.rival, user, lupita)).json.id };
  }
});
