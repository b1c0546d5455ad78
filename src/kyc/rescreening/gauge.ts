/** The progress of the current re-screening, for the metrics. */
import type { RoomGauge } from '../../http/monitoring/metrics.js';
import type { Queryable } from '../../postgres/statement.js';
import { findCurrentRun } from './run-store.js';

export function rescreeningGauge(database: Queryable): RoomGauge {
  return {
    name: 'remesa_rescreening_users',
    help: 'The users of the current re-screening: approved at its start, screened, remaining, failed; and new hits.',
    label: 'figure',
    async read() {
      const run = await findCurrentRun(database);
      if (!run) return new Map();
      const { people, screened, hits, failed } = run;
      const remaining = run.finishedAt ? 0 : Math.max(0, people - screened - failed);
      return new Map(Object.entries({ approved: people, screened, remaining, new_hits: hits, failed }));
    },
  };
}
