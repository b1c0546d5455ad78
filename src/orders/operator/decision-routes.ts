/** Routes for operators who decide about an order: approve, refuse, review, freeze, release, ask for information. */
import Type, { type Static } from 'typebox';
import type { FindPending } from '../../http/four-eyes.js';
import { command, type Route } from '../../http/route.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { OrderDocuments } from '../documents/service.js';
import type { RetryService } from '../flow/retry-service.js';
import { merchantOf } from '../order/finding.js';
import type { Order } from '../order/order.js';
import type { Payers } from '../order/ports.js';
import type { FreezeService } from '../review/freeze-service.js';
import type { ReviewService } from '../review/service.js';
import { reviewedOrder } from './queue.js';
import type { RefundService } from './refund-service.js';
import { ApprovalShape, InformationRequestShape, NoteShape, RefusalShape, ReviewShape } from './schemas.js';
import { encodeReview } from './wire.js';

export interface ReviewRouteOptions {
  readonly users: UserService;
  readonly documents: OrderDocuments;
  readonly payers: Payers;
  readonly reviews: ReviewService;
  readonly freezes: FreezeService;
  readonly retries: RetryService;
  readonly refunds: RefundService;
  readonly database: Queryable;
  readonly findPending: FindPending;
}

const usualDays = 7;
/** What all commands on an order have in common. */
export const decided = {
  tag: 'Orders for operators',
  access: { token: 'operator', role: 'reviewer' },
  method: 'POST',
  params: Type.Object({ id: Type.String({ description: 'The id of the order.' }) }),
  answer: ReviewShape,
  returns: 'The order with its newest review.',
  subject: (call: { readonly params: { readonly id: string } }) => merchantOf(call.params.id),
} as const;
export const refusals = ['order_not_found', 'order_transition_not_allowed', 'ledger_fault'];

export function decisionRoutes(options: ReviewRouteOptions): Route[] {
  return [...endingRoutes(options), ...freezingRoutes(options), ...askingRoutes(options), retryRoute(options)];
}

function endingRoutes({ reviews }: ReviewRouteOptions): Route[] {
  return [
    command({
      ...decided,
      path: '/operator/orders/{id}/approve',
      operationId: 'approveOrderReview',
      summary: 'Approve an order in review',
      description:
        'The order continues where it was. The matches of the beneficiary and the rules that the review found do not stop it again. If its cancellation was requested, the money goes back instead. A strong match of the beneficiary or of a payer needs a second operator, and so does money that goes back after a freeze, or to a sender with a confirmed hit.',
      fourEyes: {
        action: 'hit.dismiss',
        review: (call, tx) => reviews.reviewApproval(tx, call.params.id),
      },
      body: ApprovalShape,
      refusals: [...refusals, 'order_review_blocked', 'order_terms_differ'],
      run: async (call, tx) => answer(tx, await reviews.approve(tx, call.by, call.params.id, call.body)),
    }),
    command({
      ...decided,
      path: '/operator/orders/{id}/refuse',
      operationId: 'refuseOrderReview',
      summary: 'Refuse an order in review',
      description:
        'The whole amount goes back to the payer. Merchants and users see `refused` and no reason. Decide the open hits of the sender first. To keep the money of somebody who must not get it, freeze the order. A second operator is needed when a payer matches strongly, when a hit of the sender is confirmed, and after a freeze.',
      fourEyes: {
        action: 'hit.dismiss',
        review: (call, tx) => reviews.reviewRefusal(tx, call.params.id),
      },
      body: RefusalShape,
      refusals: [...refusals, 'order_review_blocked'],
      run: async (call, tx) => answer(tx, await reviews.refuse(tx, call.by, call.params.id, call.body)),
    }),
  ];
}

function freezingRoutes({ freezes }: ReviewRouteOptions): Route[] {
  return [
    command({
      ...decided,
      path: '/operator/orders/{id}/freeze',
      operationId: 'freezeOrder',
      summary: 'Freeze an order',
      description:
        'The money must not move. Takes effect at once, in every state in which we hold money of the order. Merchants and users see a review.',
      body: NoteShape,
      refusals,
      run: async (call, tx) => answer(tx, await freezes.freeze(tx, call.by, call.params.id, call.body.note)),
    }),
    command({
      ...decided,
      path: '/operator/orders/{id}/release',
      operationId: 'releaseOrder',
      summary: 'Release a frozen order',
      description: 'The freeze ends and the review goes on. Needs a second operator.',
      fourEyes: { action: 'order.release', review: (call, tx) => freezes.reviewRelease(tx, call.params.id) },
      body: NoteShape,
      refusals,
      run: async (call, tx) => answer(tx, await freezes.release(tx, call.by, call.params.id, call.body.note)),
    }),
  ];
}

function askingRoutes({ freezes }: ReviewRouteOptions): Route[] {
  return [
    command({
      ...decided,
      path: '/operator/orders/{id}/refer',
      operationId: 'referOrder',
      summary: 'Put an order under review',
      description: 'Possible in every state in which an order can be frozen.',
      body: NoteShape,
      refusals,
      run: async (call, tx) => answer(tx, await freezes.refer(tx, call.by, call.params.id, call.body.note)),
    }),
    command({
      ...decided,
      path: '/operator/orders/{id}/request-information',
      operationId: 'requestOrderInformation',
      summary: 'Ask the sender for information',
      description:
        'The order becomes `ACTION_REQUIRED` and shows a fixed sentence for each item. With the last answer it continues where it was. If answers are missing at the end of the time, an order in review goes back to its review. Any other order expires, and what was paid goes back.',
      body: InformationRequestShape,
      refusals,
      async run(call, tx) {
        const request = { days: usualDays, ...call.body };
        return answer(tx, await freezes.requestInformation(tx, call.by, call.params.id, request));
      },
    }),
  ];
}

function retryRoute({ retries, database }: ReviewRouteOptions): Route {
  return command({
    ...decided,
    path: '/operator/orders/{id}/retry-payout',
    operationId: 'retryOrderPayout',
    summary: 'Try a payout again',
    description:
      'For an order that is `PAYOUT_FAILED` or `RETURNED`. The order is checked again first: if a check finds something, it is put under review instead. If no way to pay out is open, you get 409. If a document that an operator uploaded said that the payout failed, a second operator is needed.',
    fourEyes: { action: 'payout.document', review: (call, tx) => retries.review(tx, call.params.id) },
    body: ApprovalShape,
    refusals,
    prepare: (call) => retries.prepare(database, call.params.id),
    run: async (call, tx, prepared) =>
      answer(tx, await retries.retry(tx, call.by, call.params.id, { ...call.body, prepared })),
  });
}

export async function answer(tx: Transaction, order: Order): Promise<Static<typeof ReviewShape>> {
  return encodeReview(await reviewedOrder(tx, order));
}
