/** The sender provides what an operator asked for, and the order goes on where it was. */
import type { By } from '../../caller.js';
import { type FieldFault, RemesaError } from '../../errors.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { Refunds } from '../flow/refunds.js';
import type { Order } from '../order.js';
import type { OrderScope } from '../scope.js';
import type { OrderService } from '../service.js';
import { changedMeanwhile, type OrderTransitions, requireAllowed } from '../transition.js';
import { isRequoteOpen, requoteAnswers } from './requirement.js';
import { type Answers, sealAnswers } from './sealed.js';
import { addAnswers } from './store.js';

export interface InformationOptions {
  readonly users: UserService;
  readonly orders: OrderService;
  readonly transitions: OrderTransitions;
  readonly refunds: Refunds;
}

export class InformationService {
  constructor(readonly options: InformationOptions) {}

  /**
   * A sender who does not accept new terms gets the money back; in a review, once that is over. Throws `order_not_found`, `invalid_fields` unless exactly what was asked for is answered, and
   * `order_transition_not_allowed`, also for an order that is being cancelled, and `ledger_fault`.
   */
  async provide(
    tx: Transaction,
    by: By,
    { scope, id }: { readonly scope: OrderScope; readonly id: string },
    answers: Answers,
  ): Promise<Order> {
    const { users, orders, transitions } = this.options;
    const order = await orders.lock(tx, scope, id);
    requireAllowed(by, order, 'provide_information');
    const isForReview = order.memories.information === 'IN_REVIEW';
    if (order.cancellationRequestedAt && !isForReview) throw changedMeanwhile(order);
    requireComplete(order, answers);
    const isAccepted = isRequoteAccepted(answers);
    if (isRequoteOpen(order) && !isAccepted && !isForReview) return this.#refuse(tx, by, order);
    const key = await users.retainedKey(tx, order.merchantId, order.userId);
    if (!key) throw new Error('the user of an open order has no retained key');
    return transitions.applyTransition(tx, by, order, {
      event: 'provide_information',
      ...(isAccepted ? { change: { requirements: [] } } : {}),
      alongside: ({ version }) =>
        addAnswers(tx, order, { version, sealedAnswers: sealAnswers(key, order, version, answers) }),
    });
  }

  #refuse(tx: Transaction, by: By, order: Order): Promise<Order> {
    const change = { statusReason: 'requote_not_accepted' } as const;
    return this.options.refunds.open(tx, by, order, { event: 'refuse_requote', change });
  }
}

function isRequoteAccepted(answers: Answers): boolean {
  return answers.some(({ code, answer }) => code === 'requote' && answer === 'accept');
}

function requireComplete({ requirements }: Order, answers: Answers): void {
  const codes = answers.map(({ code }) => code);
  const missing = requirements
    .filter((code) => !codes.includes(code))
    .map((code) => fault('answers', 'required', `answer ${code} too`));
  const wrong = codes.flatMap((code, index) => {
    const field = `answers.${index}.code`;
    if (codes.indexOf(code) < index) return [fault(field, 'not_allowed', `${code} is answered twice`)];
    return requirements.includes(code) ? [] : [fault(field, 'not_allowed', `${code} was not asked for`)];
  });
  const unclear = answers.flatMap(({ code, answer }, index) =>
    code !== 'requote' || requoteAnswers.some((known) => known === answer)
      ? []
      : [
          {
            ...fault(`answers.${index}.answer`, 'not_allowed', 'must be accept or refuse'),
            allowed: requoteAnswers,
          },
        ],
  );
  const errors = [...missing, ...wrong, ...unclear];
  const [first] = errors;
  if (first)
    throw new RemesaError('invalid', 'invalid_fields', `${first.field}: ${first.message}`, { errors });
}

function fault(field: string, code: string, message: string): FieldFault {
  return { field, code, message };
}
