/** GET /orders/{id}/receipt */
import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { simulatedLicensee } from '../../src/licensee/licensee.js';
import { licenseeChanged } from '../../src/licensee/service.js';
import { locales } from '../../src/locale.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { newUser, told, userToken } from '../harness/users.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { orderJobNames } from '../orders/orders.js';
import { holdLevel, lupita, place, placed, rateCode, sender } from './orders.js';
import { drive, paidOrder } from './paid.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });

const receiptOf = (id: string, query = '', headers: Record<string, string> = {}) =>
  running.api.get(`/orders/${id}/receipt${query}`, { token: running.acme.token, headers });
const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('GET /orders/{id}/receipt 200', () => {
  it('says what was paid, what it cost, who sends and who receives, with the account masked', async () => {
    const user = await sender(running);
    const order = await paidOrder(running, user, { body: { externalOrderId: 'invoice-7' } });
    const done = await drive(running, order, 'convert', 'submit_payout', 'complete');
    const { json } = await receiptOf(order.orderId);
    expect(json).toMatchObject({
      orderId: order.orderId,
      externalOrderId: 'invoice-7',
      merchant: 'The merchant acme',
      status: 'COMPLETED',
      ...{ fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100, fee: 1.3, transferAmount: 98.7 },
      ...{ amountReceived: 100, amountRefunded: 0, reference: order.payinReference },
      sender: { name: 'Ana Reyes Núñez' },
      beneficiary: {
        name: 'Guadalupe Ortega Ruiz',
        country: 'MX',
        method: 'bank_account',
        account: '****9719',
      },
      paidAt: order.updatedAt.toISOString(),
      completedAt: done.updatedAt.toISOString(),
      refundedAt: null,
      cancellable: 'no',
      contact: { name: 'The merchant acme', email: null, url: null },
      version: 5,
    });
    // What the transfer amount buys at the exchange rate of six digits is what arrives, to within its last digit.
    expect(json.transferAmount * json.exchangeRate).toBeCloseTo(json.amountOut, 0);
    expect((await receiptOf('ext-invoice-7')).json).toEqual(json);
  });

  it('has a proof by the published key over everything but personal data', async () => {
    const order = await paidOrder(running, await sender(running));
    const { json } = await receiptOf(order.orderId);
    const keys = (await running.api.get('/.well-known/quote-keys.json')).json;
    const { payload } = await compactVerify(json.proof, createLocalJWKSet(keys));
    expect(decodeProtectedHeader(json.proof).typ).toBe('remesa-receipt+json');
    const signed = JSON.parse(Buffer.from(payload).toString());
    const { sender: _, beneficiary: __, contact: ___, licensee: ______, proof: ____, ...others } = json;
    const {
      externalOrderId: _____,
      cancellable,
      cancellableUntil,
      estimatedArrivalAt,
      availableOn,
      ...expected
    } = others;
    expect(signed).toEqual(expected);
    for (const personal of ['Ana', 'Reyes', 'Guadalupe', 'Ortega', '9719'])
      expect(JSON.stringify(signed)).not.toContain(personal);
    expect((await receiptOf(order.orderId)).json.proof).toBe(json.proof);
  });

  it('is a page for whoever prefers HTML, in each language, complete in itself and without a script', async () => {
    const order = await paidOrder(running, await sender(running));
    for (const lang of locales) {
      const { text, headers } = await receiptOf(order.orderId, `?lang=${lang}`, { accept: browserAccept });
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(text).toContain(`<html lang="${lang}" dir="${lang === 'ar' || lang === 'ur' ? 'rtl' : 'ltr'}">`);
      for (const shown of [order.orderId, order.payinReference, 'Ana Reyes Núñez', 'Guadalupe Ortega Ruiz', '****9719'])
        expect(text).toContain(shown);
      expect(text).not.toMatch(/<script|rel="stylesheet"|(src|href)="http|\{\{|undefined/);
      expect(text).not.toContain('032180000118359719');
    }
    const { headers } = await receiptOf(order.orderId, '?format=html');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('says as soon as it is paid on which bank day the money is there, and no longer once it goes back', async () => {
    const user = await sender(running);
    // A Sunday; the Monday after it is a holiday in Mexico.
    const change = { estimatedArrivalAt: new Date('2026-11-15T15:00:00Z') };
    const order = await paidOrder(running, user, { change });
    const { json } = await receiptOf(order.orderId);
    expect(json).toMatchObject({ availableOn: '2026-11-17', estimatedArrivalAt: '2026-11-15T15:00:00.000Z' });
    const { text } = await receiptOf(order.orderId, '?format=html');
    expect(text).toMatch(/<time datetime="2026-11-17">[^<]*November[^<]*<\/time>/);
    await drive(running, order, 'cancel_and_refund');
    const later = (await receiptOf(order.orderId)).json;
    expect([later.status, later.availableOn, later.estimatedArrivalAt]).toEqual(['REFUND_PENDING', null, null]);
    expect((await receiptOf(order.orderId, '?format=html')).text).not.toContain('2026-11-17');
  });

  it('chooses by format before Accept, and by lang before Accept-Language', async () => {
    const { orderId } = await paidOrder(running, await sender(running));
    const typeOf = async (query: string, headers: Record<string, string>) =>
      (await receiptOf(orderId, query, headers)).headers.get('content-type')?.split(';')[0];
    expect({
      nothing: await typeOf('', {}),
      browser: await typeOf('', { accept: browserAccept }),
      both: await typeOf('', { accept: 'text/html;q=0.5, application/json' }),
      json: await typeOf('?format=json', { accept: browserAccept }),
      html: await typeOf('?format=html', { accept: 'application/json' }),
    }).toEqual({
      nothing: 'application/json',
      browser: 'text/html',
      both: 'application/json',
      json: 'application/json',
      html: 'text/html',
    });
    const languageOf = async (query: string, acceptLanguage: string) =>
      /<html lang="(\w+)"/.exec(
        (await receiptOf(orderId, `?format=html${query}`, { 'accept-language': acceptLanguage })).text,
      )?.[1];
    expect(await languageOf('', 'fr-CA, en;q=0.5')).toBe('fr');
    expect(await languageOf('&lang=pt', 'fr')).toBe('pt');
    expect(await languageOf('', 'de')).toBe('en');
    expect(told(await receiptOf(orderId, '?lang=de'))).toEqual([400, 'invalid_fields']);
  });

  it('tells a sender in the United States until when to cancel, and how to dispute an error', async () => {
    const cancellableUntil = new Date('2030-01-02T15:30:00Z');
    const order = await paidOrder(running, await sender(running), { change: { cancellableUntil } });
    expect((await receiptOf(order.orderId)).json).toMatchObject({
      cancellable: 'yes',
      cancellableUntil: cancellableUntil.toISOString(),
    });
    const { text } = await receiptOf(order.orderId, '?format=html');
    expect(text).toMatch(/cancel for a full refund until \u20682 January 2030 at 15:30 UTC\u2069/);
    expect(text).toContain('within 180 days');
    expect(text).toContain('Consumer Financial Protection Bureau');
    const other = await paidOrder(running, await sender(running));
    const elsewhere = (await receiptOf(other.orderId, '?format=html')).text;
    expect(elsewhere).toContain('You can cancel until the money is on its way');
    expect(elsewhere).not.toContain('180 days');
  });

  it('escapes names, and shows the user token of the sender the same', async () => {
    const user = await newUser(running, running.acme, { firstName: '<b>Ana</b>', lastName: '"&\'' });
    await holdLevel(running, running.acme, user, 'LEVEL_1');
    const beneficiary = { ...lupita, firstName: 'Lupe', lastName: 'O’Brien' };
    const order = await paidOrder(running, user, { body: { beneficiary } });
    const token = await userToken(running, running.acme, user);
    const own = await running.api.get(`/orders/${order.orderId}/receipt?format=html`, { token });
    expect(own.text).toBe((await receiptOf(order.orderId, '?format=html')).text);
    expect(own.text).toContain('&lt;b>Ana&lt;/b>');
    expect(own.text).not.toContain('<b>Ana');
  });

  it('does not tell a freeze: frozen and reviewed orders have the same receipt', async () => {
    const make = async (...events: Parameters<typeof drive>[2][]) => {
      const order = await paidOrder(running, await sender(running));
      await drive(running, order, ...events);
      const texts = await Promise.all(['', '?format=html'].map((query) => receiptOf(order.orderId, query)));
      const { proof, ...shown } = texts[0]?.json ?? {};
      const signed = Buffer.from(proof.split('.')[1], 'base64url').toString();
      const all = [JSON.stringify(shown), signed, texts[1]?.text.replace(proof, '')].join('\n');
      return all
        .replaceAll(order.orderId, 'order')
        .replaceAll(order.payinReference, 'reference')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d+ \w+ \d{4} at \d\d:\d\d/g, 'time');
    };
    const reviewed = await make('refer');
    expect(await make('freeze')).toBe(reviewed);
    expect(await make('refer', 'freeze')).toBe(reviewed);
    expect(await make('refer', 'freeze', 'release')).toBe(reviewed);
  });

  it('names nobody after the user was deleted, and keeps the amounts', async () => {
    const user = await sender(running);
    const order = await paidOrder(running, user);
    await drive(running, order, 'convert', 'submit_payout', 'complete');
    const before = (await receiptOf(order.orderId)).json;
    const { token } = running.acme;
    expect((await running.api.call('DELETE', `/user?userId=${user.id}`, { token })).status).toBe(200);
    const after = (await receiptOf(order.orderId)).json;
    expect(after).toEqual({
      ...before,
      sender: null,
      beneficiary: { ...before.beneficiary, name: null },
    });
    const { text } = await receiptOf(order.orderId, '?format=html');
    expect(text).not.toMatch(/Ana|Guadalupe|undefined/);
  });
});

describe('GET /orders/{id}/receipt', () => {
  it('refuses an order that is not paid, with 409, and one of another merchant or user, with 404', async () => {
    const user = await sender(running);
    const { id } = await placed(running, user);
    const refused = await receiptOf(id, '?format=html');
    expect(told(refused)).toEqual([409, 'receipt_not_available']);
    expect(refused.json.orderStatus).toBe('AWAITING_PAYMENT');
    await running.api.post(`/orders/${id}/cancel`, { token: running.acme.token });
    expect(told(await receiptOf(id))).toEqual([409, 'receipt_not_available']);
    const paid = await paidOrder(running, user);
    const theirs = await userToken(running, running.acme, await sender(running));
    for (const token of [running.rival.token, theirs])
      expect(told(await running.api.get(`/orders/${paid.orderId}/receipt`, { token }))).toEqual([
        404,
        'order_not_found',
      ]);
  });
});

describe('the licensee', () => {
  const ours = {
    ...simulatedLicensee,
    legalName: 'Acme Payments Inc.',
    supervisors: [
      { name: 'Home Bank', address: 'Home Street 1', phone: '+1 555 0100', country: 'US' },
      { name: 'Department of California', address: 'Sacramento', phone: '+1 555 0101', country: 'US', region: 'CA' },
    ],
    complaints: { email: 'wrong@acme.example', address: 'Complaint Street 1' },
  };
  const save = (body: object) => running.api.call('PUT', '/operator/licensee', { token: running.admin, body });

  const inState = async (stateProvince: string) => {
    const user = await newUser(running, running.acme, { countryCode: 'US', stateProvince, postalCode: '94105' });
    await holdLevel(running, running.acme, user, 'LEVEL_1');
    return user;
  };

  it('names the licensee, the authority of the sender’s state, and where to complain, as soon as they change', async () => {
    const { version } = done(await running.api.get('/operator/licensee', { token: running.admin }));
    const order = await paidOrder(running, await inState('CA'));
    done(await save({ version, licensee: ours }));
    expect((await save({ version, licensee: ours })).json).toMatchObject({ code: 'version_conflict' });
    const { json } = await receiptOf(order.orderId);
    expect(json.licensee).toMatchObject({
      ...{ legalName: 'Acme Payments Inc.', supervisor: { name: 'Department of California', phone: '+1 555 0101' } },
      complaints: { email: 'wrong@acme.example', address: 'Complaint Street 1' },
    });
    const { text } = await receiptOf(order.orderId, '?format=html');
    for (const shown of ['Acme Payments Inc.', 'Department of California', '+1 555 0101', 'wrong@acme.example'])
      expect(text).toContain(shown);
    const other = await paidOrder(running, await inState('NY'));
    expect((await receiptOf(other.orderId)).json.licensee.supervisor.name).toBe('Home Bank');
    const twice = { ...ours, supervisors: [...ours.supervisors, ours.supervisors[0]] };
    expect((await save({ version: version + 1, licensee: twice })).json).toMatchObject({
      code: 'invalid_fields',
      errors: [{ field: 'supervisors.2' }],
    });
  });

  it('no order is taken without a licensee, and preflight says why', async () => {
    const user = await sender(running);
    await withoutTriggers(running.sql, (client) => client.query('DELETE FROM licensee'));
    await running.service.database.transaction(async (tx) => tx.wake(licenseeChanged));
    await eventually(async () => (await place(running, user)).json.code === 'licensee_missing');
    const body = { rateCode: await rateCode(running), beneficiary: lupita, purpose: 'gift' };
    const { json } = await running.api.post(`/orders/preflight?userId=${user.id}`, { token: running.acme.token, body });
    expect(json).toMatchObject({ accepted: false, problems: [{ code: 'licensee_missing' }] });
  });
});
