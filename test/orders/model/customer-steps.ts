/** The steps of merchants and their users: create, pay, cancel, correct, answer. */
import { expect } from 'vitest';
import { newUser } from '../../harness/users.js';
import { holdLevel, lupita } from '../orders.js';
import { compareOrders } from './comparison.js';
import type { Fault } from './model-service.js';
import { ModelOrder } from './order-model.js';
import { expectAnswer, type Model, onOrder, type Step, step } from './step.js';

const beneficiaries = [
  lupita,
  { ...lupita, account: { clabe: '002010077777777771' } },
  { ...lupita, firstName: 'Iris', lastName: 'Blokwell' },
] as const;
const isListed = (beneficiary: number) => beneficiary === 2;
const amounts = { exact: undefined, short: 60, over: 140 } as const;

/** More orders would only make each of them rarer. */
const isFree = ({ orders }: Readonly<Model>) => orders.length < 3;

export const create = (beneficiary: number, fault: Fault): Step =>
  step(
    `create with beneficiary ${beneficiary}, ${fault}`,
    async (model, real) => {
      const { service, merchant, orders } = real;
      const { api } = service.running;
      const { token } = merchant;
      const user = await newUser({ api }, merchant);
      await holdLevel(service, merchant, user, 'LEVEL_1');
      const quoted = await api.post('/rates', {
        token,
        body: { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 },
      });
      const body = {
        ...{ rateCode: quoted.json.code, purpose: 'family_support', beneficiary: beneficiaries[beneficiary] },
      };
      const answer = await service.send(`/orders?userId=${user.id}`, { token, body }, fault);
      expectAnswer(answer, [200]);
      orders.push({ id: answer.json.id, user });
      model.orders.push(new ModelOrder(model.hour, beneficiary, isListed));
      await compareOrders(model, real);
    },
    isFree,
  );

export const pay = (at: number, amount: keyof typeof amounts, isByAnother: boolean, fault: Fault): Step =>
  onOrder(
    `${amount} payment${isByAnother ? ' by another' : ''}, ${fault},`,
    at,
    async (picked, model, real) => {
      const expected = picked.order.pay(model.hour, amount, isByAnother);
      const body = {
        orderId: picked.id,
        ...(amounts[amount] === undefined ? {} : { amount: amounts[amount] }),
        ...(isByAnother ? { payerName: 'Bartholomew Quill' } : {}),
      };
      const { token } = real.merchant;
      const { json } = await real.service.send('/sandbox/payments', { token, body }, fault);
      expect(json.outcome === 'applied' ? 'applied' : json.reason).toBe(expected);
    },
  );

export const cancel = (at: number, fault: Fault): Step =>
  onOrder(`cancellation, ${fault},`, at, async ({ order, id }, _model, { service, merchant }) => {
    const answer = await service.send(`/orders/${id}/cancel`, { token: merchant.token }, fault);
    expectAnswer(answer, order.cancel());
  });

export const correct = (at: number, beneficiary: number, fault: Fault): Step =>
  onOrder(`correction to ${beneficiary}, ${fault},`, at, async ({ order, id }, _model, real) => {
    const body = { beneficiary: beneficiaries[beneficiary] };
    const { token } = real.merchant;
    const answer = await real.service.send(`/orders/${id}/beneficiary`, { token, body }, fault);
    expectAnswer(answer, order.correct(beneficiary));
  });

export const provide = (at: number, fault: Fault): Step =>
  onOrder(`information, ${fault},`, at, async ({ order, id }, _model, { service, merchant: { token } }) => {
    const body = { answers: [{ code: 'purpose', answer: 'School fees.' }] };
    const answer = await service.send(`/orders/${id}/information`, { token, body }, fault);
    expectAnswer(answer, order.provideInformation());
  });
