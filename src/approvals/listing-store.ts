/** SQL that lists requests for approval page by page, also as tasks. */
import type { ApprovalAction } from '../approval.js';
import { type OperatorId, storedPublicId, tenantId } from '../ids.js';
import { type Queryable, statement } from '../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../tasks/task.js';
import type { Approval, ApprovalRef, ApprovalState } from './approval.js';
import { type ApprovalRow, columns, toApproval } from './store.js';

interface RefRow {
  merchant_id: bigint;
  approval_id: string;
}
type PageRow = ApprovalRow & { at_micros: string };

const pageOfPending = statement(
  'approvals.page-of-pending',
  `SELECT ${columns}, (extract(epoch FROM requested_at) * 1000000)::bigint::text AS at_micros FROM approval_requests
    WHERE state = 'pending' AND expires_at > statement_timestamp()
      AND (requested_at, approval_id) > (to_timestamp(0) + $atMicros::bigint * interval '1 microsecond', $startId)
      AND ($action::text IS NULL OR action = $action)
    ORDER BY requested_at, approval_id LIMIT $limit`,
).rows<PageRow>();
const pageOfEnded = statement(
  'approvals.page-of-ended',
  `SELECT ${columns}, (extract(epoch FROM ended_at) * 1000000)::bigint::text AS at_micros FROM approval_requests
    WHERE state <> 'pending' AND ($state::text = 'ended' OR state = $state)
      AND (ended_at, approval_id) < (to_timestamp(0) + $atMicros::bigint * interval '1 microsecond', $startId)
      AND ($action::text IS NULL OR action = $action)
    ORDER BY ended_at DESC, approval_id DESC LIMIT $limit`,
).rows<PageRow>();
const listTasks = statement(
  'approvals.list-tasks',
  `SELECT merchant_id, approval_id, action, (extract(epoch FROM requested_at) * 1000000)::bigint::text AS at_micros
     FROM approval_requests
    WHERE state = 'pending' AND expires_at > statement_timestamp() AND requested_by <> $reader
      AND (requested_at, approval_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond',
        $afterId)
      AND ($only::text IS NULL OR approval_id = $only)
    ORDER BY requested_at, approval_id LIMIT $limit`,
).rows<{
  merchant_id: bigint;
  approval_id: string;
  action: string;
  at_micros: string;
}>();

const countByAction = statement(
  'approvals.count-waiting',
  `SELECT action, count(*)::int AS count FROM approval_requests
    WHERE state = 'pending' AND expires_at > statement_timestamp() GROUP BY action`,
).rows<{ action: string; count: number }>();
const listMaybeOver = statement(
  'approvals.list-maybe-over',
  `SELECT merchant_id, approval_id FROM approval_requests
    WHERE state = 'pending' AND (expires_at <= statement_timestamp() OR requested_by = ANY ($operators::bigint[]))
      AND approval_id <> ALL ($exceptIds::text[])
    ORDER BY requested_at, approval_id LIMIT $limit`,
).rows<RefRow>();

const listLive = statement(
  'approvals.list-live',
  `SELECT merchant_id, approval_id FROM approval_requests
    WHERE state = 'pending' AND expires_at > statement_timestamp() AND octet_length(sealed_payload) < $belowBytes
      AND approval_id <> ALL ($exceptIds::text[])
    ORDER BY requested_at, approval_id LIMIT $limit`,
).rows<RefRow>();
const listToForget = statement(
  'approvals.list-to-forget',
  `SELECT merchant_id, approval_id FROM approval_requests
    WHERE state <> 'pending' AND num_nonnulls(sealed_payload, sealed_reason, sealed_answer) > 0
      AND (ended_at <= statement_timestamp() - make_interval(days => $keptDays)
           OR sealed_answer IS NOT NULL AND ended_at <= statement_timestamp() - interval '24 hours')
      AND approval_id <> ALL ($exceptIds::text[])
    ORDER BY ended_at LIMIT $limit`,
).rows<RefRow>();

/** Pending requests of all merchants that have expired, or that one of these operators made. */
export async function listRequestsMaybeOver(
  database: Queryable,
  operators: readonly OperatorId[],
  except: readonly ApprovalRef[],
  atMost: number,
): Promise<ApprovalRef[]> {
  return (await database.query(listMaybeOver, { operators, exceptIds: idsOf(except), limit: atMost })).map(toRef);
}

/** Pending requests that may be outdated. Without those whose payload is a file: they are about something new. */
export async function listLiveRequests(
  database: Queryable,
  except: readonly ApprovalRef[],
  atMost: number,
): Promise<ApprovalRef[]> {
  const belowBytes = 1_000_000;
  return (await database.query(listLive, { belowBytes, exceptIds: idsOf(except), limit: atMost })).map(toRef);
}

/** Requests that ended so long ago that something of them is not kept any more. */
export async function listRequestsToForget(
  database: Queryable,
  keptDays: number,
  except: readonly ApprovalRef[],
  atMost: number,
): Promise<ApprovalRef[]> {
  return (await database.query(listToForget, { keptDays, exceptIds: idsOf(except), limit: atMost })).map(toRef);
}

function idsOf(requests: readonly ApprovalRef[]): string[] {
  return requests.map(({ approvalId }) => approvalId);
}

function toRef(row: RefRow): ApprovalRef {
  return { merchantId: tenantId(row.merchant_id), approvalId: storedPublicId('apr', row.approval_id) };
}

/** The last request of a page: its time to the microsecond, and its id. */
export interface ApprovalPlace {
  readonly atMicros: string;
  readonly id: string;
}

export interface ApprovalQuery {
  /** Pending requests come oldest first; ended ones newest first, by when they ended. `ended` is every end. */
  readonly state: ApprovalState | 'ended';
  readonly action: ApprovalAction | undefined;
  readonly after: ApprovalPlace | undefined;
  readonly limit: number;
}

/** The end of the year 9999, in microseconds. */
const endOfTime = '253402300799000000';

/** `next` is undefined when the page is the last. */
export async function listApprovals(
  database: Queryable,
  { state, action, after, limit }: ApprovalQuery,
): Promise<{ approvals: Approval[]; next: ApprovalPlace | undefined }> {
  const isPending = state === 'pending';
  const start = after ?? { atMicros: isPending ? '0' : endOfTime, id: '' };
  const values = { atMicros: start.atMicros, startId: start.id, action, limit: limit + 1, state };
  const rows = await database.query(isPending ? pageOfPending : pageOfEnded, values);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    approvals: page.map(toApproval),
    next: last && { atMicros: last.at_micros, id: last.approval_id },
  };
}

/** Leaves out what the reader asked for: somebody else must decide it. */
export async function listApprovalTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, { ...pageValues(page), reader: page.reader });
  return rows.map((row) => ({
    id: row.approval_id,
    merchantId: tenantId(row.merchant_id) || undefined,
    sinceMicros: BigInt(row.at_micros),
    summary: `Approve or refuse ${row.action}, which another operator asked for.`,
    path: `/operator/approvals/${row.approval_id}`,
  }));
}

/** How many requests wait for a second operator, by action. */
export async function countWaiting(database: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query(countByAction);
  return new Map(rows.map(({ action, count }) => [action, count]));
}
