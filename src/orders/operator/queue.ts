/** What operators see of reviews: the queue without anything personal, and one review with its findings. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { clientIdsOf } from '../../merchants/service.js';
import { loginsOf } from '../../operators/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { OrderDocument } from '../documents/document.js';
import type { OrderDocuments } from '../documents/service.js';
import { type Answers, openAnswers } from '../information/sealed.js';
import { listAnswersOf } from '../information/store.js';
import { findOrderById, recordOf } from '../order/finding.js';
import type { RuleFinding } from '../order/gate.js';
import type { Order } from '../order/order.js';
import type { NamedPayment, Payers } from '../order/ports.js';
import type { Review, ReviewFindings } from '../order/review.js';
import { findOrder } from '../order/store.js';
import { findNewestReview, listNotesOf } from '../review/review-store.js';
import { openFindings, openNote } from '../review/sealed.js';
import { hoursOfDay } from '../rules/facts.js';
import { countSendersNow } from '../rules/facts-store.js';
import { listReviewsUnderWay, type ReviewPlace } from './queue-store.js';

/** An order with its newest review. It contains nothing personal. */
export interface ReviewedOrder {
  readonly order: Order;
  /** The client id of the merchant. */
  readonly clientId: string;
  readonly review: Pick<Review, 'reasons' | 'openedAt'> | undefined;
}

export interface ReviewNote {
  readonly event: string;
  /** The login of the operator. */
  readonly by: string;
  readonly at: Date;
  readonly note: string;
}

export interface ReviewFile extends ReviewedOrder {
  /** Undefined when the order was never reviewed, and after the user's retained key was destroyed. */
  readonly findings: ReviewFindings | undefined;
  readonly notes: readonly ReviewNote[];
  readonly answers: readonly { readonly at: Date; readonly answers: Answers }[];
  /** Undefined after the user was erased. */
  readonly senderName: string | undefined;
  readonly payments: readonly NamedPayment[];
  /** By their ids: those that the answers name, and others that were uploaded. */
  readonly documents: ReadonlyMap<string, OrderDocument>;
}

/** The oldest first. `next` is undefined when the page is the last. */
export async function listReviewQueue(
  database: Queryable,
  after: ReviewPlace | undefined,
  limit: number,
): Promise<{ reviews: ReviewedOrder[]; next: ReviewPlace | undefined }> {
  const found = await listReviewsUnderWay(database, after, limit + 1);
  const page = found.slice(0, limit);
  const orders = await Promise.all(page.map((review) => findOrder(database, review)));
  const clientIds = await clientIdsOf(
    database,
    page.map(({ merchantId }) => merchantId),
  );
  return {
    reviews: page.flatMap(({ merchantId, reasons, openedAt }, index) => {
      const order = orders[index];
      return order ? [{ order, clientId: clientIds.get(merchantId) ?? '', review: { reasons, openedAt } }] : [];
    }),
    next: found.length > limit ? page.at(-1)?.place : undefined,
  };
}

/** Adds to what a rule counted when it fired what it would count now. */
async function withFiguresOfToday(
  database: Queryable,
  order: Order,
  findings: ReviewFindings,
): Promise<ReviewFindings> {
  const rules = await Promise.all(findings.rules.map((finding) => withFigureOfToday(database, order, finding)));
  return { ...findings, rules };
}

async function withFigureOfToday(database: Queryable, order: Order, finding: RuleFinding): Promise<RuleFinding> {
  const { rule, facts } = finding;
  if (rule !== 'many_senders' || typeof facts?.days !== 'number') return finding;
  const sendersToday = await countSendersNow(database, order, facts.days * hoursOfDay);
  return { ...finding, facts: { ...facts, sendersToday } };
}

/** Names the merchant of an order, and adds its newest review. */
export async function reviewedOrder(database: Queryable, order: Order): Promise<ReviewedOrder> {
  const [clientIds, newest] = await Promise.all([
    clientIdsOf(database, [order.merchantId]),
    findNewestReview(database, order),
  ]);
  return { order, clientId: clientIds.get(order.merchantId) ?? '', review: newest?.review };
}

interface LookOptions {
  readonly users: UserService;
  readonly documents: Pick<OrderDocuments, 'list'>;
  readonly payers: Payers;
}

/** Each reading is audited. Throws `order_not_found`. */
export async function lookAtReview(
  { users, documents, payers }: LookOptions,
  tx: Transaction,
  by: By,
  id: string,
): Promise<ReviewFile> {
  const order = await findOrderById(tx, id);
  const key = await users.retainedKey(tx, order.merchantId, order.userId);
  const [reviewed, newest, notes, answers, logins] = await Promise.all([
    reviewedOrder(tx, order),
    findNewestReview(tx, order),
    listNotesOf(tx, order),
    listAnswersOf(tx, order),
    loginsOf(tx),
  ]);
  const action = 'order.review_looked_at';
  await recordChange(tx, by, { merchantId: order.merchantId, action, subject: recordOf(order) });
  const [profile, payments] = await Promise.all([
    users.profile(tx, order.merchantId, order.userId),
    payers.namesOf(tx, order),
  ]);
  const people = { senderName: profile && `${profile.firstName} ${profile.lastName}`, payments };
  if (!key) return { ...reviewed, ...people, findings: undefined, notes: [], answers: [], documents: new Map() };
  return {
    ...reviewed,
    ...people,
    findings:
      newest &&
      (await withFiguresOfToday(tx, order, openFindings(key, order, newest.review.version, newest.sealedFindings))),
    notes: notes.map(({ version, event, operatorId, sealedNote, writtenAt }) => ({
      event,
      by: logins.get(operatorId) ?? String(operatorId),
      at: writtenAt,
      note: openNote(key, order, version, sealedNote),
    })),
    documents: await documents.list(tx, order, key),
    answers: answers.map(({ version, providedAt, sealedAnswers }) => ({
      at: providedAt,
      answers: openAnswers(key, order, version, sealedAnswers),
    })),
  };
}
