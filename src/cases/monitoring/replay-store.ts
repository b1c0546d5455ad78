/** SQL on replays. A job makes their reports. */
import { type OperatorId, operatorId, type PublicId, storedPublicId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { ReplayReport } from './replay.js';
import type { MonitoringKind, Parameters, Terms } from './rule.js';

interface ReplayRow {
  replay_id: string;
  kind: MonitoringKind;
  parameters: Parameters;
  period_from: Date;
  period_until: Date;
  report: ReplayReport | null;
  attempts: number;
  made_by: bigint;
  made_at: Date;
}
const columns = 'replay_id, kind, parameters, period_from, period_until, report, attempts, made_by, made_at';

const insertReplay = statement(
  'replay-store.insert',
  `INSERT INTO monitoring_replays (replay_id, kind, parameters, period_from, period_until, made_by)
   VALUES ($replayId, $kind, $parameters, $from, $until, $madeBy) RETURNING ${columns}`,
).rows<ReplayRow>();
const findOne = statement(
  'replay-store.find',
  `SELECT ${columns} FROM monitoring_replays WHERE replay_id = $replayId`,
).rows<ReplayRow>();
const claimNext = statement(
  'replay-store.claim',
  `UPDATE monitoring_replays SET claim = $claim, attempts = attempts + 1,
          leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE replay_id = ANY (ARRAY(SELECT waiting.replay_id FROM monitoring_replays AS waiting
       WHERE waiting.report IS NULL AND waiting.attempts < $attemptsAtMost::int
         AND (waiting.leased_until IS NULL OR waiting.leased_until <= statement_timestamp())
       ORDER BY waiting.made_at LIMIT 1 FOR UPDATE SKIP LOCKED))
   RETURNING ${columns}`,
).rows<ReplayRow>();
const keepOne = statement(
  'replay-store.keep',
  `UPDATE monitoring_replays SET leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE replay_id = $replayId AND claim = $claim AND report IS NULL RETURNING replay_id`,
).rows<{ replay_id: string }>();
const saveOne = statement(
  'replay-store.save-report',
  `UPDATE monitoring_replays SET report = $report, claim = NULL, leased_until = NULL
    WHERE replay_id = $replayId AND claim = $claim AND report IS NULL`,
);

const leaseSeconds = 60;
const attemptsAtMost = 3;

export type ReplayState = 'waiting' | 'ready' | 'failed';

export interface StoredReplay extends Terms {
  readonly replayId: PublicId<'rpl'>;
  readonly from: Date;
  readonly until: Date;
  readonly state: ReplayState;
  /** Undefined until it is ready. */
  readonly report: ReplayReport | undefined;
  readonly madeBy: OperatorId;
  readonly madeAt: Date;
}

export type OpenReplay = StoredReplay & { readonly claim: string };

export async function addReplay(
  tx: Transaction,
  replay: Terms & Pick<StoredReplay, 'replayId' | 'from' | 'until' | 'madeBy'>,
): Promise<StoredReplay> {
  const { replayId, kind, from, until, madeBy } = replay;
  const parameters = JSON.stringify(replay.parameters);
  const [row] = await tx.query(insertReplay, { replayId, kind, parameters, from, until, madeBy });
  if (!row) throw new Error('the database returned no replay');
  return toReplay(row);
}

export async function findReplay(database: Queryable, replayId: PublicId<'rpl'>): Promise<StoredReplay | undefined> {
  const [row] = await database.query(findOne, { replayId });
  return row && toReplay(row);
}

/** The oldest whose report nobody makes. */
export async function claimReplay(tx: Transaction, claim: string): Promise<OpenReplay | undefined> {
  const [row] = await tx.query(claimNext, { claim, leaseSeconds, attemptsAtMost });
  return row && { ...toReplay(row), claim };
}

/** Returns false when another worker has taken over. */
export async function keepReplay(tx: Transaction, { replayId, claim }: OpenReplay): Promise<boolean> {
  return (await tx.query(keepOne, { replayId, claim, leaseSeconds })).length > 0;
}

export async function saveReport(
  tx: Transaction,
  { replayId, claim }: OpenReplay,
  report: ReplayReport,
): Promise<void> {
  await tx.query(saveOne, { replayId, claim, report: JSON.stringify(report) });
}

function toReplay(row: ReplayRow): StoredReplay {
  return {
    replayId: storedPublicId('rpl', row.replay_id),
    kind: row.kind,
    parameters: row.parameters,
    from: row.period_from,
    until: row.period_until,
    state: row.report ? 'ready' : row.attempts >= attemptsAtMost ? 'failed' : 'waiting',
    report: row.report ?? undefined,
    madeBy: operatorId(row.made_by),
    madeAt: row.made_at,
  };
}
