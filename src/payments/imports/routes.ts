/** Routes for operators: import a file of movements, and see what became of its lines. */
import Type, { type Static } from 'typebox';
import { ListPage, nextPage, placeAfter } from '../../http/answers/answer.js';
import { auditedRead, command, type Route, read, stream } from '../../http/route.js';
import { numberOf } from '../../orders/order/order.js';
import { encodePayer } from '../operator/wire.js';
import type { Payment } from '../payment.js';
import { readMovementsCsv } from './csv.js';
import { type ImportProgress, linesPerPart } from './import.js';
import { countSuspendedLater, type ImportedPayment, type ImportListing } from './listing-service.js';
import {
  ImportedLineShape,
  ImportFileShape,
  ImportPath,
  ImportQueryShape,
  ImportResultsQueryShape,
  ImportShape,
  ImportVoidShape,
  ListedImportShape,
  largestFile,
  SettledShape,
} from './schemas.js';
import type { ImportService } from './service.js';

const described = { tag: 'Payments for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;

export function importRoutes(imports: ImportService, listing: ImportListing): Route[] {
  return [
    startRoute(imports),
    listRoute(listing),
    progressRoute(imports),
    linesRoute(imports),
    resultsRoute(listing),
    voidRoute(imports),
    settleRoute(imports),
  ];
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
      return encode({ ...started, counts, isFinished: false, voided: 0, voiding: 'no' });
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
    async run(call, database) {
      const progress = await imports.progress(database, call.params.importId);
      const { counts } = progress;
      const later = await countSuspendedLater(database, progress);
      const recorded = counts.recorded - later;
      return encode({ ...progress, counts: { ...counts, recorded, suspense: counts.suspense + later } });
    },
  });
}

function listRoute(listing: ImportListing): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/payments/imports',
    operationId: 'listPaymentImports',
    summary: 'List imports',
    description:
      'Counts what became of the lines when they were done; `GET /operator/payments/imports/{importId}` also knows what merchants have put in suspense since. The header `Link` names the next page.',
    returns: 'A page of imports, the newest first.',
    query: ImportQueryShape,
    answer: Type.Array(ListedImportShape),
    refusals: ['merchant_not_found'],
    async run({ query }, database) {
      const { merchant, account: accountId, limit = 20 } = query;
      const after = placeAfter(query.after);
      const { imports, next } = await listing.list(database, { merchant, accountId }, { after, limit });
      const items = imports.map(({ progress, clientId, login }) => ({
        ...encode(progress),
        merchant: clientId ?? null,
        by: login,
      }));
      return new ListPage(items, next && nextPage('/operator/payments/imports', query, `${next.atMicros}.${next.id}`));
    },
  });
}

function resultsRoute(listing: ImportListing): Route {
  return auditedRead({
    ...described,
    access: { token: 'operator', role: 'reviewer' },
    method: 'GET',
    path: '/operator/payments/imports/{importId}/results',
    operationId: 'listPaymentImportResults',
    summary: 'List the lines of an import with their payments',
    description: `What became of each line, as it is now. A page has up to ${linesPerPart} lines; the header \`Link\` names the next one.`,
    returns: 'A page of lines, in the order of the file.',
    params: ImportPath,
    query: ImportResultsQueryShape,
    answer: Type.Array(ImportedLineShape),
    refusals: ['payment_import_not_found'],
    async run(call, tx) {
      const { importId } = call.params;
      const { lines, next } = await listing.lines(tx, call.by, importId, Number(call.query.after ?? 0));
      const path = `/operator/payments/imports/${importId}/results`;
      return new ListPage(lines.map(encodeLine), next === undefined ? undefined : nextPage(path, {}, String(next)));
    },
  });
}

function voidRoute(imports: ImportService): Route {
  return command({
    ...described,
    access: { token: 'operator', role: 'reviewer' },
    method: 'POST',
    path: '/operator/payments/imports/{importId}/corrections/void',
    operationId: 'voidPaymentImport',
    summary: 'Void what an import recorded',
    description:
      'For a wrong file. In the background each payment of the file is voided, as `POST /operator/payments/{paymentId}/corrections/void` does; what has moved on stays. The true lines can be imported afterwards. Needs a second operator and an `Idempotency-Key`.',
    returns: 'The import. Follow it with `GET /operator/payments/imports/{importId}`.',
    params: ImportPath,
    subject: (call, database) => imports.tenantOf(database, call.params.importId),
    idempotency: { keepForHours: 24, isRequired: true },
    fourEyes: {
      action: 'payment.void',
      review: (call, tx) => imports.reviewVoid(tx, call.params.importId),
    },
    body: ImportVoidShape,
    answer: ImportShape,
    refusals: ['payment_import_not_found', 'payment_import_not_voidable'],
    run: async (call, tx) => encode(await imports.void(tx, call.by, call.params.importId, call.body.note)),
  });
}

function linesRoute(imports: ImportService): Route {
  return stream({
    ...forViewers,
    method: 'GET',
    path: '/operator/payments/imports/{importId}/lines',
    operationId: 'getPaymentImportLines',
    summary: 'Download what became of each line',
    description:
      'As it was when the line was done. CSV with the columns `line`, `outcome`, `paymentId`, `reason`, `column` and `message`, for the lines that are done. Contains nothing personal.',
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
  const { importId, accountId, lines, counts, isFinished, voided, voiding, createdAt } = progress;
  return { id: importId, accountId, lines, ...counts, isFinished, voided, voiding, createdAt: createdAt.toISOString() };
}

function encodeLine(imported: ImportedPayment): Static<typeof ImportedLineShape> {
  const { result, listed, record } = imported;
  return {
    line: result.line,
    outcome: outcomeNow(imported),
    reason: (isInSuspense(imported) ? record?.reason : result.reason) ?? null,
    column: result.column ?? null,
    message: result.message ?? null,
    paymentId: result.paymentId ?? null,
    ...encodeMovement(listed?.payment),
    payer: encodePayer(listed?.payer),
    suspenseId: record?.suspenseId ?? null,
    suspenseState: record?.state ?? null,
  };
}

function encodeMovement(payment: Payment | undefined) {
  if (!payment) return { bankReference: null, amount: null, currency: null, orderId: null };
  const { bankReference, amount, order } = payment;
  return { bankReference, amount: numberOf(amount), currency: amount.currency, orderId: order?.orderId ?? null };
}

/** The merchant of the order decides about a payment that it has taken over. */
function outcomeNow(imported: ImportedPayment): Static<typeof ImportedLineShape>['outcome'] {
  const { result, listed, record } = imported;
  if (result.outcome === 'duplicate' || !listed) return result.outcome === 'duplicate' ? 'duplicate' : 'fault';
  const { voidedAt, outcome, isSettled } = listed.payment;
  if (voidedAt) return 'voided';
  if (isInSuspense(imported)) return 'suspense';
  return outcome === 'handed_over' && !isSettled && !record ? 'handed_over' : 'applied';
}

/** The whole of it, and not only what its order did not need. */
function isInSuspense({ listed, record }: ImportedPayment): boolean {
  return record !== undefined && record.reason !== 'over' && listed?.payment.outcome !== 'applied';
}
