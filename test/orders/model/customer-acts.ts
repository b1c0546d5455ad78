/** What merchants and their users do: create, pay, cancel, correct, answer, and leave. */
import { newPublicId } from '../../../src/ids.js';
import type { Answer } from '../../harness/api.js';
import { type MadeUser, newUser } from '../../harness/users.js';
import { lupita } from '../orders.js';
import { type Draw, type Fault, type Lane, onOrder, orderAt } from './lane.js';
import type { ModelService } from './model-service.js';
import { ModelOrder } from './order-model.js';
import type { Outcome } from './order-record.js';
import { type ModelPayment, receive, receiveUnnamed } from './payment-model.js';
import { type Payer, payerName, type Sender, senderNames } from './people.js';
import type { ModelPolicies } from './policy-model.js';

/** The third is on the screening list. The fourth gets on it and off it again. */
const beneficiaries = [
  lupita,
  { ...lupita, account: { clabe: '002010077777777771' } },
  { ...lupita, firstName: 'Iris', lastName: 'Blokwell' },
  { ...lupita, firstName: 'Zenobio', lastName: 'Quiroga Tamez' },
] as const;
/** More orders would only make each of them rarer. */
const mostOrders = 4;

export const create =
  (beneficiary: number, isSentFromUs: boolean, sender: Sender): Draw =>
  (lane) => {
    if (lane.orders.length >= mostOrders || lane.model.isSuspended || lane.model.isPaused) return undefined;
    return {
      name: `create with beneficiary ${beneficiary}${isSentFromUs ? ' from the US' : ''}, sender ${sender}`,
      async ask(service, fault) {
        const { token } = lane.merchant;
        const user = await newSender(service, lane, { isSentFromUs, sender });
        const asked = { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 };
        const quoted = await service.api.post('/rates', { token, body: asked });
        const terms = { rateCode: quoted.json.code, purpose: 'family_support' };
        const body = { ...terms, beneficiary: beneficiaries[beneficiary] };
        const answer = await service.send(`/orders?userId=${user.id}`, { token, body }, fault);
        if (answer.status !== 200) return outcomeOf(answer);
        const { id, payIn } = answer.json;
        if (service.rail.listed.includes(senderNames[sender])) service.rail.stop(id, 'listed');
        lane.orders.push({ id, user, payinReference: payIn.reference, seen: { version: 1 } });
        return outcomeOf(answer);
      },
      expect(model) {
        model.orders.push(new ModelOrder(model.hour, beneficiary, isSentFromUs, sender));
        return [200];
      },
    };
  };

/** A user who may send up to 200 dollars. */
async function newSender(
  service: ModelService,
  lane: Lane,
  { isSentFromUs, sender }: { readonly isSentFromUs: boolean; readonly sender: Sender },
): Promise<MadeUser> {
  const place = isSentFromUs ? { countryCode: 'US', stateProvince: 'TX', postalCode: '78701' } : {};
  const [firstName = '', ...lastNames] = senderNames[sender].split(' ');
  const profile = { ...place, firstName, lastName: lastNames.join(' ') };
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

export interface Paying {
  /** Undefined: what the order is missing, or once more all of it. */
  readonly minor: number | undefined;
  readonly currency: 'USD' | 'EUR';
  readonly payer: Payer;
}
export const exactly: Paying = { minor: undefined, currency: 'USD', payer: 'sender' };

export const pay = (at: number, { minor, currency, payer }: Paying): Draw =>
  onOrder(at, (index, order, { id }, lane) => {
    const due = order.missingMinor > 0 ? order.missingMinor : order.amountInMinor;
    // Always named: the bank of the sandbox does not know the name of a user who was erased.
    const name = payerName(payer, order.sender);
    const payment = { minor: minor ?? due, currency, payer: name };
    return {
      name: `payment of ${minor === undefined ? 'all' : payment.minor} ${currency}${payer === 'sender' ? '' : ` by ${payer}`} of ${index}`,
      async ask(service, fault) {
        const answer = await move(service, lane, { orderId: id, payerName: name, ...amountOf(payment) }, fault);
        const outcome = outcomeOfPayment(answer);
        const taken = { order: index, minor: payment.minor, hour: lane.model.hour, payer: name };
        if (outcome[0] === 'applied') lane.payments.push({ id: answer.json.id, ...taken });
        return outcome;
      },
      expect: (model, around) => receive(model, orderAt(model, index), payment, around),
    };
  });

/** What payers write instead of a reference. */
export const texts = {
  no_reference: () => 'rent for November',
  mistyped_reference: (reference: string) => reference.replace(/.$/, anotherLikeIt),
  several_references: (reference: string, other: string) => `${reference} ${other}`,
} as const;

/** A digit for a digit and a letter for a letter: check digits show each such error, and 96 of 97 others. */
function anotherLikeIt(character: string): string {
  const [one, other] = /\d/.test(character) ? '37' : 'AB';
  return (character === one ? other : one) as string;
}

export const payUnnamed = (at: number, text: keyof typeof texts): Draw =>
  onOrder(at, (index, _order, { payinReference }, lane) => {
    const other = lane.orders[(index + 1) % lane.orders.length]?.payinReference ?? '';
    if (text === 'several_references' && other === payinReference) return undefined;
    const payment = { minor: 10_000, currency: 'USD', payer: senderNames.clean } as const;
    return {
      name: `payment with ${text} of ${index}`,
      async ask(service, fault) {
        const reference = texts[text](payinReference, other);
        const body = { reference, payerName: senderNames.clean, ...amountOf(payment) };
        return outcomeOfPayment(await move(service, lane, body, fault));
      },
      expect(model) {
        const outcome = receiveUnnamed(model, text, payment);
        const record = model.suspense.at(-1);
        // One character is wrong: operators see which order was meant.
        if (record && text === 'mistyped_reference') record.order = index;
        return outcome;
      },
    };
  });

/** Money moves to the merchant's simulated account. Each user has one account, and so have all that nobody knows. */
async function move(
  service: ModelService,
  { merchant: { token }, orders, paidFrom }: Lane,
  body: Readonly<Record<string, unknown>> & { readonly amount: number; readonly currency: string },
  fault: Fault,
): Promise<Answer> {
  const answer = await service.send('/sandbox/payments', { token, body }, fault);
  const user = orders.find(({ id }) => id === body.orderId)?.user.id ?? 0;
  const key = `SIMULATED-${user} ${body.currency}`;
  if (answer.status === 200) paidFrom.set(key, (paidFrom.get(key) ?? 0) + Math.round(body.amount * 100));
  return answer;
}

function amountOf({ minor, currency }: ModelPayment) {
  return { amount: minor / 100, currency };
}

function outcomeOfPayment(answer: Answer): Outcome {
  if (answer.status !== 200) return outcomeOf(answer);
  return [answer.json.outcome === 'applied' ? 'applied' : answer.json.reason];
}

/** The merchant declares what becomes of payments that do not match. */
export const declare =
  (policies: ModelPolicies): Draw =>
  ({ merchant: { token }, model: { policyVersion } }) => ({
    name: `policies ${Object.values(policies).join(' ')}`,
    ask: ({ api }) =>
      sent(api.call('PUT', '/merchant/policies', { token, body: { ...policies, version: policyVersion } })),
    expect(model) {
      model.policies = policies;
      model.policyVersion += 1;
      return [200];
    },
  });

export const cancel = (at: number): Draw =>
  onOrder(at, (index, _order, { id }, lane) => ({
    name: `cancellation of ${index}`,
    ask: (service, fault) => sent(service.send(`/orders/${id}/cancel`, { token: lane.merchant.token }, fault)),
    expect: (model, around) => orderAt(model, index).cancel(around),
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

/**
 * Answers everything that is asked for. `isAccepted`: whether the sender accepts new terms, where these are among it.
 */
export const provide = (at: number, isAccepted: boolean): Draw =>
  onOrder(at, (index, order, { id }, lane) => ({
    name: `information for ${index}, ${isAccepted ? 'accepting' : 'refusing'}`,
    ask(service, fault) {
      const given = { purpose: 'School fees.', requote: isAccepted ? 'accept' : 'refuse' } as const;
      const asked = order.requirements.length > 0 ? order.requirements : (['purpose'] as const);
      const body = { answers: asked.map((code) => ({ code, answer: given[code] })) };
      return sent(service.send(`/orders/${id}/information`, { token: lane.merchant.token, body }, fault));
    },
    expect: (model, around) => orderAt(model, index).provideInformation(isAccepted, around),
  }));

export const erase = (at: number): Draw =>
  onOrder(at, (index, _order, { user }, lane) => ({
    name: `erasure of the user of ${index}`,
    ask: ({ api }) => sent(api.call('DELETE', `/user?userId=${user.id}`, { token: lane.merchant.token })),
    expect: (model) => orderAt(model, index).erase(),
  }));

function outcomeOf(answer: Answer): Outcome {
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
