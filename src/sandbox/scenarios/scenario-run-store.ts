/** SQL on the runs of scenarios. */
import { type MerchantId, merchantId, storedPublicId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Facts, Run, RunId, RunState } from './scenario.js';

interface RunRow {
  run_id: string;
  scenario: string;
  state: RunState;
  step: number;
  facts: Facts;
  failure: string | null;
  tries: number;
  started_at: Date;
}
const columns = 'run_id, scenario, state, step, facts, failure, tries, started_at';

const insertRun = statement<RunRow>(
  'scenario-run-store.insert',
  `INSERT INTO scenario_runs (merchant_id, run_id, scenario, is_exclusive) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
);
const findById = statement<RunRow>(
  'scenario-run-store.find',
  `SELECT ${columns} FROM scenario_runs WHERE merchant_id = $1 AND run_id = $2`,
);
const listDue = statement<{ merchant_id: bigint; run_id: string }>(
  'scenario-run-store.list-due',
  `SELECT merchant_id, run_id FROM scenario_runs WHERE state = 'RUNNING' AND try_at <= statement_timestamp()
    ORDER BY try_at LIMIT $1`,
);
const countRunning = statement<{ running: number }>(
  'scenario-run-store.count-running',
  `SELECT count(*)::int AS running FROM scenario_runs WHERE state = 'RUNNING'`,
);
const lockRunning = statement<RunRow>(
  'scenario-run-store.lock',
  `SELECT ${columns} FROM scenario_runs WHERE merchant_id = $1 AND run_id = $2 AND state = 'RUNNING'
      FOR UPDATE SKIP LOCKED`,
);
const findBefore = statement<{ run_id: string }>(
  'scenario-run-store.find-before',
  `SELECT run_id FROM scenario_runs
    WHERE merchant_id = $1 AND state = 'RUNNING' AND (is_exclusive OR $3::boolean)
      AND (started_at, run_id) < (SELECT started_at, run_id FROM scenario_runs WHERE merchant_id = $1 AND run_id = $2)
    LIMIT 1`,
);
const saveStep = statement(
  'scenario-run-store.save-step',
  `UPDATE scenario_runs SET step = step + 1, tries = 0, facts = $3::jsonb, state = $4, try_at = statement_timestamp(),
          changed_at = statement_timestamp()
    WHERE merchant_id = $1 AND run_id = $2`,
);
const saveTry = statement(
  'scenario-run-store.save-try',
  `UPDATE scenario_runs SET try_at = statement_timestamp() + make_interval(secs => $3), tries = tries + $4
    WHERE merchant_id = $1 AND run_id = $2`,
);
const saveFailure = statement(
  'scenario-run-store.save-failure',
  `UPDATE scenario_runs SET state = 'FAILED', failure = left($4, 500), changed_at = statement_timestamp()
    WHERE merchant_id = $1 AND run_id = $2 AND step = $3 AND state = 'RUNNING'`,
);

export interface RunRef {
  readonly merchantId: MerchantId;
  readonly runId: RunId;
}

export async function addRun(
  tx: Transaction,
  { merchantId: merchant, runId }: RunRef,
  { scenario, isExclusive }: { readonly scenario: string; readonly isExclusive: boolean },
): Promise<Run> {
  const [row] = await tx.query(insertRun, [merchant, runId, scenario, isExclusive]);
  if (!row) throw new Error('the run was not added');
  return toRun(merchant, row);
}

export async function findRun(
  database: Queryable,
  { merchantId: merchant, runId }: RunRef,
): Promise<Run | undefined> {
  const [row] = await database.query(findById, [merchant, runId]);
  return row && toRun(merchant, row);
}

/** Runs whose next step may be tried now, of all merchants. */
export async function listDueRuns(database: Queryable, atMost: number): Promise<RunRef[]> {
  const rows = await database.query(listDue, [atMost]);
  return rows.map((row) => ({
    merchantId: merchantId(row.merchant_id),
    runId: storedPublicId('run', row.run_id),
  }));
}

export async function hasRunning(database: Queryable): Promise<boolean> {
  return ((await database.query(countRunning))[0]?.running ?? 0) > 0;
}

/** Undefined when the run has ended, or when another worker plays it. */
export async function lockRun(
  tx: Transaction,
  { merchantId: merchant, runId }: RunRef,
): Promise<Run | undefined> {
  const [row] = await tx.query(lockRunning, [merchant, runId]);
  return row && toRun(merchant, row);
}

/** Whether the run must wait for another one that started earlier. */
export async function hasToWait(tx: Transaction, run: RunRef, isExclusive: boolean): Promise<boolean> {
  return (await tx.query(findBefore, [run.merchantId, run.runId, isExclusive])).length > 0;
}

export async function saveDone(tx: Transaction, run: RunRef, facts: Facts, state: RunState): Promise<void> {
  await tx.query(saveStep, [run.merchantId, run.runId, JSON.stringify(facts), state]);
}

/** `isCounted`: the step was tried. Otherwise the run waits for another one. */
export async function tryLater(
  tx: Transaction,
  run: RunRef,
  { seconds, isCounted }: { readonly seconds: number; readonly isCounted: boolean },
): Promise<void> {
  await tx.query(saveTry, [run.merchantId, run.runId, seconds, isCounted ? 1 : 0]);
}

/** Does nothing when the run has gone on meanwhile. */
export async function saveFailed(tx: Transaction, run: Run, failure: string): Promise<void> {
  await tx.query(saveFailure, [run.merchantId, run.runId, run.step, failure]);
}

function toRun(merchant: MerchantId, row: RunRow): Run {
  return {
    merchantId: merchant,
    runId: storedPublicId('run', row.run_id),
    ...{ scenario: row.scenario, state: row.state, step: row.step, facts: row.facts },
    failure: row.failure ?? undefined,
    ...{ tries: row.tries, startedAt: row.started_at },
  };
}
