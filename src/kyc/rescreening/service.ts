/** What operators see of the re-screening. */
import type { Queryable } from '../../postgres/statement.js';
import { listRuns, type Run } from './run-store.js';

const shownRuns = 20;

export function listNewestRuns(database: Queryable): Promise<Run[]> {
  return listRuns(database, shownRuns);
}
