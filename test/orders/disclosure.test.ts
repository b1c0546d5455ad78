/** What senders are told before paying, and what they accepted: POST /orders/preflight, GET /orders/{id}/disclosure */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { locales } from '../../src/locale.js';
import { amount } from '../../src/money/amount.js';
import { type Rate, rateFromLiteral, ratioOf } from '../../src/money/rate.js';
import { discloseTerms, referenceOf } from '../../src/orders/disclosure/disclosure.js';
import { type Answer, done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';
import { type MadeUser, newUser, told } from '../harness/users.js';
import { moveClock } from '../kyc/kyc-service.js';
import { quote } from '../rates/quoting.js';
import { holdLevel, lupita, place, placed, rateCode, sender } from './orders.js';

const running = useRemesa({ hasRates: true });
const { sql } = running;

const preflight = (user: MadeUser, body: Record<string, unknown>, lang = 'en'): Promise<Answer> =>
  running.api.post(`/orders/preflight?userId=${user.id}&lang=${lang}`, {
    token: running.acme.token,
    body: { beneficiary: lupita, purpose: 'gift', ...body },
  });
const disclosureOf = (id: string, query = '') =>
  running.api.get(`/orders/${id}/disclosure${query}`, { token: running.acme.token });

describe('the disclosure', () => {
  it('tells before and after the order the same, with amounts that an independent computation reaches', async () => {
    const user = await sender(running);
    const { json: quoted } = await quote(running);
    const { disclosure } = (await preflight(user, { rateCode: quoted.code })).json;
    const details = (await running.api.get(`/rates/${quoted.code}`, { token: running.acme.token })).json;
    const order = await placed(running, user, { body: { rateCode: quoted.code } });
    const later = done(await disclosureOf(order.id));
    expect(later).toEqual(disclosure);
    // The oracle counts in cents with floats; amounts here are far below where those are inexact.
    const cents = (value: number) => Math.round(value * 100);
    expect(cents(disclosure.transferAmount)).toBe(cents(order.amountIn) - cents(order.fee));
    expect([disclosure.total, disclosure.fee, disclosure.amountReceived]).toEqual([
      order.amountIn,
      order.fee,
      order.amountOut,
    ]);
    const worth = Math.floor((cents(order.amountOut) / details.madeOf.midMarketRate) * (1 + 1e-12));
    expect(cents(disclosure.conversionCost)).toBe(cents(disclosure.transferAmount) - worth);
    expect(cents(disclosure.totalCost)).toBe(cents(disclosure.conversionCost) + cents(order.fee));
    const receivedAtRate = disclosure.transferAmount * disclosure.exchangeRate;
    expect(receivedAtRate).toBeCloseTo(order.amountOut, 0);
    expect(receivedAtRate).toBeLessThanOrEqual(order.amountOut);
    expect(disclosure.availableOn >= new Date().toISOString().slice(0, 10)).toBe(true);
  });

  it('has the words of each language on a page without a script, and another hash for each', async () => {
    const order = await placed(running, await sender(running));
    const hashes = new Set<string>();
    for (const lang of locales) {
      const { json } = await disclosureOf(order.id, `?lang=${lang}`);
      hashes.add(json.textHash);
      const { text, headers } = await disclosureOf(order.id, `?lang=${lang}&format=html`);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(text).toContain(`<html lang="${lang}" dir="${lang === 'ar' || lang === 'ur' ? 'rtl' : 'ltr'}">`);
      for (const { heading } of json.sections) expect(text).toContain(heading);
      expect(text).not.toMatch(/<script|rel="stylesheet"|\{\{|undefined/);
    }
    expect(hashes.size).toBe(locales.length);
  });

  it('tells senders in the United States what 12 CFR 1005.31 asks, and nobody else', async () => {
    const american = await newUser(running, running.acme, {
      countryCode: 'US',
      stateProvince: 'CA',
      postalCode: '94105',
    });
    await holdLevel(running, running.acme, american, 'LEVEL_1');
    const order = await placed(running, american);
    const { json } = await disclosureOf(order.id);
    expect(json).toMatchObject({ regime: 'us', cancellationRightMinutes: 30 });
    const [costs, arrives] = json.sections;
    expect(costs.rows.map(({ label }: { label: string }) => label).slice(0, 5)).toEqual([
      'Transfer amount',
      'Transfer fees',
      'Transfer taxes',
      'Total to pay',
      'Exchange rate',
    ]);
    expect(arrives.rows[0].label).toBe('Total to recipient');
    expect(JSON.stringify(json.sections)).toContain('Consumer Financial Protection Bureau');
    const european = done(await disclosureOf((await placed(running, await sender(running))).id));
    expect(european).toMatchObject({ regime: 'eu', cancellationRightMinutes: null });
    expect(JSON.stringify(european.sections)).not.toContain('Consumer Financial');
    const rival = { token: running.rival.token };
    expect(told(await running.api.get(`/orders/${order.id}/disclosure`, rival))).toEqual([404, 'order_not_found']);
  });
});

describe('an accepted disclosure', () => {
  /** A quote with the disclosure that its preflight shows. */
  const shown = async (user: MadeUser, lang = 'en') => {
    const code = await rateCode(running);
    return { rateCode: code, disclosure: done(await preflight(user, { rateCode: code }, lang)).disclosure };
  };
  const demand = async (acceptedDisclosure: 'optional' | 'required') => {
    const { licensee, version } = (await running.api.get('/operator/licensee', { token: running.admin })).json;
    const body = { version, licensee: { ...licensee, acceptedDisclosure } };
    done(await running.api.call('PUT', '/operator/licensee', { token: running.admin, body }));
  };

  it('stays with the order word for word, in its language, whatever changes later', async () => {
    const user = await sender(running);
    const { rateCode: code, disclosure } = await shown(user, 'es');
    const { textHash } = disclosure;
    const order = await placed(running, user, {
      body: { rateCode: code, acceptedDisclosure: { textHash, language: 'es' } },
    });
    await moveClock(running, running.acme, '40 days');
    const { acceptedAt, ...kept } = done(await disclosureOf(order.id, '?lang=en'));
    expect({ ...kept, acceptedAt: null }).toEqual(disclosure);
    expect(acceptedAt).toBe(order.createdAt);
    const { text } = await disclosureOf(order.id, '?format=html&lang=en');
    expect(text).toContain('<html lang="es"');
    const sections = kept.sections.map(({ heading, rows, notes }: Section) => ({
      heading,
      rows: rows.map(({ label, text: told }) => [label, told]),
      notes,
    }));
    const exact = JSON.stringify(['es', kept.title, sections]);
    expect(createHash('sha256').update(exact).digest('hex')).toBe(textHash);
    const { rows } = await sql.query('SELECT language, text_hash FROM order_disclosures WHERE order_id = $1', [
      order.id,
    ]);
    expect(rows).toEqual([{ language: 'es', text_hash: textHash }]);
    await expect(sql.query('UPDATE order_disclosures SET language = language')).rejects.toThrow(/not allowed/);
  });

  it('is refused with the new hash when the text is another one by now, and takes no quote', async () => {
    const user = await sender(running);
    const { rateCode: code, disclosure } = await shown(user);
    const inFrench = { textHash: disclosure.textHash, language: 'fr' };
    const { textHash } = (await preflight(user, { rateCode: code }, 'fr')).json.disclosure;
    const refused = await place(running, user, { body: { rateCode: code, acceptedDisclosure: inFrench } });
    expect([...told(refused), refused.json.textHash]).toEqual([409, 'disclosure_changed', textHash]);
    const { problems } = (await preflight(user, { rateCode: code, acceptedDisclosure: inFrench })).json;
    expect(problems).toMatchObject([{ status: 409, code: 'disclosure_changed', textHash, language: 'fr' }]);
    const accepted = { textHash, language: 'fr' };
    const body = { rateCode: code, purpose: 'gift', acceptedDisclosure: accepted };
    expect((await preflight(user, body)).json.accepted).toBe(true);
    expect((await place(running, user, { body })).status).toBe(200);
  });

  it('is demanded where the operator says so, and the audit log knows who did', async () => {
    const user = await sender(running);
    await demand('required');
    const { rateCode: code, disclosure } = await shown(user);
    const without = await place(running, user, { body: { rateCode: code } });
    expect(told(without)).toEqual([422, 'disclosure_not_accepted']);
    const { json } = await preflight(user, { rateCode: code });
    expect(json.problems).toMatchObject([{ status: 422, code: 'disclosure_not_accepted' }]);
    const acceptedDisclosure = { textHash: disclosure.textHash, language: 'en' };
    expect((await place(running, user, { body: { rateCode: code, acceptedDisclosure } })).status).toBe(200);
    const { rows } = await sql.query(
      `SELECT details FROM changes WHERE action = 'licensee.changed' AND details::text LIKE '%acceptedDisclosure%'`,
    );
    expect(rows.length).toBe(1);
    await demand('optional');
    expect((await place(running, user)).status).toBe(200);
  });
});

describe('the reference rate', () => {
  const [twenty, nineteen] = [rateFromLiteral('20') as Rate, rateFromLiteral('19') as Rate];
  const cost = (source: string, ecb: Rate | undefined) => {
    const terms = {
      amountIn: amount('EUR', 100_00n),
      amountOut: amount('MXN', 1_900_00n),
      fee: amount('EUR', 0n),
      midRate: nineteen,
      rateSource: source,
    };
    const facts = {
      payee: { country: 'MX', method: 'bank_account' },
      residence: 'ES',
      arrivesAt: new Date(0),
    } as const;
    const reference = referenceOf(terms, ecb && ratioOf(ecb));
    const known = { merchant: undefined as never, licensee: undefined as never, supervisor: undefined };
    const { markupBasisPoints, conversionCost } = discloseTerms({ ...facts, ...known, terms, reference });
    return [reference.source, Number(markupBasisPoints), Number(conversionCost.minor)];
  };

  it('is the ECB’s wherever it publishes one, whoever made the rate of the quote', () => {
    expect(cost('json', twenty)).toEqual(['ecb', 500, 5_00]);
    expect(cost('json', undefined)).toEqual(['json', 0, 0]);
    // A quote that was made of the ECB's rate keeps that of its moment.
    expect(cost('ecb', twenty)).toEqual(['ecb', 0, 0]);
    expect(cost('ecb-2', twenty)).toEqual(['ecb-2', 0, 0]);
  });

  it('may be worse than ours: the cost is then negative', () => {
    expect(cost('json', rateFromLiteral('18') as Rate)).toEqual(['ecb', -555, -5_55]);
  });
});

interface Section {
  readonly heading: string;
  readonly rows: readonly { readonly label: string; readonly text: string }[];
  readonly notes: readonly string[];
}
