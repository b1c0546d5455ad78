/** SQL on the last requests of merchants. */
import type { MerchantId } from '../ids.js';
import type { Database } from '../postgres/database.js';
import { type Queryable, statement } from '../postgres/statement.js';
import type { MerchantSweep } from '../worker/by-merchant.js';
import { type EndedRequest, keptDays, keptRequests, type LoggedRequest } from './logged-request.js';

interface RequestRow {
  request_no: bigint;
  received_at: Date;
  method: string;
  path: string;
  status: number;
  code: string | null;
  request_id: string;
  duration_ms: number;
  is_replay: boolean;
}

/** Also deletes what would be too many, so that the table has a size that does not depend on the traffic. */
const insert = statement(
  'request-log.insert',
  `WITH trimmed AS (
     DELETE FROM merchant_requests
      WHERE merchant_id = $merchantId
        AND request_no <= (SELECT request_no FROM merchant_requests WHERE merchant_id = $merchantId
                            ORDER BY request_no DESC OFFSET $atMost LIMIT 1))
   INSERT INTO merchant_requests (merchant_id, received_at, method, path, status, code, request_id, duration_ms,
     is_replay)
   SELECT $merchantId, ended.*
     FROM unnest($receivedAt::timestamptz[], $methods::text[], $paths::text[], $statuses::smallint[], $codes::text[],
       $requestIds::text[], $durations::real[], $areReplays::boolean[]) AS ended`,
);
const list = statement(
  'request-log.list',
  `SELECT request_no, received_at, method, path, status, code, request_id, duration_ms, is_replay
     FROM merchant_requests
    WHERE merchant_id = $merchantId AND request_no < $before
      AND status >= $statusFrom AND status < $statusBelow AND ($method::text IS NULL OR method = $method)
    ORDER BY request_no DESC LIMIT $limit`,
).rows<RequestRow>();
const listMerchantsToSweep = statement(
  'request-log.list-merchants-to-sweep',
  `SELECT DISTINCT merchant_id FROM (
     SELECT merchant_id FROM merchant_requests
      WHERE received_at < statement_timestamp() - make_interval(days => $days)
      ORDER BY received_at LIMIT $limit) AS old`,
).rows<{ merchant_id: bigint }>();
const sweep = statement(
  'request-log.sweep',
  `DELETE FROM merchant_requests
    WHERE merchant_id = $merchantId AND received_at < statement_timestamp() - make_interval(days => $days)
   RETURNING 1 AS deleted`,
).rows<{ deleted: number }>();

/** Adds requests of one merchant. One that is lost does no harm. */
export async function addRequests(
  database: Database,
  merchantId: MerchantId,
  requests: readonly EndedRequest[],
): Promise<void> {
  await database.write(insert, {
    merchantId,
    atMost: keptRequests,
    receivedAt: requests.map(({ receivedAt }) => receivedAt),
    methods: requests.map(({ method }) => method),
    paths: requests.map(({ path }) => path),
    statuses: requests.map(({ status }) => status),
    codes: requests.map(({ code }) => code ?? null),
    requestIds: requests.map(({ requestId }) => requestId),
    durations: requests.map(({ ms }) => ms),
    areReplays: requests.map(({ isReplay }) => isReplay),
  });
}

export interface RequestFilter {
  readonly before: number;
  readonly statuses: readonly [from: number, below: number];
  readonly method: string | undefined;
}

/** The newest first. */
export async function listRequests(
  database: Queryable,
  merchantId: MerchantId,
  { before, statuses: [statusFrom, statusBelow], method }: RequestFilter,
  limit: number,
): Promise<LoggedRequest[]> {
  const rows = await database.query(list, { merchantId, before, statusFrom, statusBelow, method, limit });
  return rows.map((row) => ({
    requestNo: Number(row.request_no),
    receivedAt: row.received_at,
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code ?? undefined,
    requestId: row.request_id,
    ms: row.duration_ms,
    isReplay: row.is_replay,
  }));
}

/** Deletes what is too old. */
export const requestSweep: MerchantSweep = {
  due: (database) => database.query(listMerchantsToSweep, { days: keptDays, limit: 1000 }),
  sweep: async (tx, merchantId) => (await tx.query(sweep, { merchantId, days: keptDays })).length,
};
