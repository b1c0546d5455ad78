/** Builds the rates room: quotes, corridors, and the jobs that ask the rate sources. */
import type { Clock } from '../clock.js';
import type { FindPending } from '../http/four-eyes.js';
import { deriveSigningKey } from '../keys/derive.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { TaskSource } from '../tasks/task.js';
import type { Job } from '../worker/worker.js';
import { Board } from './board/board.js';
import { collectJob, watchJob } from './board/collecting.js';
import { boardChanged } from './board/rate-state.js';
import { addDefaultCorridors } from './corridors/default-corridors.js';
import { rateHistoryRoute } from './history/routes.js';
import { heldRatesGauge, sourceGauges } from './operator/rate-overview.js';
import { operatorRateRoutes } from './operator/routes.js';
import { listFailingSourceTasks, listHeldRateTasks } from './operator/task-store.js';
import { QuoteProver } from './quote-proof.js';
import { QuoteWriter } from './quote-writer.js';
import { rateRoutes } from './routes.js';
import { historySweepJob, quoteSweepJob } from './service.js';
import type { RateSource } from './sources/rate-source.js';

export interface RateRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly sources: readonly RateSource[];
  readonly clock: Clock;
  readonly log: Log;
  readonly mode: 'sandbox' | 'live';
  /** Whether merchants lie on several machines. */
  readonly isDistributed: boolean;
  /** Whether this process runs the jobs. If so, it asks the sources once before it serves. */
  readonly runsJobs: boolean;
  readonly findPending: FindPending;
}

/** Also adds the default corridors of a new instance, which are open in a sandbox only. */
export async function rateRoom(options: RateRoomOptions) {
  const { database, sources, clock, log, mode, findPending } = options;
  const context = { sources, clock, log };
  await database.transaction((tx) => addDefaultCorridors(tx, { isOpen: mode === 'sandbox' }));
  const collect = collectJob(database, context);
  if (options.runsJobs) await collectOnce(collect);
  const board = new Board(database, sources, clock);
  await board.start();
  const names = sources.map(({ name }) => name);
  const prover = new QuoteProver(deriveSigningKey(options.rootKey, 'quote proofs'));
  return {
    board,
    prover,
    routes: [
      ...rateRoutes(board, new QuoteWriter(database, options), prover),
      rateHistoryRoute(board),
      ...operatorRateRoutes({ context, board, findPending }),
    ],
    jobs: [collect, watchJob(database, context), quoteSweepJob(database), historySweepJob(database)],
    gauges: [heldRatesGauge(database), ...sourceGauges(database, sources)],
    taskSources: [
      { kind: 'held_rate', list: listHeldRateTasks },
      { kind: 'rate_source_failing', list: (reader, page) => listFailingSourceTasks(reader, page, names) },
    ] satisfies TaskSource[],
    onWake: { [boardChanged]: () => board.refresh().catch(() => {}) },
    close: async () => board.stop(),
  };
}

/** Collects rates before the first quote, but does not wait for a slow source. */
async function collectOnce(collect: Job): Promise<void> {
  const timeLimit = new Promise<number>((resolve) => setTimeout(resolve, 2_000, 0).unref());
  await Promise.race([collect.run(new AbortController().signal).catch(() => 0), timeLimit]);
}
