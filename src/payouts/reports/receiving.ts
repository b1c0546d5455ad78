/** Receives many reports, each in a transaction of its own. One that cannot be applied does not stop the others. */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { isDatabaseUnavailable } from '../../postgres/failure.js';
import type { Rail, Report } from '../rail.js';
import type { ReportService } from './report-service.js';

export interface ReceivingOptions {
  readonly database: Database;
  readonly reports: ReportService;
  readonly log: Log;
}

const byRail: By = { actor: { kind: 'system', name: 'payouts' } };

/**
 * Throws when the database cannot be reached or did not answer to a COMMIT. The later reports then wait until the rail says
 * them again: a return without its payment would tell another story.
 */
export async function receiveAll(
  { database, reports: service, log }: ReceivingOptions,
  { name: rail }: Rail,
  reports: readonly Report[],
): Promise<void> {
  for (const report of reports) {
    await database
      .transaction((tx) => service.receive(tx, byRail, { rail, report, source: 'rail' }))
      .catch((error: unknown) => {
        if (isUnavailable(error)) throw error;
        log.error({ rail, err: error }, 'a report could not be applied');
      });
  }
}

function isUnavailable(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof RemesaError && error.kind === 'unavailable');
}

/** Reads a file or a callback of a rail. Throws when it cannot be read, before anything is applied. */
export function receiveDocument(options: ReceivingOptions, rail: Rail, document: Buffer): Promise<void> {
  return receiveAll(options, rail, rail.read(document));
}
