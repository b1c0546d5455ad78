/** Routes for operators: what is to be paid, and what happened to it. */
import Type, { type Static } from 'typebox';
import { ListPage, nextPage } from '../../http/answers/answer.js';
import { readBookingTime } from '../../http/body/read-time.js';
import { type FindPending, pendingField } from '../../http/four-eyes.js';
import { auditedRead, command, type Route, read } from '../../http/route.js';
import { amountToText } from '../../money/literal.js';
import type { Database } from '../../postgres/database.js';
import { adviceFor } from '../reports/reasons.js';
import * as shapes from '../schemas.js';
import { type AttemptState, attemptStates } from '../transitions.js';
import type { AttemptPlace } from './payout-listing-store.js';
import type { Recording } from './recording.js';
import type { PayoutRecordings } from './recordings.js';
import { waitingReportRoutes } from './report-routes.js';
import type { AttemptFile, ListedAttempt, PayoutOperatorService } from './service.js';

const described = { tag: 'Payouts for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forReviewers = { ...described, access: { token: 'operator', role: 'reviewer' } } as const;
const unfinished: readonly AttemptState[] = ['READY', 'SENDING', 'ACCEPTED', 'UNKNOWN'];
/** What operators carry out, and wait for. */
const waiting: Readonly<Record<'instruction' | 'debit', readonly AttemptState[]>> = {
  instruction: ['READY'],
  debit: ['ACCEPTED'],
};
/** The answer contains a whole account. */
const sealedAnswer = { keepForHours: 24, isSecret: true, isRequired: true } as const;

export interface PayoutOperatorRouteOptions {
  readonly database: Database;
  readonly payouts: PayoutOperatorService;
  readonly recordings: PayoutRecordings;
  readonly findPending: FindPending;
}

export function payoutOperatorRoutes(options: PayoutOperatorRouteOptions): Route[] {
  const { payouts, findPending } = options;
  return [
    listRoute(payouts),
    fileRoute(payouts, findPending),
    ...recordRoutes(options),
    ...waitingReportRoutes(payouts),
  ];
}

function listRoute(payouts: PayoutOperatorService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/payouts',
    operationId: 'listPayouts',
    summary: 'List payouts and refunds',
    description:
      'Accounts are masked; read one payout to see the whole account. The header `Link` names the next page.',
    returns: 'A page of payouts, the oldest first.',
    query: shapes.AttemptQueryShape,
    answer: Type.Array(shapes.AttemptShape),
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const { state, waitsFor, after, limit = 50, ...filter } = call.query;
      const states = waitsFor ? waiting[waitsFor] : statesIn(state);
      const isByHand = waitsFor !== undefined;
      const { rail, merchant, order, direction, currency } = filter;
      const page = { after: placeOf(after), limit };
      const query = { rail, merchant, order, direction, currency, states, isByHand, ...page };
      const { attempts, next } = await payouts.list(database, query);
      const last = next && `${next.createdAt.getTime()}.${next.attemptId}`;
      return new ListPage(attempts.map(encodeAttempt), last && nextPage('/operator/payouts', call.query, last));
    },
  });
}

function fileRoute(payouts: PayoutOperatorService, findPending: FindPending): Route {
  return auditedRead({
    ...forReviewers,
    method: 'GET',
    path: '/operator/payouts/{attemptId}',
    operationId: 'getPayout',
    summary: 'Get a payout with everything that is needed to pay it',
    description: 'The answer contains the whole account.',
    returns: 'The payout, what is to be paid to whom, and what was reported about it.',
    params: shapes.AttemptPath,
    answer: shapes.AttemptFileShape,
    refusals: ['payout_not_found'],
    async run(call, tx) {
      const file = await payouts.look(tx, call.by, call.params.attemptId);
      const record = `payout:${file.attempt.attemptId}`;
      const pending = await findPending(tx, [record]);
      return { ...encodeFile(file), ...pendingField(pending.get(record)) };
    },
  });
}

interface RecordingRoute {
  readonly path: string;
  readonly operationId: string;
  readonly kind: Recording['kind'];
  readonly summary: string;
  readonly body:
    | typeof shapes.SubmittedShape
    | typeof shapes.PaidShape
    | typeof shapes.FailedShape
    | typeof shapes.ReturnedShape;
}

/** What an operator saw at the bank: the path, the name of the operation, and the shape of the body. */
const recordings: readonly RecordingRoute[] = [
  {
    path: 'submitted',
    operationId: 'recordPayoutSubmitted',
    kind: 'accepted',
    summary: 'Record that you are about to instruct the bank',
    body: shapes.SubmittedShape,
  },
  {
    path: 'paid',
    operationId: 'recordPayoutPaid',
    kind: 'paid',
    summary: 'Record that the money was paid',
    body: shapes.PaidShape,
  },
  {
    path: 'failed',
    operationId: 'recordPayoutFailed',
    kind: 'rejected',
    summary: 'Record that the bank refused the payment',
    body: shapes.FailedShape,
  },
  {
    path: 'returned',
    operationId: 'recordPayoutReturned',
    kind: 'returned',
    summary: 'Record that the money came back',
    body: shapes.ReturnedShape,
  },
];

const aboutInstructing =
  'Send it before you instruct the bank, and instruct it only after a 200: the order is checked again, and a second operator who tries the same gets 409, so the payment is made once. Needs an `Idempotency-Key`.';
const aboutOutcomes =
  'Needs an `Idempotency-Key`, because it moves money. Above `PAYOUTS_RECORDED_PER_DAY`, a second operator must approve it.';

const refusals = [
  'payout_not_found',
  'payout_changed',
  'payout_not_recordable',
  'payout_stopped',
  'bank_reference_used',
  'approval_pending',
];

type RecordedBody = Static<typeof shapes.SubmittedShape> & Partial<Static<typeof shapes.ReturnedShape>>;

function recordRoutes({ database, payouts, recordings: verbs }: PayoutOperatorRouteOptions): Route[] {
  return recordings.map(({ path, operationId, kind, summary, body }) =>
    command({
      ...forReviewers,
      operationId,
      summary,
      body,
      method: 'POST',
      path: `/operator/payouts/{attemptId}/${path}`,
      description: kind === 'accepted' ? aboutInstructing : aboutOutcomes,
      returns: 'The payout.',
      params: shapes.AttemptPath,
      subject: (call) => payouts.merchantOf(call.params.attemptId),
      idempotency: sealedAnswer,
      fourEyes: {
        action: 'payout.record',
        // Instructing the bank is not yet an outcome.
        review: async (call, tx) =>
          kind === 'accepted' ? undefined : verbs.review(tx, call.by, call.params.attemptId),
      },
      answer: shapes.AttemptFileShape,
      refusals,
      prepare: (call) => verbs.recheck(database, call.params.attemptId, kind),
      run: async (call, tx) => {
        const recording = recordingOf(kind, call.body);
        return encodeFile(await verbs.record(tx, call.by, call.params.attemptId, recording));
      },
    }),
  );
}

function recordingOf(kind: Recording['kind'], body: RecordedBody): Recording {
  const { version, bankReference, bookedAt, bank, charge, reason } = body;
  return {
    kind,
    version,
    bankReference,
    bank,
    charge,
    reason,
    bookedAt: readBookingTime('bookedAt', bookedAt),
  };
}

/** Commas separate several. */
function statesIn(text: string | undefined): readonly AttemptState[] {
  return text === undefined ? unfinished : attemptStates.filter((state) => text.split(',').includes(state));
}

function placeOf(after: string | undefined): AttemptPlace | undefined {
  const [milliseconds, attemptId] = after?.split('.') ?? [];
  if (milliseconds === undefined || attemptId === undefined) return undefined;
  const createdAt = new Date(Number(milliseconds));
  return Number.isNaN(createdAt.getTime()) ? undefined : { createdAt, attemptId };
}

function encodeAttempt({ attempt, clientId }: ListedAttempt): Static<typeof shapes.AttemptShape> {
  const { attemptId, orderId, suspenseId, direction, reference, rail, state, amount, method } = attempt;
  return {
    id: attemptId,
    merchant: clientId ?? null,
    orderId: orderId ?? null,
    suspenseId: suspenseId ?? null,
    direction,
    reference,
    rail,
    state,
    country: attempt.country ?? null,
    method,
    currency: amount.currency,
    amount: amountToText(amount),
    account: attempt.account ?? null,
    version: attempt.version,
    createdAt: attempt.createdAt.toISOString(),
    changedAt: attempt.changedAt.toISOString(),
  };
}

function encodeFile(file: AttemptFile): Static<typeof shapes.AttemptFileShape> {
  return {
    ...encodeAttempt(file),
    instruction: file.instruction ? { ...file.instruction } : null,
    reports: file.reports.map(({ reportId, kind, outcome, detail, reason, charge, receivedAt }) => ({
      id: reportId,
      kind,
      outcome,
      detail: detail ?? null,
      reason: reason ?? null,
      advice: adviceFor(reason) ?? null,
      charge: charge ? amountToText(charge) : null,
      receivedAt: receivedAt.toISOString(),
    })),
  };
}
