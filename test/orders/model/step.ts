/** What a step is: it does the same to the model and to the service, and compares the answers. */
import type fc from 'fast-check';
import { expect } from 'vitest';
import type { Answer } from '../../harness/api.js';
import type { MadeUser, Merchant } from '../../harness/users.js';
import type { PayoutVerbs } from '../../payouts/worker-verbs.js';
import { compareOrders } from './comparison.js';
import type { ModelService } from './model-service.js';
import type { Expected, ModelOrder } from './order-model.js';

export interface Model {
  hour: number;
  /** How many steps were made. */
  steps: number;
  readonly orders: ModelOrder[];
}

export interface Real {
  readonly service: ModelService;
  readonly merchant: Merchant;
  readonly verbs: PayoutVerbs;
  /** In the order of the model. */
  readonly orders: { readonly id: string; readonly user: MadeUser }[];
}

export type Step = fc.AsyncCommand<Model, Real>;
type PickedOrder = { readonly order: ModelOrder; readonly id: string; readonly user: MadeUser };

export function step(name: string, run: Step['run'], check: Step['check'] = () => true): Step {
  return {
    check,
    toString: () => `[${name}]`,
    run(model, real) {
      model.steps += 1;
      return run(model, real);
    },
  };
}

/** A step on the order at this place, counted round and round. */
export function onOrder(
  name: string,
  at: number,
  run: (picked: PickedOrder, model: Model, real: Real) => Promise<void>,
): Step {
  return step(
    `${name} of ${at}`,
    async (model, real) => {
      const index = at % model.orders.length;
      const made = real.orders[index];
      const order = model.orders[index];
      if (!made || !order) throw new Error('the model and the service have other orders');
      await run({ order, ...made }, model, real);
      await compareOrders(model, real);
    },
    (model) => model.orders.length > 0,
  );
}

export function expectAnswer(answer: Answer, expected: Expected): void {
  const code = answer.status === 200 ? [] : [answer.json.code];
  expect([answer.status, ...code], answer.text).toEqual(expected);
}
