/** SQL on the runs of scenarios. */
import { type MerchantId, merchantId, storedPublicId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
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

const insertRun = statement(
  'scenario-run-store.insert',
  `INSERT INTO scenario_runs (merchant_id, run_id, scenario, is_exclusive)
   VALUES ($merchantId, $runId, $scenario, $isExclusive) RETURNING ${columns}`,
).rows<RunRow>();
const findById = statement(
  'scenario-run-store.find',
  `SELECT ${columns} FROM scenario_runs WHERE merchant_id = $merchantId AND run_id = $runId`,
).rows<RunRow>();
const listMerchants = statement(
  'scenario-run-store.list-merchants',
  `SELECT DISTINCT merchant_id FROM scenario_runs WHERE state = 'RUNNING' AND try_at <= statement_timestamp()`,
).rows<{ merchant_id: bigint }>();
const claimDue = statement(
  'scenario-run-store.claim',
  `UPDATE scenario_runs SET try_at = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE merchant_id = $merchantId
      AND run_id = ANY (ARRAY(
        SELECT run_id FROM scenario_runs
         WHERE merchant_id = $merchantId AND state = 'RUNNING' AND try_at <= statement_timestamp()
         ORDER BY try_at LIMIT $atMost FOR UPDATE SKIP LOCKED))
   RETURNING ${columns}`,
).rows<RunRow>();
const countRunning = statement(
  'scenario-run-store.count-running',
  `SELECT count(*)::int AS running FROM scenario_runs WHERE state = 'RUNNING'`,
).rows<{ running: number }>();
const lockAtStep = statement(
  'scenario-run-store.lock',
  `SELECT run_id FROM scenario_runs
    WHERE merchant_id = $merchantId AND run_id = $runId AND step = $step AND state = 'RUNNING' FOR UPDATE`,
).rows<{ run_id: string }>();
const findBefore = statement(
  'scenario-run-store.find-before',
  `SELECT run_id FROM scenario_runs
    WHERE merchant_id = $merchantId AND state = 'RUNNING' AND (is_exclusive OR $isExclusive::boolean)
      AND (started_at, run_id) < (SELECT started_at, run_id FROM scenario_runs
                                   WHERE merchant_id = $merchantId AND run_id = $runId)
    LIMIT 1`,
).rows<{ run_id: string }>();
const saveStep = statement(
  'scenario-run-store.save-step',
  `UPDATE scenario_runs SET step = step + 1, tries = 0, facts = $facts::jsonb, state = $state,
          try_at = statement_timestamp(), changed_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND run_id = $runId`,
);
const saveTry = statement(
  'scenario-run-store.save-try',
  `UPDATE scenario_runs SET try_at = statement_timestamp() + make_interval(secs => $seconds), tries = tries + $tried
    WHERE merchant_id = $merchantId AND run_id = $runId`,
);
const saveFailure = statement(
  'scenario-run-store.save-failure',
  `UPDATE scenario_runs SET state = 'FAILED', failure = left($failure, 500), changed_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND run_id = $runId AND step = $step AND state = 'RUNNING'`,
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
  const [row] = await tx.query(insertRun, { merchantId: merchant, runId, scenario, isExclusive });
  if (!row) throw new Error('the run was not added');
  return toRun(merchant, row);
}

export async function findRun(database: Queryable, { merchantId: merchant, runId }: RunRef): Promise<Run | undefined> {
  const [row] = await database.query(findById, { merchantId: merchant, runId });
  return row && toRun(merchant, row);
}

/** Merchants with runs whose next step may be tried now. */
export async function listMerchantsWithRuns(database: Queryable): Promise<MerchantId[]> {
  return (await database.query(listMerchants)).map((row) => merchantId(row.merchant_id));
}

/** Takes runs of the merchant that no other worker has. They are free again when the lease ends. */
export async function claimRuns(
  database: Database,
  merchant: MerchantId,
  claim: { readonly atMost: number; readonly leaseSeconds: number },
): Promise<Run[]> {
  const rows = await database.write(claimDue, { merchantId: merchant, ...claim });
  return rows.map((row) => toRun(merchant, row));
}

export async function hasRunning(database: Queryable): Promise<boolean> {
  return ((await database.query(countRunning))[0]?.running ?? 0) > 0;
}

/** False when the run has gone on or ended since it was claimed. */
export async function lockRun(tx: Transaction, run: Run): Promise<boolean> {
  const { merchantId: merchant, runId, step } = run;
  return (await tx.query(lockAtStep, { merchantId: merchant, runId, step })).length > 0;
}

/** Whether the run must wait for another one that started earlier. */
export async function hasToWait(tx: Transaction, run: RunRef, isExclusive: boolean): Promise<boolean> {
  const { merchantId: merchant, runId } = run;
  return (await tx.query(findBefore, { merchantId: merchant, runId, isExclusive })).length > 0;
}

/** The next step may be tried at once. */
export async function saveDone(tx: Transaction, run: RunRef, facts: Facts, state: RunState): Promise<void> {
  const { merchantId: merchant, runId } = run;
  await tx.query(saveStep, { merchantId: merchant, runId, facts: JSON.stringify(facts), state });
}

/** `isCounted`: the step was tried. Otherwise the run waits for another one. */
export async function tryLater(
  tx: Transaction,
  { merchantId: merchant, runId }: RunRef,
  { seconds, isCounted }: { readonly seconds: number; readonly isCounted: boolean },
): Promise<void> {
  await tx.query(saveTry, { merchantId: merchant, runId, seconds, tried: isCounted ? 1 : 0 });
}

/** Does nothing when the run has gone on meanwhile. */
export async function saveFailed(tx: Transaction, run: Run, failure: string): Promise<void> {
  const { merchantId: merchant, runId, step } = run;
  await tx.query(saveFailure, { merchantId: merchant, runId, step, failure });
}

function toRun(merchant: MerchantId, row: RunRow): Run {
  return {
    merchantId: merchant,
    runId: storedPublicId('run', row.run_id),
    scenario: row.scenario,
    state: row.state,
    step: row.step,
    facts: row.facts,
    failure: row.failure ?? undefined,
    tries: row.tries,
    startedAt: row.started_at,
  };
}
