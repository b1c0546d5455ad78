/** A whole transfer as a merchant's program makes it: each request by itself. */
import { randomInt } from 'node:crypto';
import type { KycCase, NewBeneficiary } from '../packages/client/src/index.js';
import { type Client, DemoFailed } from './client.js';
import { type FindBrowser, fillInForm } from './form.js';
import type { Inbox } from './inbox.js';

const user = {
  firstName: 'Ana',
  lastName: 'Reyes',
  email: 'ana@example.com',
  address: '12 Calle del Sol',
  city: 'Valencia',
  stateProvince: 'Valencia',
  countryCode: 'ES',
  postalCode: '46001',
};
/** Another birthday each time: a second user with the same name and birthday would be reviewed. */
const newAnswers = () => ({
  ...{
    firstName: user.firstName,
    lastName: user.lastName,
    placeOfBirth: 'Sevilla',
    nationality: 'ES',
    politicallyExposed: 'no',
  },
  ...{ 'dateOfBirth-day': between(1, 28), 'dateOfBirth-month': between(1, 12) },
  'dateOfBirth-year': between(1950, 2000),
  ...{ countryCode: 'ES', address: user.address, city: user.city, stateProvince: user.stateProvince },
  ...{ postalCode: user.postalCode, consent: 'yes' },
});
/** Another account each time: many senders who pay one account would be reviewed. */
const newBeneficiary = (): NewBeneficiary => ({
  ...{ country: 'MX', currency: 'MXN', method: 'bank_account', type: 'person' },
  ...{ firstName: 'Guadalupe', lastName: 'Ortega Ruiz' },
  address: { town: 'Guadalajara', country: 'MX' },
  account: { clabe: withCheckDigit(`03218${between(0, 999_999_999_999).padStart(12, '0')}`) },
});
const patienceMs = 60_000;
const betweenLooksMs = 50;

/** Returns the id of the completed order. Throws `DemoFailed` when something did not happen. */
export async function playTransfer(client: Client, inbox: Inbox, findBrowser: FindBrowser): Promise<string> {
  const userId = await registerAndVerify(client, inbox, findBrowser);
  const { screen } = client;
  await screen.chapter('Ask for a price');
  const quote = await client.show(({ rates }) => rates.create({ fiatIn: 'EUR', fiatOut: 'MXN', amountIn: 100 }));
  await screen.chapter('Say who gets the money');
  const { id: beneficiaryId } = await client.show(
    ({ beneficiaries }) => beneficiaries.create(newBeneficiary(), { userId }),
    ['id', 'country', 'currency', 'method', 'account'],
  );
  await screen.chapter('Place the order');
  const order = await client.show(
    ({ orders }) => orders.create({ rateCode: quote.code, beneficiaryId, purpose: 'family_support' }, { userId }),
    ['id', 'status', 'amountIn', 'amountOut', 'rate', 'fee', 'paymentDueAt', 'payIn'],
  );
  await inbox.waitFor('order.awaiting_payment', order.id);
  await screen.chapter('The sender pays, and the money goes out');
  await client.show(({ sandbox }) => sandbox.pay({ orderId: order.id }), ['id', 'amount', 'currency', 'outcome']);
  await inbox.waitFor('order.completed', order.id);
  const { status } = await client.remesa.orders.get(order.id);
  if (status !== 'COMPLETED') throw new DemoFailed(`The order is ${status}, and not COMPLETED.`);
  return order.id;
}

async function registerAndVerify(client: Client, inbox: Inbox, findBrowser: FindBrowser): Promise<number> {
  const { screen } = client;
  await screen.chapter('Register a user');
  const { id: userId } = await client.show(({ users }) => users.create(user));
  await screen.chapter('Verify the identity of the user');
  const link = await client.show(({ kyc }) => kyc.createLink({ kycLevel: 'LEVEL_1', zone: 'EEA' }, { userId }));
  await fillInForm(screen, link.url, newAnswers(), findBrowser);
  const approved = await decided(client, userId);
  await inbox.waitFor('kyc.approved', approved.id);
  await client.show(({ kyc }) => kyc.levels({ userId }));
  return userId;
}

function between(least: number, most: number): string {
  return String(randomInt(least, most + 1));
}

/** The last digit of a Mexican account: weights 3, 7 and 1. */
function withCheckDigit(first17: string): string {
  const sum = [...first17].reduce(
    (total, digit, index) => total + ((Number(digit) * ([3, 7, 1][index % 3] ?? 0)) % 10),
    0,
  );
  return `${first17}${(10 - (sum % 10)) % 10}`;
}

async function decided(client: Client, userId: number): Promise<KycCase> {
  for (const until = Date.now() + patienceMs; Date.now() < until; await client.screen.wait(betweenLooksMs)) {
    const [kycCase] = await client.remesa.kyc.cases({ userId });
    if (kycCase?.status === 'APPROVED') return kycCase;
    if (kycCase?.status === 'IN_REVIEW' || kycCase?.status === 'REJECTED')
      throw new DemoFailed(`The identity is ${kycCase.status}, and not APPROVED.`);
  }
  throw new DemoFailed('The identity was not decided.');
}
