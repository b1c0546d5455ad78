/** What must be known of the sender of an order, and where it goes: POST /orders, GET /beneficiaries/requirements */
import { describe, expect, it } from 'vitest';
import { demandsIn, isFrom, missingFor } from '../../src/countries/originator.js';
import { RemesaError } from '../../src/errors.js';
import { merchantId, storedPublicId, userId } from '../../src/ids.js';
import { senderOf } from '../../src/orders/order/copies/copies.js';
import { sealSender } from '../../src/orders/order/copies/sealed.js';
import { findOrder } from '../../src/orders/order/store.js';
import { Originators } from '../../src/orders/placing/originators.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { ana, type MadeUser, newUser, told } from '../harness/users.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { submitted, useKycService } from '../kyc/kyc-service.js';
import { quote } from '../rates/quoting.js';
import { lupita } from './orders.js';

const kyc = useKycService();

const grant = async (user: MadeUser) =>
  done(await kyc.api.post(`/sandbox/kyc?userId=${user.id}`, { token: kyc.acme.token, body: { kycLevel: 'LEVEL_2' } }));
const body = async (amountIn: number) => {
  const quoted = await eventually(
    async () => {
      const answer = await quote(kyc, { amountIn });
      return answer.status === 200 ? answer : undefined;
    },
    { what: 'a rate on the board' },
  );
  return { rateCode: quoted.json.code, beneficiary: lupita, purpose: 'gift' };
};
const ask = async (user: MadeUser, amountIn: number) => {
  const asking = { token: kyc.acme.token, body: await body(amountIn) };
  const tried = done(await kyc.api.post(`/orders/preflight?userId=${user.id}`, asking));
  return { tried, created: await kyc.api.post(`/orders?userId=${user.id}`, asking) };
};
const keptSender = async (id: string) => {
  const { database } = kyc.service;
  const ref = { merchantId: merchantId(kyc.acme.merchant), orderId: storedPublicId('ord', id) };
  const order = await findOrder(database, ref);
  return order && senderOf(kyc.users, database, order);
};

/** As an order whose sender had to say less. */
const forgetDocument = async (id: string) => {
  const { database } = kyc.service;
  const ref = { merchantId: merchantId(kyc.acme.merchant), orderId: storedPublicId('ord', id) };
  const order = await findOrder(database, ref);
  const key = order && (await kyc.users.retainedKey(database, order.merchantId, order.userId));
  const sender = await keptSender(id);
  if (!order || !key || !sender?.originator) throw new Error('the order has no sender');
  const { address, birthDate = '' } = sender.originator;
  const less = sealSender(key, order, { ...sender, originator: { address, birthDate } });
  await withoutTriggers(kyc.sql, (client) =>
    client.query('UPDATE orders SET sealed_sender = $2 WHERE order_id = $1', [id, less]),
  );
};

describe('the sender of an order', () => {
  it('must be known as the law of the direction and the value asks', async () => {
    const hits = {
      identity: async () => () => ({ birthDate: '1985-04-12', birthPlace: undefined, document: undefined }),
    };
    const [profile, key] = [{ ...ana, countryCode: 'US' }, Buffer.alloc(32)];
    const place = { licensee: { country: 'ES' }, residence: 'US', payout: 'MX' };
    const refusal = async (mode: 'sandbox' | 'live', usdMinor: bigint) => {
      const originators = new Originators({ hits, mode });
      const read = await originators.read(kyc.service.database, merchantId(kyc.acme.merchant), userId(1));
      try {
        originators.require(read(profile, key), place, usdMinor);
        return undefined;
      } catch (error) {
        if (!(error instanceof RemesaError)) throw error;
        return [error.code, error.details.members?.missing, error.details.members?.demands];
      }
    };
    expect(await refusal('live', 1_000_00n)).toEqual([
      'originator_incomplete',
      ['document_number'],
      [
        {
          name: 'Transfer of funds out of the EEA',
          article: 'Regulation (EU) 2023/1113 art. 4(1)(c)',
          anyOf: [['address', 'document_number'], ['birth_date_and_place']],
          missing: ['document_number'],
        },
      ],
    ]);
    expect(await refusal('live', 999_99n)).toBeUndefined();
    expect(await refusal('sandbox', 1_000_00n)).toBeUndefined();
  });

  it('is never less in a sandbox than the levels of the user stand for, and preflight names the articles', async () => {
    const american = { countryCode: 'US', stateProvince: 'CA', postalCode: '94105' };
    const { user } = await submitted(kyc, { zone: 'US' }, { profile: american, answers: { stateProvince: 'CA' } });
    await grant(user);
    const { tried, created } = await ask(user, 1_000);
    expect(tried.problems).toEqual([]);
    expect(tried.sender.map(({ article }: { article: string }) => article)).toEqual([
      'FATF R.16, interpretive note',
      'Regulation (EU) 2023/1113 art. 4(1)(c)',
      '31 CFR 1010.410(f)(1)',
    ]);
    const sender = await keptSender(done(created).id);
    expect(sender?.originator).toMatchObject({ documentNumber: 'SANDBOX0000', birthPlace: 'Sandbox' });
    expect(sender?.originator?.birthDate).not.toBe('1990-01-01');
  });

  it('must be known for the country of a corrected beneficiary too, as an order there would ask', async () => {
    const user = await newUser(kyc, kyc.acme, {});
    await grant(user);
    const town = { address: { town: 'Madrid', country: 'ES' } };
    const inSpain = {
      ...lupita,
      ...town,
      country: 'ES',
      currency: 'EUR',
      account: { iban: 'ES9121000418450200051332' },
    };
    const abroad = { address: { town: 'Prishtinë', country: 'XK' }, country: 'XK' };
    const inKosovo = { ...inSpain, ...abroad, account: { iban: 'XK051212012345678906' } };
    const order = async (amountIn: number) => {
      const { json: quoted } = await quote(kyc, { amountIn, fiatOut: 'EUR' });
      const asked = { rateCode: quoted.code, beneficiary: inSpain, purpose: 'gift' };
      const { id } = done(await kyc.api.post(`/orders?userId=${user.id}`, { token: kyc.acme.token, body: asked }));
      await forgetDocument(id);
      return id;
    };
    const correct = (id: string, beneficiary: object) =>
      kyc.api.post(`/orders/${id}/beneficiary`, { token: kyc.acme.token, body: { beneficiary } });
    const [large, small] = [await order(1_000), await order(500)];
    const refused = await correct(large, inKosovo);
    expect([...told(refused), refused.json.missing]).toEqual([422, 'originator_incomplete', ['document_number']]);
    expect(done(await correct(large, { ...inSpain, firstName: 'Ana' })).version).toBe(2);
    expect(done(await correct(small, inKosovo)).version).toBe(2);
  });

  it('stays with the order: address, date and place of birth as the form said', async () => {
    const answers = { dateOfBirth: '1985-04-12', placeOfBirth: 'Cádiz' };
    const { user } = await submitted(kyc, {}, { answers });
    await grant(user);
    const { created } = await ask(user, 1_000);
    const sender = await keptSender(done(created).id);
    expect(sender?.originator).toEqual({
      address: {
        street: expect.any(String),
        town: expect.any(String),
        region: expect.any(String),
        postalCode: expect.any(String),
        country: 'ES',
      },
      birthDate: '1985-04-12',
      birthPlace: 'Cádiz',
      // A sandbox makes up what the form of LEVEL_1 has not asked.
      documentNumber: 'SANDBOX0000',
    });
    expect(JSON.stringify(created.json)).not.toContain('Cádiz');
  });

  it('is asked for what GET /beneficiaries/requirements says', async () => {
    const asked = async (country: string, currency: string) => {
      const query = `country=${country}&currency=${currency}&method=bank_account`;
      const { json } = await kyc.api.get(`/beneficiaries/requirements?${query}`, { token: kyc.acme.token });
      return json.sender.map(({ appliesTo, fromUsd }: { appliesTo: string; fromUsd: number }) => [appliesTo, fromUsd]);
    };
    expect(await asked('MX', 'MXN')).toEqual([
      ['all', 0],
      ['out_of_eea', 1000],
      ['from_us', 3000],
    ]);
    expect(await asked('ES', 'EUR')).toEqual([
      ['all', 0],
      ['from_us', 3000],
    ]);
  });
});

describe('the demands on the sender', () => {
  const articles = (licensedIn: string, residence: string, payout: string) =>
    demandsIn({ licensedIn, residence, payout }).map(({ appliesTo }) => appliesTo);

  it('follow who holds the licence, where the sender lives and where the money goes', () => {
    expect(articles('ES', 'ES', 'MX')).toEqual(['all', 'out_of_eea']);
    expect(articles('ES', 'ES', 'NO')).toEqual(['all']);
    expect(articles('GB', 'US', 'MX')).toEqual(['all', 'from_us']);
  });

  it('begin at their value, and hold while the value is not known', () => {
    const [, outOfEea] = demandsIn({ licensedIn: 'ES', residence: 'ES', payout: 'MX' });
    if (!outOfEea) throw new Error('the demand is missing');
    expect([isFrom(outOfEea, 999_99n), isFrom(outOfEea, 1_000_00n), isFrom(outOfEea, undefined)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(missingFor(outOfEea, new Set(['address']))).toEqual(['document_number']);
    expect(missingFor(outOfEea, new Set(['document_number']))).toEqual(['address']);
    expect(missingFor(outOfEea, new Set(['birth_date_and_place']))).toEqual([]);
    expect(missingFor(outOfEea, new Set())).toEqual(['birth_date_and_place']);
  });
});
