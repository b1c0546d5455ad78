import { compactVerify, createLocalJWKSet, createRemoteJWKSet } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { merchantId, type PublicId, publicId, userId } from '../../src/ids.js';
import { takeQuote } from '../../src/rates/service.js';
import { useRemesa } from '../harness/remesa.js';
import { type MadeUser, newUser, told, userToken, withoutRequestId } from '../harness/users.js';
import { moved, withoutTriggers } from '../harness/without-triggers.js';
import { dollarsToPesos, quote, saveCorridor } from './quoting.js';

const running = useRemesa({ hasRates: true });
let user: MadeUser;
beforeAll(async () => {
  user = await newUser(running, running.acme);
});

const details = (code: string, token = running.acme.token) => running.api.get(`/rates/${code}`, { token });
const codeOf = (text: string) => publicId('rt', text) as PublicId<'rt'>;
const sevenOf = ({ fiatIn, fiatOut, amountIn, amountOut, rate, code, expirationDate }: Record<string, unknown>) => ({
  fiatIn,
  fiatOut,
  amountIn,
  amountOut,
  rate,
  code,
  expirationDate,
});

describe('GET /rates/{code}', () => {
  it('returns the quote, what it was made of, its status and a proof', async () => {
    const given = await quote(running);
    const answer = await details(given.json.code);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      ...given.json,
      madeOf: {
        midMarketRate: 17.3915611092091,
        rateSource: 'sandbox-snapshot',
        ratePublishedAt: '2026-04-13T14:00:00.000Z',
        marginBasisPoints: 120,
        fee: 1.3,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      status: 'open',
      proof: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    expect(answer.text.startsWith(given.text.slice(0, -1))).toBe(true);
  });

  it('returns an expired quote with the status expired', async () => {
    const { json } = await quote(running);
    await age(json.code, '31 minutes');
    const answer = await details(json.code);
    expect(answer.status).toBe(200);
    expect(answer.json.status).toBe('expired');
    expect(answer.json.madeOf.fee).toBe(1.3);
  });

  it('returns a used quote with the status used, also after it has expired', async () => {
    const { json } = await quote(running);
    const { merchant } = running.acme;
    await running.database.transaction((tx) =>
      takeQuote(tx, {
        merchantId: merchant,
        userId: userId(user.id),
        code: codeOf(json.code),
        takenBy: 'ord_1',
      }),
    );
    expect((await details(json.code)).json).toMatchObject({ ...json, status: 'used' });
    await age(json.code, '2 days');
    expect((await details(json.code)).json.status).toBe('used');
  });

  it('gives the same 404 for the quote of another merchant, an unknown code and a malformed code', async () => {
    const foreign = await running.api.post('/rates', { token: running.rival.token, body: dollarsToPesos });
    const own = await quote(running);
    const codes = [
      foreign.json.code,
      'rt_00000000000000000000000000',
      'nonsense',
      own.json.code.toLowerCase(),
      `${own.json.code}0`,
      own.json.code.slice(3),
      `cli_${own.json.code.slice(3)}`,
      '%27%20OR%201=1--',
      '..%2Fuser',
    ];
    const answers = await Promise.all(codes.map((code) => details(code)));
    const [first, ...others] = answers.map(withoutRequestId);
    expect(first).toMatchObject({ httpStatus: 404, code: 'rate_not_found' });
    for (const [index, other] of others.entries()) expect(other, codes[index + 1]).toEqual(first);
  });

  it('shows a user token only the quotes of that user', async () => {
    const other = await newUser(running, running.acme);
    const token = await userToken(running, running.acme, user);
    const { api, acme } = running;
    const own = await api.post('/rates', { token, body: dollarsToPesos });
    const others = await api.post(`/rates?userId=${other.id}`, { token: acme.token, body: dollarsToPesos });
    const nobodys = await quote(running);
    expect((await details(own.json.code, token)).status).toBe(200);
    expect(told(await details(others.json.code, token))).toEqual([404, 'rate_not_found']);
    expect(told(await details(nobodys.json.code, token))).toEqual([404, 'rate_not_found']);
    for (const { json } of [own, others, nobodys]) expect((await details(json.code)).status).toBe(200);
  });

  /** Makes the quote older. This needs the trigger to be off, because quotes cannot be changed. */
  async function age(code: string, by: string): Promise<void> {
    const times = ['created_at', 'expires_at'].map((time) => `${time} = ${moved(time, `- interval '${by}'`)}`);
    await withoutTriggers(running.sql, (client) =>
      client.query(`UPDATE quotes SET ${times.join(', ')} WHERE code = $1`, [code]),
    );
  }
});

describe('the proof of a quote', () => {
  it('verifies against the published key, has its own type, and contains the fields of the answer', async () => {
    const { json } = await details((await quote(running)).json.code);
    const keys = createRemoteJWKSet(new URL(`${running.service.url}/.well-known/quote-keys.json`));
    const { payload, protectedHeader } = await compactVerify(json.proof, keys, { algorithms: ['EdDSA'] });
    expect(protectedHeader).toEqual({
      alg: 'EdDSA',
      typ: 'remesa-quote+json',
      kid: expect.stringMatching(/^[\w-]{43}$/),
    });
    const { proof: _, status: __, ...signed } = json;
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(signed);
  });

  it('is the same before and after the quote was used', async () => {
    const { json } = await quote(running);
    const before = await details(json.code);
    await running.database.transaction((tx) =>
      takeQuote(tx, {
        merchantId: running.acme.merchant,
        userId: userId(user.id),
        code: codeOf(json.code),
        takenBy: 'ord_2',
      }),
    );
    const payloadOf = (proof: string) => proof.split('.')[1];
    expect(payloadOf((await details(json.code)).json.proof)).toBe(payloadOf(before.json.proof));
  });

  it('does not verify after it was changed', async () => {
    const { json } = await details((await quote(running)).json.code);
    const published = await running.api.get('/.well-known/quote-keys.json');
    const keys = createLocalJWKSet(published.json);
    const [header, payload, signature] = json.proof.split('.');
    const dearer = Buffer.from(payload, 'base64url').toString().replace('"amountOut":1695.94', '"amountOut":9695.94');
    const forged = `${header}.${Buffer.from(dearer).toString('base64url')}.${signature}`;
    await expect(compactVerify(forged, keys)).rejects.toThrow('signature verification failed');
  });

  it('is made with another key than access tokens, and the private key is not published', async () => {
    const published = await running.api.get('/.well-known/quote-keys.json');
    const ofTokens = await running.api.get('/.well-known/jwks.json');
    expect(published.json.keys).toHaveLength(1);
    expect(Object.keys(published.json.keys[0]).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    const kids = ofTokens.json.keys.map(({ kid }: { kid: string }) => kid);
    expect(kids).not.toContain(published.json.keys[0].kid);
    const { json } = await quote(running);
    const proof = (await details(json.code)).json.proof;
    const asToken = await running.api.get(`/rates/${json.code}`, { token: proof });
    expect(told(asToken)).toEqual([401, 'unauthorized']);
  });
});

describe('an existing quote', () => {
  it('does not change when its corridor is changed and closed', async () => {
    const given = await quote(running, { fiatOut: 'COP' });
    const before = await details(given.json.code);
    await saveCorridor(running, 'USD/COP', {
      isOpen: false,
      marginBasisPoints: 5000,
      feeFixed: 4,
      quoteLifetimeSeconds: 30,
      minAmountIn: 200,
    });
    const after = await details(given.json.code);
    expect({ ...after.json, proof: '' }).toEqual({ ...before.json, proof: '' });
    expect(sevenOf(after.json)).toEqual(given.json);
  });

  it.each([
    'rate = rate * 2',
    'amount_out_minor = amount_out_minor + 1',
    "expires_at = '2099-01-01'",
    'merchant_id = merchant_id',
    'user_id = 7',
    'mid_rate = 1',
    'fee_minor = 0',
    "code = 'rt_00000000000000000000000000'",
  ])('cannot be changed by SQL either: %s', async (change) => {
    const { json } = await quote(running);
    const changed = running.sql.query(`UPDATE quotes SET ${change} WHERE code = $1`, [json.code]);
    if (change === 'merchant_id = merchant_id') {
      // The same again is no change.
      expect((await changed).rowCount).toBe(1);
      return;
    }
    await expect(changed).rejects.toThrow('a quote is taken once and otherwise never changes');
  });

  it('cannot be used again, nor marked unused by SQL, after it was used', async () => {
    const { json } = await quote(running);
    await running.database.transaction((tx) =>
      takeQuote(tx, {
        merchantId: merchantId(running.acme.merchant),
        userId: userId(user.id),
        code: codeOf(json.code),
        takenBy: 'ord_3',
      }),
    );
    for (const change of ["taken_by = 'ord_4'", 'taken_at = NULL, taken_by = NULL', 'taken_at = now()']) {
      const changed = running.sql.query(`UPDATE quotes SET ${change} WHERE code = $1`, [json.code]);
      await expect(changed).rejects.toThrow('a quote is taken once and otherwise never changes');
    }
  });
});
