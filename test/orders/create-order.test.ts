/** POST /orders */
import { describe, expect, it } from 'vitest';
import { save } from '../beneficiaries/people.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { newUser, told, userToken } from '../harness/users.js';
import { moveClock } from '../kyc/kyc-service.js';
import { quote, saveCorridor } from '../rates/quoting.js';
import { eventsOf, get, holdLevel, lupita, place, placed, rateCode, sender, timelineOf } from './orders.js';

const running = useRemesa({ hasRates: true });
const { sql } = running;
/** What a sandbox has without set-up. */
const simulated = {
  accountId: 'simulated',
  holder: 'Simulated account, do not pay',
  bankName: 'Simulated bank',
  country: 'XX',
  details: { accountNumber: 'SIMULATED-USD' },
  isSimulated: true,
};

describe('POST /orders 200', () => {
  it('answers the order with the terms of the quote, its due times and a reference to pay with', async () => {
    const user = await sender(running);
    const code = await rateCode(running);
    const quoted = (await running.api.get(`/rates/${code}`, { token: running.acme.token })).json;
    const order = await placed(running, user, {
      body: {
        rateCode: code,
        sourceOfFunds: 'salary',
        relationship: 'parent',
        externalOrderId: 'terms-1',
        metadata: { campaign: 'spring' },
      },
    });
    const later = (hours: number) => new Date(new Date(order.createdAt).getTime() + hours * 3_600_000).toISOString();
    expect(order).toEqual({
      id: expect.stringMatching(/^ord_[0-9A-HJKMNP-TV-Z]{26}$/),
      externalOrderId: 'terms-1',
      userId: user.id,
      status: 'AWAITING_PAYMENT',
      statusReason: null,
      pendingReason: 'payment',
      requirements: [],
      cancellable: 'yes',
      rateCode: code,
      fiatIn: 'USD',
      fiatOut: 'MXN',
      amountIn: 100,
      amountOut: quoted.amountOut,
      rate: quoted.rate,
      fee: quoted.madeOf.fee,
      amountReceived: 0,
      amountMissing: 100,
      amountRefunded: 0,
      amountKept: 0,
      amountReversed: 0,
      refunds: [],
      requotes: [],
      beneficiaryId: null,
      payoutCountry: 'MX',
      payoutMethod: 'bank_account',
      payoutAccount: '****9719',
      purpose: 'family_support',
      sourceOfFunds: 'salary',
      relationship: 'parent',
      metadata: { campaign: 'spring' },
      payIn: { reference: expect.stringMatching(/^RF\d\d[0-9A-Z]{21}$/), account: simulated },
      rateGuaranteedUntil: later(24),
      paymentDueAt: later(72),
      cancellableUntil: null,
      actionRequiredBy: null,
      refundDueBy: null,
      estimatedArrivalAt: expect.stringMatching(/Z$/),
      cancellationRequestedAt: null,
      createdAt: expect.any(String),
      updatedAt: order.createdAt,
      version: 1,
    });
    expect(order.id.slice(4, 10)).toBe(running.acme.merchant.toString(32).padStart(6, '0').toUpperCase());
    expect((await get(running, order.id)).json).toEqual(order);
    expect((await get(running, 'ext-terms-1')).json).toEqual(order);
  });

  it('records one event with the order as its GET shows it, one timeline entry and one audit entry', async () => {
    const user = await sender(running);
    const order = await placed(running, user);
    expect(await eventsOf(running, order.id)).toEqual([
      { type: 'order.awaiting_payment', previousStatus: null, object: order },
    ]);
    expect(await timelineOf(running, order.id)).toEqual([
      {
        version: 1,
        event: 'create',
        status: 'AWAITING_PAYMENT',
        previousStatus: null,
        statusReason: null,
        by: 'merchant',
        at: order.createdAt,
        journals: [],
      },
    ]);
    const text = 'SELECT action, to_state, details FROM changes WHERE subject = $1';
    expect((await sql.query(text, [`order:${order.id}`])).rows).toEqual([
      { action: 'order.create', to_state: 'AWAITING_PAYMENT', details: { userId: user.id, version: 1 } },
    ]);
  });

  it('copies a stored beneficiary, which can be deleted afterwards', async () => {
    const user = await sender(running);
    const { id } = (await save(running, running.acme, user, lupita)).json;
    const order = await placed(running, user, { body: { beneficiary: undefined, beneficiaryId: id } });
    expect(order.beneficiaryId).toBe(id);
    const { token } = running.acme;
    await running.api.call('DELETE', `/beneficiaries/${id}?userId=${user.id}`, { token });
    expect((await running.api.get(`/orders/${order.id}/beneficiary`, { token })).json).toEqual(lupita);
  });

  it('stores nothing of the beneficiary in clear but the masked account', async () => {
    const user = await sender(running);
    const order = await placed(running, user);
    const { rows } = await sql.query('SELECT orders::text AS row FROM orders WHERE order_id = $1', [order.id]);
    for (const secret of ['Guadalupe', 'Ortega', '032180000118359719', 'Guadalajara'])
      expect(rows[0].row).not.toContain(Buffer.from(secret).toString('hex'));
    for (const secret of ['Guadalupe', 'Ortega', '032180000118359719', 'Guadalajara'])
      expect(rows[0].row).not.toContain(secret);
  });

  it('works with a user token, for that user only', async () => {
    const user = await sender(running);
    const token = await userToken(running, running.acme, user);
    const body = { rateCode: await rateCode(running), beneficiary: lupita, purpose: 'gift' };
    const answer = await running.api.post('/orders', { token, body });
    expect(answer.status, answer.text).toBe(200);
    expect((await running.api.get(`/orders/${answer.json.id}`, { token })).json).toEqual(answer.json);
    const other = await userToken(running, running.acme, await sender(running));
    expect(told(await running.api.get(`/orders/${answer.json.id}`, { token: other }))).toEqual([
      404,
      'order_not_found',
    ]);
  });

  it('accepts a refund account in the currency of the payment', async () => {
    const user = await sender(running);
    const account = { routingNumber: '021000021', accountNumber: '123456789', accountType: 'checking' };
    const answer = await place(running, user, { body: { refundAccount: { country: 'US', account } } });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const wrong = await place(running, user, {
      body: { refundAccount: { country: 'US', account: { ...account, routingNumber: '021000022' } } },
    });
    expect(told(wrong)).toEqual([400, 'invalid_fields']);
    expect(wrong.json.errors[0].field).toBe('refundAccount.account.routingNumber');
  });

  it('answers a repeated request with the first order', async () => {
    const user = await sender(running);
    const code = await rateCode(running);
    const asked = { key: 'order-key-1', body: { rateCode: code } };
    const [first, again] = [await place(running, user, asked), await place(running, user, asked)];
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await eventsOf(running, first.json.id)).toHaveLength(1);
  });
});

describe('POST /orders', () => {
  it.each([
    ['no beneficiary', { beneficiary: undefined }, ['beneficiaryId']],
    ['two beneficiaries', { beneficiaryId: 'ben_x' }, ['beneficiaryId']],
    ['a wrong account', { beneficiary: { ...lupita, account: { clabe: '1' } } }, ['beneficiary.account.clabe']],
    ['an unknown purpose', { purpose: 'fun' }, ['purpose']],
    ['an unknown field', { fiatIn: 'USD' }, ['fiatIn']],
    ['a payout method that the beneficiary does not have', { payoutMethod: 'cash_pickup' }, ['payoutMethod']],
    ['an external id with a slash', { externalOrderId: 'a/b' }, ['externalOrderId']],
    ['a control character in metadata', { metadata: { note: 'a\u0001b' } }, ['metadata.note']],
  ])('refuses %s with 400, and the quote stays usable', async (_, body, fields) => {
    const user = await sender(running);
    const code = await rateCode(running);
    const refused = await place(running, user, { body: { ...body, rateCode: code } });
    expect(told(refused)).toEqual([400, 'invalid_fields']);
    expect(refused.json.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
    expect((await place(running, user, { body: { rateCode: code } })).status).toBe(200);
  });

  it('refuses metadata of more than 20 texts, or with a text of more than 200 characters, with 400', async () => {
    const user = await sender(running);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 'v']));
    for (const metadata of [many, { note: 'x'.repeat(201) }, { note: 1 }, { 'a b': 'x' }])
      expect([metadata, ...told(await place(running, user, { body: { metadata } }))]).toEqual([
        metadata,
        400,
        'invalid_fields',
      ]);
  });

  it('refuses an unknown quote with 404, a used one with 409, and an expired one with 409', async () => {
    const user = await sender(running);
    expect(told(await place(running, user, { body: { rateCode: 'rt_x' } }))).toEqual([404, 'rate_not_found']);
    const code = await rateCode(running);
    await placed(running, user, { body: { rateCode: code } });
    expect(told(await place(running, user, { body: { rateCode: code } }))).toEqual([409, 'rate_already_used']);
    const old = await rateCode(running);
    await moveClock(running, running.acme, '31 minutes');
    expect(told(await place(running, user, { body: { rateCode: old } }))).toEqual([409, 'rate_expired']);
  });

  it("refuses another merchant's quote with 404, and another user's with 404", async () => {
    const user = await sender(running);
    const foreign = await rateCode(running, running.rival);
    expect(told(await place(running, user, { body: { rateCode: foreign } }))).toEqual([404, 'rate_not_found']);
    const other = await sender(running);
    const body = { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 };
    const { token } = running.acme;
    const { code } = (await running.api.post(`/rates?userId=${other.id}`, { token, body })).json;
    expect(told(await place(running, user, { body: { rateCode: code } }))).toEqual([404, 'rate_not_found']);
  });

  it('refuses a user without the level of the amount with 403 that names the level and its form', async () => {
    const user = await newUser(running, running.acme);
    const refused = await place(running, user);
    expect([refused.status, refused.json.code]).toEqual([403, 'kyc_level_required']);
    expect(refused.json).toMatchObject({
      requiredLevel: 'LEVEL_1',
      zone: 'EEA',
      formPath: '/kyc/register/LEVEL_1/EEA',
    });
    await holdLevel(running, running.acme, user, 'LEVEL_1');
    const large = await rateCode(running, running.acme, 201);
    const second = await place(running, user, { body: { rateCode: large } });
    expect([second.json.code, second.json.requiredLevel]).toEqual(['kyc_level_required', 'LEVEL_2']);
    await holdLevel(running, running.acme, user, 'LEVEL_2');
    expect((await place(running, user, { body: { rateCode: large } })).status).toBe(200);
  });

  it('refuses a corridor that was closed since the quote with 422, while a new price does not touch the quote', async () => {
    const user = await sender(running);
    const quoted = (await quote(running)).json;
    const body = { rateCode: quoted.code };
    const isOnBoard = (isOpen: boolean) =>
      eventually(
        async () => {
          const { json } = await running.api.get('/corridors?fiatIn=USD&fiatOut=MXN', running.acme);
          return json[0].isOpen === isOpen || undefined;
        },
        { what: 'the corridor on the board' },
      );
    await saveCorridor(running, 'USD/MXN', { isOpen: false });
    await isOnBoard(false);
    const refused = await place(running, user, { body });
    expect([...told(refused), refused.json.fiatIn]).toEqual([422, 'corridor_unavailable', 'USD']);
    await saveCorridor(running, 'USD/MXN', { isOpen: true, marginBasisPoints: 900 });
    await isOnBoard(true);
    const order = await placed(running, user, { body });
    expect([order.amountOut, order.rate]).toEqual([quoted.amountOut, quoted.rate]);
  });

  it('refuses a beneficiary in another currency with 422', async () => {
    const user = await sender(running);
    const beneficiary = {
      ...lupita,
      country: 'DE',
      currency: 'EUR',
      address: { town: 'Köln', country: 'DE' },
      account: { iban: 'DE89370400440532013000' },
    };
    const refused = await place(running, user, { body: { beneficiary } });
    expect(told(refused)).toEqual([422, 'payout_unavailable']);
    expect(refused.json).toMatchObject({ currency: 'MXN', payoutMethods: expect.any(Array) });
  });

  it('refuses an external id that the merchant has used with 409, but not one that another merchant has', async () => {
    const user = await sender(running);
    await placed(running, user, { body: { externalOrderId: 'same' } });
    const code = await rateCode(running);
    const again = await place(running, user, { body: { externalOrderId: 'same', rateCode: code } });
    expect([...told(again), again.json.externalOrderId]).toEqual([409, 'external_id_conflict', 'same']);
    expect((await place(running, user, { body: { rateCode: code } })).status).toBe(200);
    const { rival } = running;
    const theirs = await sender(running, rival);
    await placed(running, theirs, { merchant: rival, body: { externalOrderId: 'same' } });
  });

  it('refuses an order while the ledger of the merchant has a fault with 503', async () => {
    const user = await sender(running, running.rival);
    await sql.query(`INSERT INTO ledgers (merchant_id, fault, fault_at) VALUES ($1, 'a test', now())`, [
      running.rival.merchant,
    ]);
    expect(told(await place(running, user, { merchant: running.rival }))).toEqual([503, 'ledger_fault']);
  });
});
