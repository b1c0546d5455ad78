/** Receives many reports, each in a transaction of its own. One that cannot be applied does not stop the others. */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { isDatabaseUnavailable } from '../../postgres/failure.js';
import type { Attempt } from '../attempt.js';
import type { Rail, Report, ReportKind } from '../rail.js';
import type { ReportService } from './report-service.js';
import type { ReportOutcome } from './report-store.js';

export interface ReceivingOptions {
  readonly database: Database;
  readonly reports: ReportService;
  readonly log: Log;
}

const byRail: By = { actor: { kind: 'system', name: 'payouts' } };

/** What became of a report. `failed`: it could not be applied, which the log explains. */
export interface ReportResult {
  readonly reportId: string;
  readonly reference: string;
  readonly kind: ReportKind;
  readonly outcome: ReportOutcome | 'failed';
}

/** Where the reports come from. */
export interface ReportOrigin {
  /** The attempts that the rail was asked about. */
  readonly asked?: readonly Attempt[];
  readonly isHandedIn?: boolean;
}

/**
 * Throws when the database cannot be reached or did not answer
 * to a COMMIT. The later reports then wait until the rail says them again: a return without its payment would tell
 * another story.
 */
export async function receiveAll(
  { database, reports: service, log }: ReceivingOptions,
  { name: rail }: Rail,
  reports: readonly Report[],
  { asked = [], isHandedIn = false }: ReportOrigin = {},
): Promise<ReportResult[]> {
  const results: ReportResult[] = [];
  const lastOf = new Map(reports.map((report) => [report.reference, report]));
  for (const report of reports) {
    const isFollowed = lastOf.get(report.reference) !== report;
    const about = asked.find(({ reference }) => reference === report.reference);
    const outcome = await database
      .transaction((tx) => service.receive(tx, byRail, { rail, report, source: 'rail', about, isFollowed, isHandedIn }))
      .catch((error: unknown) => {
        if (isUnavailable(error)) throw error;
        log.error({ rail, err: error }, 'a report could not be applied');
        return 'failed' as const;
      });
    const { reportId, reference, kind } = report;
    results.push({ reportId, reference, kind, outcome });
  }
  return results;
}

function isUnavailable(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isStopped(error);
}

/** The service cannot work now. A row that somebody else has changed concerns its own payout only. */
export function isStopped(error: unknown): boolean {
  return error instanceof RemesaError && error.kind === 'unavailable' && error.code !== 'ledger_fault';
}
