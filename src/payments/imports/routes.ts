/** Routes for operators: import a file of movements, and see what became of its lines. */
import Type, { type Static } from 'typebox';
import { command, type Route, read, stream } from '../../http/route.js';
import { readMovementsCsv } from './csv.js';
import type { ImportProgress } from './import.js';
import { ImportFileShape, ImportPath, ImportShape, largestFile, SettledShape } from './schemas.js';
import type { ImportService } from './service.js';

const described = { tag: 'Payments for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;

export function importRoutes(imports: ImportService): Route[] {
  return [startRoute(imports), progressRoute(imports), resultsRoute(imports), settleRoute(imports)];
}

function startRoute(imports: ImportService): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/operator/payments/import',
    operationId: 'importPayments',
    summary: 'Import a file of movements',
    description:
      'The file is accepted or refused as a whole. Its lines are then recorded in the background, and a fault in one line does not stop the others. Importing a file again, or one that overlaps with it, records nothing twice.',
    returns: 'The import. Follow it with `GET /operator/payments/imports/{importId}`.',
    access: { token: 'operator', role: 'reviewer' },
    subject: (call, database) => imports.ownerOf(database, call.body.accountId),
    fourEyes: {
      action: 'payment.import',
      review: async (call) => imports.review(call.body),
      resultPath: ({ id }) => `/operator/payments/imports/${id}`,
    },
    body: ImportFileShape,
    // A line end or a quote takes two bytes in JSON.
    bodyBounds: { bytes: largestFile, fields: 10 },
    answer: ImportShape,
    refusals: ['payin_account_not_found'],
    prepare: (call) => readMovementsCsv(call.body.csv),
    async run(call, tx, lines) {
      const started = await imports.start(tx, call.by, call.body.accountId, lines);
      const counts = { recorded: 0, suspense: 0, duplicate: 0, fault: 0 };
      return encode({ ...started, counts, isFinished: false });
    },
  });
}

function progressRoute(imports: ImportService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/payments/imports/{importId}',
    operationId: 'getPaymentImport',
    summary: 'Get the progress of an import',
    returns: 'How many lines are done, and what became of them.',
    params: ImportPath,
    answer: ImportShape,
    refusals: ['payment_import_not_found'],
    run: async (call, database) => encode(await imports.progress(database, call.params.importId)),
  });
}

function resultsRoute(imports: ImportService): Route {
  return stream({
    ...forViewers,
    method: 'GET',
    path: '/operator/payments/imports/{importId}/lines',
    operationId: 'getPaymentImportLines',
    summary: 'Download what became of each line',
    description:
      'CSV with the columns `line`, `outcome`, `paymentId`, `reason`, `column` and `message`, for the lines that are done. Contains nothing personal.',
    returns: 'The results.',
    params: ImportPath,
    answerType: 'text/csv',
    answer: Type.String(),
    refusals: ['payment_import_not_found'],
    async run(call, database) {
      const { importId } = call.params;
      return {
        mediaType: 'text/csv; charset=utf-8',
        headers: { 'content-disposition': 'attachment; filename="payments.csv"' },
        chunks: await imports.results(database, importId),
      };
    },
  });
}

function settleRoute(imports: ImportService): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/operator/payments/imports/{importId}/faults/settle',
    operationId: 'settleImportFaults',
    summary: 'Settle the faulty lines of an import',
    description:
      'Ends the task once the lines that could not be recorded are in the books: recorded by hand, or imported again without the fault.',
    returns: 'The faults are settled.',
    access: { token: 'operator', role: 'reviewer' },
    params: ImportPath,
    subject: async (call, database) => (await imports.progress(database, call.params.importId)).ownerId,
    body: SettledShape,
    refusals: ['payment_import_not_found', 'import_faults_not_found'],
    run: (call, tx) => imports.settleFaults(tx, call.by, call.params.importId, call.body.note),
  });
}

function encode(progress: ImportProgress): Static<typeof ImportShape> {
  const { importId, accountId, lines, counts, isFinished, createdAt } = progress;
  return { id: importId, accountId, lines, ...counts, isFinished, createdAt: createdAt.toISOString() };
}
