/** What merchants and their users do: create, pay, cancel, correct, answer, and leave. */
import { newPublicId } from '../../../src/ids.js';
import type { Answer } from '../../harness/api.js';
import { type MadeUser, newUser } from '../../harness/users.js';
import { lupita } from '../orders.js';
import { type Draw, type Lane, onOrder, orderAt } from './lane.js';
import type { ModelService } from './model-service.js';
import { ModelOrder, type Outcome } from './order-model.js';

/** The third is on the screening list. The fourth gets on it and off it again. */
const beneficiaries = [
  lupita,
  { ...lupita, account: { clabe: '002010077777777771' } },
  { ...lupita, firstName: 'Iris', lastName: 'Blokwell' },
  { ...lupita, firstName: 'Zenobio', lastName: 'Quiroga Tamez' },
] as const;
const amounts = { exact: undefined, short: 60, over: 140 } as const;
/** More orders would only make each of them rarer. */
const mostOrders = 4;

export const create =
  (beneficiary: number, isSentFromUs: boolean): Draw =>
  (lane) => {
    if (lane.orders.length >= mostOrders || lane.model.isSuspended) return undefined;
    return {
      name: `create with beneficiary ${beneficiary}${isSentFromUs ? ' from the US' : ''}`,
      async ask(service, fault) {
        const { token } = lane.merchant;
        const user = await sender(service, lane, isSentFromUs);
        const asked = { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 };
        const quoted = await service.api.post('/rates', { token, body: asked });
        const body = {
          ...{
            rateCode: quoted.json.code,
            purpose: 'family_support',
            beneficiary: beneficiaries[beneficiary],
          },
        };
        const answer = await service.send(`/orders?userId=${user.id}`, { token, body }, fault);
        if (answer.status === 200) lane.orders.push({ id: answer.json.id, user, seen: { version: 1 } });
        return outcomeOf(answer);
      },
      expect(model) {
        model.orders.push(new ModelOrder(model.hour, beneficiary, isSentFromUs));
        return [200];
      },
    };
  };

/** A user who may send up to 200 dollars. */
async function sender(service: ModelService, lane: Lane, isSentFromUs: boolean): Promise<MadeUser> {
  const profile = isSentFromUs ? { countryCode: 'US', stateProvince: 'TX', postalCode: '78701' } : {};
  const user = await newUser({ api: service.api }, lane.merchant, profile);
  lane.users.push(user.id);
  // One round trip: a case begins as PENDING and takes each step.
  const whose = `merchant_id = ${Number(lane.merchant.merchant)} AND user_id = ${Number(user.id)}`;
  const step = (state: string) =>
    `UPDATE kyc_cases SET state = '${state}', version = version + 1, expires_at = now() + interval '9 years' WHERE ${whose}`;
  await service.sql.query(
    `INSERT INTO kyc_cases (merchant_id, case_id, user_id, level, zone, created_at, updated_at)
     VALUES (${Number(lane.merchant.merchant)}, '${newPublicId('kyc')}', ${Number(user.id)}, 'LEVEL_1', 'EEA', now(), now());
     ${step('SUBMITTED')}; ${step('APPROVED')}`,
  );
  return user;
}

export const pay = (at: number, amount: keyof typeof amounts, isByAnother: boolean): Draw =>
  onOrder(at, (index, _order, { id }, lane) => ({
    name: `${amount} payment${isByAnother ? ' by another' : ''} of ${index}`,
    async ask(service, fault) {
      const body = {
        orderId: id,
        ...(amounts[amount] === undefined ? {} : { amount: amounts[amount] }),
        ...(isByAnother ? { payerName: 'Bartholomew Quill' } : {}),
      };
      const { token } = lane.merchant;
      const answer = await service.send('/sandbox/payments', { token, body }, fault);
      if (answer.status !== 200) return outcomeOf(answer);
      return [answer.json.outcome === 'applied' ? 'applied' : answer.json.reason];
    },
    expect: (model) => orderAt(model, index).pay(model.hour, amount, isByAnother),
  }));

export const cancel = (at: number): Draw =>
  onOrder(at, (index, _order, { id }, lane) => ({
    name: `cancellation of ${index}`,
    ask: (service, fault) =>
      sent(service.send(`/orders/${id}/cancel`, { token: lane.merchant.token }, fault)),
    expect: (model) => orderAt(model, index).cancel(),
  }));

export const correct = (at: number, beneficiary: number): Draw =>
  onOrder(at, (index, _order, { id }, lane) => ({
    name: `correction of ${index} to ${beneficiary}`,
    ask(service, fault) {
      const ask = { token: lane.merchant.token, body: { beneficiary: beneficiaries[beneficiary] } };
      return sent(service.send(`/orders/${id}/beneficiary`, ask, fault));
    },
    expect: (model) => orderAt(model, index).correct(beneficiary),
  }));

export const provide = (at: number): Draw =>
  onOrder(at, (index, _order, { id }, lane) => ({
    name: `information for ${index}`,
    ask(service, fault) {
      const body = { answers: [{ code: 'purpose', answer: 'School fees.' }] };
      return sent(service.send(`/orders/${id}/information`, { token: lane.merchant.token, body }, fault));
    },
    expect: (model) => orderAt(model, index).provideInformation(),
  }));

export const erase = (at: number): Draw =>
  onOrder(at, (index, _order, { user }, lane) => ({
    name: `erasure of the user of ${index}`,
    ask: ({ api }) => sent(api.call('DELETE', `/user?userId=${user.id}`, { token: lane.merchant.token })),
    expect: (model) => orderAt(model, index).erase(),
  }));

export function outcomeOf(answer: Answer): Outcome {
  return answer.status < 300 ? [200] : [answer.status, answer.json.code];
}

export async function sent(answer: Promise<Answer>): Promise<Outcome> {
  return outcomeOf(await answer);
}

/** A suspended merchant is refused, whatever it asks for. */
export function byMerchant(draw: Draw): Draw {
  return (lane) => {
    const act = draw(lane);
    return act && lane.model.isSuspended ? { ...act, expect: () => [401, 'unauthorized'] } : act;
  };
}
