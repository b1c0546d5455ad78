/** Records the lines of a file, and says what became of each. */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { isDatabaseUnavailable } from '../../postgres/failure.js';
import { doEachInOrder } from '../../worker/claim.js';
import type { ImportedLine } from '../payment.js';
import type { Entry, PaymentService, RecordedPayment } from '../service.js';
import type { LineResult } from './import.js';

export type LineEntry = Entry & { readonly source: ImportedLine; readonly line: number };

export interface RecordingOptions {
  readonly database: Database;
  readonly payments: PaymentService;
  readonly log: Log;
}

const byImport: By = { actor: { kind: 'system', name: 'payment import' } };

/**
 * In no particular order. All lines are of one account. Throws when the database cannot be reached; what was recorded
 * until then is found again when the lines are done again.
 */
export async function recordLines(
  { database, payments, log }: RecordingOptions,
  entries: readonly LineEntry[],
): Promise<LineResult[]> {
  const done = await doEachInOrder(entries, subjectsOf, (entry) =>
    database.transaction((tx) => payments.record(tx, byImport, entry)),
  );
  return done.map((line) => {
    if ('result' in line) return resultOf(line.row, line.result);
    const { row, error } = line;
    if (isDatabaseUnavailable(error)) throw error;
    if (!(error instanceof RemesaError)) log.error({ err: error }, 'line of an import cannot be recorded');
    return faultOf(row.line, error);
  });
}

/** What a line locks. Lines with a common subject are done in their order. */
function subjectsOf({ candidate, movement }: LineEntry): string[] {
  const subjects = [`movement ${movement.bankReference}`];
  return 'order' in candidate ? [...subjects, `order ${candidate.order.orderId}`] : subjects;
}

function resultOf({ source, line }: LineEntry, { payment, isNew }: RecordedPayment): LineResult {
  const { paymentId, outcome, reason, importedLine } = payment;
  // The same line of the same import was recorded before this part was interrupted.
  const isOwn = importedLine?.importId === source.importId && importedLine.line === source.line;
  if (!isNew && !isOwn) return { line, outcome: 'duplicate', paymentId };
  if (outcome === 'suspense') return { line, outcome, paymentId, ...(reason ? { reason } : {}) };
  return { line, outcome: 'recorded', paymentId };
}

function faultOf(line: number, error: unknown): LineResult {
  if (!(error instanceof RemesaError)) {
    const message = 'was not recorded because of an error of the service; import it again';
    return { line, outcome: 'fault', reason: 'internal_error', message };
  }
  const { code: reason, publicMessage: message, details } = error;
  const column = details.errors?.[0]?.field;
  return { line, outcome: 'fault', reason, message, ...(column ? { column } : {}) };
}
