/** SQL on re-screening runs. One run is current; the process that holds its lease works on it. */
import { type MerchantId, merchantId, type UserId, userId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';

interface RunRow {
  run_id: bigint;
  lists_version: string;
  people: bigint;
  screened: bigint;
  hits: bigint;
  failed: bigint;
  after_merchant: bigint;
  after_user: bigint;
  is_leased: boolean;
  started_at: Date;
  finished_at: Date | null;
  superseded_at: Date | null;
}

const storedColumns = `run_id, lists_version, people, screened, hits, failed, after_merchant, after_user, started_at,
  finished_at, superseded_at`;
const columns = `${storedColumns},
  coalesce(worker IS NOT NULL AND leased_until > statement_timestamp(), false) AS is_leased`;
const isApproved = `kyc_case.state = 'APPROVED' AND kyc_case.closed_at IS NULL`;

const findCurrent = statement(
  'run-store.find-current',
  `SELECT ${columns} FROM screening_runs WHERE superseded_at IS NULL`,
).rows<RunRow>();
const listNewest = statement(
  'run-store.list',
  `SELECT ${columns} FROM screening_runs ORDER BY run_id DESC LIMIT $limit`,
).rows<RunRow>();
const supersede = statement(
  'run-store.supersede',
  `UPDATE screening_runs SET superseded_at = statement_timestamp(), worker = NULL, leased_until = NULL
    WHERE superseded_at IS NULL AND run_id = $runId`,
);
const insertRun = statement(
  'run-store.insert',
  `INSERT INTO screening_runs (lists_version, people) VALUES ($listsVersion, $people) ON CONFLICT DO NOTHING`,
);
const countPeople = statement(
  'run-store.count-people',
  `SELECT count(*) AS people FROM (
     SELECT DISTINCT kyc_case.merchant_id, kyc_case.user_id FROM kyc_cases AS kyc_case WHERE ${isApproved}) AS person`,
).rows<{ people: bigint }>();
/** A finished run has a lease in the future, so that it is looked through again only after a while. */
const claimRun = statement(
  'run-store.claim',
  `UPDATE screening_runs SET worker = $worker, leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE run_id = $runId AND superseded_at IS NULL
      AND (worker = $worker OR leased_until IS NULL OR leased_until <= statement_timestamp())
   RETURNING ${storedColumns}, true AS is_leased`,
).rows<RunRow>();
const saveProgress = statement(
  'run-store.save-progress',
  `UPDATE screening_runs SET after_merchant = $afterMerchant, after_user = $afterUser, screened = screened + $screened,
          hits = hits + $hits, failed = failed + $failed
    WHERE run_id = $runId AND worker = $worker`,
);
const finishRun = statement(
  'run-store.finish',
  `UPDATE screening_runs SET finished_at = least(finished_at, statement_timestamp()), worker = NULL,
          leased_until = statement_timestamp() + make_interval(secs => $againSeconds), after_merchant = 0,
          after_user = 0
    WHERE run_id = $runId AND worker = $worker`,
);
/** The subquery keeps PostgreSQL from reading all users for each batch. */
const listPeople = statement(
  'run-store.list-people',
  `SELECT DISTINCT kyc_case.merchant_id, kyc_case.user_id FROM kyc_cases AS kyc_case
    WHERE ${isApproved} AND (kyc_case.merchant_id, kyc_case.user_id) > ($afterMerchant::bigint, $afterUser::bigint)
      AND (SELECT screened.lists_version FROM screened_users AS screened
            WHERE screened.merchant_id = kyc_case.merchant_id AND screened.user_id = kyc_case.user_id)
          IS DISTINCT FROM $listsVersion::text
    ORDER BY kyc_case.merchant_id, kyc_case.user_id LIMIT $limit`,
).rows<{ merchant_id: bigint; user_id: bigint }>();

export interface Run {
  readonly runId: bigint;
  readonly listsVersion: string;
  /** With an approved level when the run began. */
  readonly people: number;
  readonly screened: number;
  readonly hits: number;
  readonly failed: number;
  readonly after: { readonly merchantId: bigint; readonly userId: bigint };
  readonly isLeased: boolean;
  readonly startedAt: Date;
  readonly finishedAt: Date | undefined;
  readonly supersededAt: Date | undefined;
}

export interface PersonRef {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
}

export async function findCurrentRun(database: Queryable): Promise<Run | undefined> {
  const [row] = await database.query(findCurrent);
  return row && toRun(row);
}

/** The newest first. */
export async function listRuns(database: Queryable, limit: number): Promise<Run[]> {
  return (await database.query(listNewest, { limit })).map(toRun);
}

/** Of two processes that start a run at once, one does; the other finds it. */
export async function startRun(tx: Transaction, before: Run | undefined, listsVersion: string): Promise<void> {
  if (before) await tx.query(supersede, { runId: before.runId });
  const [counted] = await tx.query(countPeople);
  await tx.query(insertRun, { listsVersion, people: counted?.people ?? 0n });
}

/** Returns undefined while another process works on the run, or when it is over. */
export async function claimCurrentRun(
  database: Database,
  { runId }: Run,
  worker: string,
  leaseSeconds: number,
): Promise<Run | undefined> {
  const [row] = await database.write(claimRun, { runId, worker, leaseSeconds });
  return row && toRun(row);
}

export interface Progress {
  readonly last: PersonRef;
  readonly screened: number;
  readonly hits: number;
  readonly failed: number;
}

/** Changes nothing when another process has taken the run over. */
export async function saveRunProgress(
  database: Database,
  { runId }: Run,
  worker: string,
  { last, ...counts }: Progress,
): Promise<void> {
  const after = { afterMerchant: last.merchantId, afterUser: last.userId };
  await database.write(saveProgress, { runId, worker, ...after, ...counts });
}

/** After `againSeconds` the run is looked through again, for users who were approved or failed meanwhile. */
export async function finishCurrentRun(
  database: Database,
  { runId }: Run,
  worker: string,
  againSeconds: number,
): Promise<void> {
  await database.write(finishRun, { runId, worker, againSeconds });
}

/** Users of all merchants with an approved level who were not screened against this version of the lists yet. */
export async function listPeopleToScreen(
  database: Queryable,
  { listsVersion, after }: Run,
  limit: number,
): Promise<PersonRef[]> {
  const place = { afterMerchant: after.merchantId, afterUser: after.userId };
  const rows = await database.query(listPeople, { listsVersion, ...place, limit });
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), userId: userId(row.user_id) }));
}

function toRun(row: RunRow): Run {
  return {
    runId: row.run_id,
    listsVersion: row.lists_version,
    people: Number(row.people),
    screened: Number(row.screened),
    hits: Number(row.hits),
    failed: Number(row.failed),
    after: { merchantId: row.after_merchant, userId: row.after_user },
    isLeased: row.is_leased,
    startedAt: row.started_at,
    finishedAt: row.finished_at ?? undefined,
    supersededAt: row.superseded_at ?? undefined,
  };
}
