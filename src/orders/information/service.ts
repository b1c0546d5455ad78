/** The sender provides what an operator asked for, and the order goes on where it was. */
import type { By } from '../../caller.js';
import { type FieldFault, RemesaError } from '../../errors.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { OrderDocuments } from '../documents/service.js';
import { lockOrderOf } from '../order/finding.js';
import type { Order } from '../order/order.js';
import { isRequoteOpen, type requoteAnswers } from '../order/requirement.js';
import { isUnderReview } from '../order/review.js';
import { changedMeanwhile, type OrderTransitions, requireAllowed } from '../order/transition.js';
import type { OrderScope } from '../order/wire/scope.js';
import type { Refunds } from '../refunds/refunds.js';
import { answerFaults, missingAfter } from './completeness.js';
import { type Answer, type Answers, sealAnswers } from './sealed.js';
import { addAnswers } from './store.js';

export interface InformationOptions {
  readonly users: UserService;
  readonly transitions: OrderTransitions;
  readonly refunds: Refunds;
  readonly documents: Pick<OrderDocuments, 'list'>;
}

export class InformationService {
  readonly #options: InformationOptions;

  constructor(options: InformationOptions) {
    this.#options = options;
  }

  /**
   * When everything is answered the order goes on; until then it waits, and shows what is missing. Answers that come
   * outside a review are read by a person before money is paid out. A sender who does not accept new terms gets the
   * money back; in a review, once that is over. Throws `order_not_found`,
   * `invalid_fields` for what was not asked for or is no answer, `order_transition_not_allowed`, also for an order that
   * is being cancelled, and `ledger_fault`.
   */
  async provide(
    tx: Transaction,
    by: By,
    { scope, id }: { readonly scope: OrderScope; readonly id: string },
    answers: Answers,
  ): Promise<Order> {
    const { users, transitions, documents } = this.#options;
    const order = await lockOrderOf(tx, users, scope, id);
    requireAllowed(by, order, 'provide_information');
    const isForReview = order.memories.information === 'IN_REVIEW';
    if (order.cancellationRequestedAt && !isForReview) throw changedMeanwhile(order);
    const key = await users.retainedKey(tx, order.merchantId, order.userId);
    if (!key) throw new Error('the user of an open order has no retained key');
    const known = new Set((await documents.list(tx, order, key)).keys());
    requireAnswers(answerFaults(order.requirements, answers, known));
    const isRefused = isRequoteOpen(order) && isRequoteRefused(answers);
    if (isRefused && !isForReview) return this.#refuse(tx, by, order);
    const requirements = missingAfter(order.requirements, answers);
    const isPart = requirements.length > 0 && !isRefused;
    const changed = await transitions.applyTransition(tx, by, order, {
      event: isPart ? 'record_information' : 'provide_information',
      change: {
        requirements: isRefused ? ['requote'] : requirements,
        hasUnreadAnswers: order.hasUnreadAnswers || (!isForReview && answers.some(needsReading)),
      },
    });
    const { version } = changed;
    await addAnswers(tx, changed, { version, sealedAnswers: sealAnswers(key, order, version, answers) });
    return changed;
  }

  /** An order that does not pass the gate is reviewed first, and its money goes back once that is over. */
  async #refuse(tx: Transaction, by: By, order: Order): Promise<Order> {
    const { transitions, refunds } = this.#options;
    const change = { statusReason: 'requote_not_accepted' } as const;
    const refused = await refunds.open(tx, by, order, { event: 'refuse_requote', change });
    if (!isUnderReview(refused)) return refused;
    return transitions.applyTransition(tx, by, refused, { event: 'request_cancellation' });
  }
}

function isRequoteRefused(answers: Answers): boolean {
  const refusal: (typeof requoteAnswers)[number] = 'refuse';
  return answers.some(({ code, answer }) => code === 'requote' && answer === refusal);
}

/** Whether the sender accepts new terms says everything. */
function needsReading({ code }: Answer): boolean {
  return code !== 'requote';
}

function requireAnswers(errors: readonly FieldFault[]): void {
  const [first] = errors;
  if (first) throw new RemesaError('invalid', 'invalid_fields', `${first.field}: ${first.message}`, { errors });
}
