/** Routes for operators: the batches of payments that leave through our banks. */
import Type, { type Static } from 'typebox';
import { ListPage, nextPage } from '../../http/answers/answer.js';
import { type FindPending, pendingField } from '../../http/four-eyes.js';
import { command, type Route, read } from '../../http/route.js';
import { namesIn } from '../../http/shapes.js';
import { clientIdsOf } from '../../merchants/service.js';
import { amountToText } from '../../money/literal.js';
import type { Queryable } from '../../postgres/statement.js';
import { type BatchPayment, batchStates, messageIdOf, recordOf } from './batch.js';
import { BatchFileShape, BatchPath, BatchQueryShape, BatchShape, ReleaseShape } from './schemas.js';
import type { BatchService } from './service.js';
import type { BatchPlace, StoredBatch } from './store.js';

const described = { tag: 'Bank for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forReviewers = { ...described, access: { token: 'operator', role: 'reviewer' }, subject: 'instance' } as const;
const unfinished = batchStates.filter((state) => state !== 'SENT' && state !== 'EMPTY');

export function batchRoutes(batches: BatchService, findPending: FindPending): Route[] {
  return [
    listRoute(batches, findPending),
    readRoute(batches, findPending),
    closeRoute(batches),
    releaseRoute(batches),
    retryRoute(batches),
  ];
}

function listRoute(batches: BatchService, findPending: FindPending): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/bank/batches',
    operationId: 'listBankBatches',
    summary: 'List batches of payments',
    description: 'A batch is one file to one of our banks. The header `Link` names the next page.',
    returns: 'A page of batches, the newest first.',
    query: BatchQueryShape,
    answer: Type.Array(BatchShape),
    async run({ query }, database) {
      const { state, accountId, after, limit = 50 } = query;
      const states = namesIn(batchStates, state) ?? unfinished;
      const { batches: found, next } = await batches.list(database, {
        states,
        accountId,
        after: placeOf(after),
        limit,
      });
      const last = next && `${next.createdAt.getTime()}.${next.batchId}`;
      const pending = await findPending(database, found.map(recordOf));
      const shown = found.map((batch) => ({ ...encode(batch), ...pendingField(pending.get(recordOf(batch))) }));
      return new ListPage(shown, last && nextPage('/operator/bank/batches', query, last));
    },
  });
}

function readRoute(batches: BatchService, findPending: FindPending): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/bank/batches/{batchId}',
    operationId: 'getBankBatch',
    summary: 'Get a batch with its payments',
    returns: 'The batch.',
    params: BatchPath,
    answer: BatchFileShape,
    refusals: ['bank_batch_not_found'],
    async run({ params }, database) {
      const { batch, payments } = await batches.get(database, params.batchId);
      const pending = await findPending(database, [recordOf(batch)]);
      return {
        ...encode(batch),
        payments: await encodePayments(database, payments),
        ...pendingField(pending.get(recordOf(batch))),
      };
    },
  });
}

function closeRoute(batches: BatchService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/bank/batches/{batchId}/close',
    operationId: 'closeBankBatch',
    summary: 'Close a batch early',
    description:
      'No payment joins any more. A batch that keeps the day within `releaseUpTo` of its account leaves at once; any other waits for its release.',
    returns: 'The batch.',
    params: BatchPath,
    answer: BatchShape,
    refusals: ['bank_batch_not_found', 'bank_batch_closed', 'ledger_fault'],
    run: async ({ params }, tx) => encode(await batches.close(tx, params.batchId)),
  });
}

function releaseRoute(batches: BatchService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/bank/batches/{batchId}/release',
    operationId: 'releaseBankBatch',
    summary: 'Release a batch to the bank',
    description:
      'The orders of its payments are checked again; what does not pass is withdrawn, and what must wait joins the next batch. To take a payment out before, put its order under review or freeze it. Where the day exceeds `releaseUpTo` of the account, a second operator must approve it.',
    returns: 'The batch. Its file is written and sent next.',
    fourEyes: {
      action: 'bank_batch.release',
      review: (call, tx) => batches.review(tx, call.params.batchId),
    },
    params: BatchPath,
    body: ReleaseShape,
    answer: BatchShape,
    refusals: ['bank_batch_not_found', 'bank_batch_not_waiting', 'version_conflict', 'ledger_fault'],
    run: async ({ params, body, by }, tx) => encode(await batches.release(tx, by, params.batchId, body.version)),
  });
}

function retryRoute(batches: BatchService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/bank/batches/{batchId}/retry',
    operationId: 'retryBankBatch',
    summary: 'Try a batch again that does not go on',
    description:
      'For a batch that was released and has not reached the bank: its next step is tried at once. What was stored is sent byte for byte, so that nothing is paid twice.',
    returns: 'The batch.',
    params: BatchPath,
    answer: BatchShape,
    refusals: ['bank_batch_not_found', 'bank_batch_not_under_way', 'ledger_fault'],
    run: async ({ params, by }, tx) => encode(await batches.retry(tx, by, params.batchId)),
  });
}

function placeOf(after: string | undefined): BatchPlace | undefined {
  const [milliseconds, batchId] = after?.split('.') ?? [];
  if (milliseconds === undefined || batchId === undefined) return undefined;
  return { createdAt: new Date(Number(milliseconds)), batchId };
}

function encode(batch: StoredBatch): Static<typeof BatchShape> {
  const { batchId, accountId, state, sum, payments, closesAt, executionDay, file, answer, version, createdAt } = batch;
  return {
    id: batchId,
    accountId,
    state,
    currency: sum.currency,
    sum: amountToText(sum),
    paymentCount: payments,
    messageId: messageIdOf(batchId),
    closesAt: closesAt.toISOString(),
    executionDay: executionDay ?? null,
    fileName: file?.name ?? null,
    fileHash: file?.hash ?? null,
    answer: answer ?? null,
    version,
    createdAt: createdAt.toISOString(),
  };
}

async function encodePayments(database: Queryable, payments: readonly BatchPayment[]) {
  const clientIds = await clientIdsOf(
    database,
    payments.map(({ merchantId }) => merchantId),
  );
  return payments.map(({ attemptId, merchantId, reference, direction, amount, hasLeft, answer }) => ({
    payoutId: attemptId,
    merchant: clientIds.get(merchantId) ?? null,
    reference,
    direction,
    amount: amountToText(amount),
    hasLeft,
    answer: answer ?? null,
  }));
}
