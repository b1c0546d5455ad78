/** SQL on what waits for an operator, as tasks. */
import { tenantId } from '../../ids.js';
import { amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import { isPausing } from '../pauses/pause-store.js';
import { acceptedIsTaskAfterSeconds, unknownIsTaskAfterSeconds } from '../reports/asking.js';

interface AttemptTask {
  merchant_id: bigint;
  attempt_id: string;
  rail: string;
  state: string;
  direction: string;
  order_id: string | null;
  currency: CurrencyCode;
  amount_minor: bigint;
  at_micros: string;
}

const columns = `merchant_id, attempt_id, rail, state, direction, order_id, currency, amount_minor,
          (extract(epoch FROM changed_at) * 1000000)::bigint::text AS at_micros`;
const listToMake = statement(
  'task-store.list-payouts-to-make',
  `SELECT ${columns} FROM payout_attempts AS attempt
    WHERE state = 'READY' AND due_at IS NULL AND NOT EXISTS (SELECT FROM payout_pauses AS pause WHERE ${isPausing})
      AND (changed_at, attempt_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR attempt_id = $only)
    ORDER BY changed_at, attempt_id LIMIT $limit`,
).rows<AttemptTask>();
const listUnknown = statement(
  'task-store.list-unknown-payouts',
  `SELECT ${columns} FROM payout_attempts
    WHERE ((state IN ('SENDING', 'UNKNOWN') AND changed_at <= statement_timestamp() - make_interval(secs => $unknownSeconds))
        OR (state = 'READY' AND due_at <= statement_timestamp() - make_interval(secs => $acceptedSeconds))
        OR (state = 'ACCEPTED' AND changed_at <= statement_timestamp() - make_interval(secs => $acceptedSeconds)))
      AND (changed_at, attempt_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR attempt_id = $only)
    ORDER BY changed_at, attempt_id LIMIT $limit`,
).rows<AttemptTask>();
const listFailing = statement(
  'task-store.list-failing-rails',
  `SELECT rail, failures, (extract(epoch FROM failing_since) * 1000000)::bigint::text AS at_micros
     FROM payout_rail_failures
    WHERE resumes_at > failing_since
      AND (failing_since, rail) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR rail = $only)
    ORDER BY failing_since, rail LIMIT $limit`,
).rows<{ rail: string; failures: number; at_micros: string }>();
const listReports = statement(
  'task-store.list-unmatched-reports',
  `SELECT merchant_id, rail, rail || '.' || report_id AS task_id, kind, outcome,
          (extract(epoch FROM received_at) * 1000000)::bigint::text AS at_micros
     FROM payout_reports
    WHERE outcome IN ('contradictory', 'unmatched') AND settled_at IS NULL
      AND (received_at, rail || '.' || report_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR rail || '.' || report_id = $only)
    ORDER BY received_at, rail || '.' || report_id LIMIT $limit`,
).rows<{
  merchant_id: bigint;
  rail: string;
  task_id: string;
  kind: string;
  outcome: string;
  at_micros: string;
}>();

export async function listPayoutsToMake(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listToMake, pageValues(page));
  return rows.map((row) => taskOf(row, `Pay a ${row.direction} by hand and record it.`));
}

export async function listUnknownPayouts(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listUnknown, {
    ...pageValues(page),
    unknownSeconds: unknownIsTaskAfterSeconds,
    acceptedSeconds: acceptedIsTaskAfterSeconds,
  });
  return rows.map((row) =>
    taskOf(
      row,
      row.state === 'READY'
        ? `Find out why a ${row.direction} was not sent to the rail ${row.rail}.`
        : `Ask the rail ${row.rail} what became of a ${row.direction} that is ${row.state}.`,
    ),
  );
}

export async function listFailingRails(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listFailing, pageValues(page));
  return rows.map(({ rail, failures, at_micros }) => ({
    id: rail,
    merchantId: undefined,
    sinceMicros: BigInt(at_micros),
    summary: `Examine the rail ${rail}: it has failed ${failures} times in a row.`,
    path: '/operator/payouts',
  }));
}

export async function listUnmatchedReports(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listReports, pageValues(page));
  return rows.map((row) => ({
    id: row.task_id,
    merchantId: tenantId(row.merchant_id) || undefined,
    sinceMicros: BigInt(row.at_micros),
    summary: `Examine a report "${row.kind}" of the rail ${row.rail}: it is ${row.outcome}, and nothing was changed.`,
    path: '/operator/payout-reports',
  }));
}

function taskOf(row: AttemptTask, summary: string): Task {
  return {
    id: row.attempt_id,
    merchantId: tenantId(row.merchant_id) || undefined,
    sinceMicros: BigInt(row.at_micros),
    summary,
    path: `/operator/payouts/${row.attempt_id}`,
    amount: amount(row.currency, row.amount_minor),
    orderId: row.order_id ?? undefined,
  };
}
