/** Routes for operators: complaints and errors. */
import Type, { type Static } from 'typebox';
import { ListPage, nextPage } from '../http/answers/answer.js';
import { auditedRead, command, type Route, read } from '../http/route.js';
import { userId } from '../ids.js';
import { clientIdsOf, merchantIdOf } from '../merchants/service.js';
import { loginsOf } from '../operators/service.js';
import type { Queryable } from '../postgres/statement.js';
import { type Complaint, type ComplaintState, dueAtOf } from './complaint.js';
import {
  ComplaintAnswerShape,
  ComplaintFileShape,
  ComplaintPath,
  ComplaintQuery,
  FiledComplaintShape,
  HoldingReplyShape,
  ListedComplaintShape,
  RemedyShape,
  StatisticsQuery,
  StatisticsShape,
} from './schemas.js';
import type { ComplaintService } from './service.js';
import type { ComplaintFile } from './texts.js';

const described = { tag: 'Complaints for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forReviewers = { ...described, access: { token: 'operator', role: 'reviewer' } } as const;
const writes = { ...forReviewers, idempotency: { keepForHours: 24, isSecret: true } } as const;
const changes = { params: ComplaintPath, answer: ComplaintFileShape, returns: 'The complaint.' } as const;
const whenChanged = ['complaint_not_found', 'version_conflict'] as const;

export function complaintDeskRoutes(complaints: ComplaintService): Route[] {
  return [listRoute(complaints), fileRoute(complaints), ...readRoutes(complaints), ...answerRoutes(complaints)];
}

function listRoute(complaints: ComplaintService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/complaints',
    operationId: 'listComplaints',
    summary: 'List complaints and reported errors',
    description: 'Contains nothing that was written. The header `Link` names the next page.',
    returns: 'A page of complaints, by id.',
    query: ComplaintQuery,
    answer: Type.Array(ListedComplaintShape),
    refusals: ['merchant_not_found'],
    async run({ query }, database) {
      const { state, merchant, after = '', limit = 50 } = query;
      const states: ComplaintState[] =
        state === 'all' ? ['open', 'held', 'answered'] : state ? [state] : ['open', 'held'];
      const merchantId = merchant === undefined ? undefined : await merchantIdOf(database, merchant);
      const found = await complaints.list(database, { states, merchantId, after, limit });
      const last = found.length === limit ? found.at(-1) : undefined;
      const items = await encodeAll(database, found);
      return new ListPage(items, last && nextPage('/operator/complaints', query, last.complaintId));
    },
  });
}

function fileRoute(complaints: ComplaintService): Route {
  return command({
    ...writes,
    method: 'POST',
    path: '/operator/complaints',
    operationId: 'recordComplaint',
    summary: 'Record a complaint that came by mail, telephone or letter',
    description: 'The clocks are those of the country in which the sender lives, and begin when it came.',
    subject: (call, database) => merchantIdOf(database, call.body.merchant),
    returns: 'The complaint.',
    body: FiledComplaintShape,
    answer: ComplaintFileShape,
    refusals: ['merchant_not_found', 'order_not_found', 'user_not_found'],
    async run({ body, by }, tx) {
      const { merchant, userId: user, orderId, receivedAt, ...claim } = body;
      const account = { merchantId: await merchantIdOf(tx, merchant), userId: userId(user) };
      const at = receivedAt === undefined ? undefined : new Date(receivedAt);
      return encodeFile(tx, await complaints.fileAboutUser(tx, by, { account, orderId }, { ...claim, receivedAt: at }));
    },
  });
}

function readRoutes(complaints: ComplaintService): Route[] {
  return [
    read({
      ...forViewers,
      method: 'GET',
      path: '/operator/reports/complaints',
      operationId: 'getComplaintStatistics',
      summary: 'Count complaints and errors',
      description:
        'As authorities ask for them: by kind, topic, country and outcome, and how many were answered in time.',
      returns: 'The counts.',
      query: StatisticsQuery,
      answer: StatisticsShape,
      run: ({ query }, database) =>
        complaints.statistics(database, new Date(`${query.from}T00:00:00Z`), new Date(`${query.until}T00:00:00Z`)),
    }),
    auditedRead({
      ...forReviewers,
      method: 'GET',
      path: '/operator/complaints/{complaintId}',
      operationId: 'getComplaint',
      summary: 'Get a complaint with everything that was written',
      ...changes,
      refusals: ['complaint_not_found'],
      run: async ({ params, by }, tx) => encodeFile(tx, await complaints.look(tx, by, params.complaintId)),
    }),
  ];
}

function answerRoutes(complaints: ComplaintService): Route[] {
  const subject = (call: { params: { complaintId: string } }) => complaints.merchantOf(call.params.complaintId);
  return [
    command({
      ...writes,
      ...changes,
      method: 'POST',
      path: '/operator/complaints/{complaintId}/holding-reply',
      operationId: 'holdComplaint',
      summary: 'Tell the customer why the answer takes longer',
      description:
        'Once, where the law lets you. By `answerBy` it puts the answer off to `latestBy`; later it gives no time.',
      subject,
      body: HoldingReplyShape,
      refusals: [...whenChanged, 'complaint_not_holdable'],
      run: async ({ params, body, by }, tx) => encodeFile(tx, await complaints.hold(tx, by, params.complaintId, body)),
    }),
    command({
      ...writes,
      ...changes,
      method: 'POST',
      path: '/operator/complaints/{complaintId}/answer',
      operationId: 'answerComplaint',
      summary: 'Answer a complaint',
      description:
        'Ends the investigation. Nothing is sent: merchant and user read it with `GET /orders/{id}/complaints`. Money moves by its own commands: name the refund or the order afterwards.',
      subject,
      body: ComplaintAnswerShape,
      refusals: [...whenChanged, 'complaint_answered'],
      run: async ({ params, body, by }, tx) =>
        encodeFile(tx, await complaints.answer(tx, by, params.complaintId, body)),
    }),
    command({
      ...writes,
      ...changes,
      method: 'POST',
      path: '/operator/complaints/{complaintId}/remedy',
      operationId: 'remedyComplaint',
      summary: 'Name the refund or the order that put it right',
      description: 'A refund that has not failed and was not cancelled, or a later order that was paid and has no fee.',
      subject,
      body: RemedyShape,
      refusals: [...whenChanged, 'complaint_without_remedy'],
      run: async ({ params, body, by }, tx) =>
        encodeFile(tx, await complaints.remedy(tx, by, params.complaintId, body)),
    }),
  ];
}

async function encodeFile(
  database: Queryable,
  { complaint, texts }: ComplaintFile,
): Promise<Static<typeof ComplaintFileShape>> {
  const [[encoded], logins] = [await encodeAll(database, [complaint]), await loginsOf(database)];
  if (!encoded) throw new Error('a complaint was not encoded');
  return {
    ...encoded,
    texts: texts.map(({ kind, text, by, at }) => ({
      kind,
      text,
      by: by === undefined ? null : (logins.get(by) ?? String(by)),
      at: at.toISOString(),
    })),
  };
}

async function encodeAll(
  database: Queryable,
  complaints: readonly Complaint[],
): Promise<Static<typeof ListedComplaintShape>[]> {
  const merchants = complaints.map(({ merchantId }) => merchantId);
  const clientIds = await clientIdsOf(database, merchants);
  return complaints.map((complaint) => ({
    id: complaint.complaintId,
    orderId: complaint.orderId ?? null,
    kind: complaint.kind,
    topic: complaint.topic,
    status: complaint.state,
    receivedAt: complaint.receivedAt.toISOString(),
    answerBy: complaint.answerBy.toISOString(),
    outcome: complaint.outcome ?? null,
    remedy: complaint.remedy ?? null,
    merchant: clientIds.get(complaint.merchantId) ?? '',
    userId: complaint.userId,
    channel: complaint.channel,
    country: complaint.country,
    article: complaint.article,
    isInTime: complaint.isInTime,
    latestBy: complaint.latestBy?.toISOString() ?? null,
    dueAt: dueAtOf(complaint).toISOString(),
    answeredAt: complaint.answeredAt?.toISOString() ?? null,
    remedyDueBy: complaint.remedyDueBy?.toISOString() ?? null,
    remedyReference: complaint.remedyReference ?? null,
    version: complaint.version,
  }));
}
