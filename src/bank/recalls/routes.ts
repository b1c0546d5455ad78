/** Routes for operators: ask a bank for a payment that has left, and see what it answered. */
import Type, { type Static } from 'typebox';
import { command, type Route, read } from '../../http/route.js';
import { namesIn } from '../../http/shapes.js';
import { type Recall, recallStates } from './recall.js';
import * as shapes from './schemas.js';
import type { RecallService } from './service.js';

const described = { tag: 'Bank for operators' } as const;

export function recallRoutes(recalls: RecallService): Route[] {
  return [
    command({
      ...described,
      access: { token: 'operator', role: 'reviewer' },
      method: 'POST',
      subject: 'instance',
      path: '/operator/payouts/{attemptId}/recall',
      operationId: 'recallPayout',
      summary: 'Ask the bank for a payment that has left',
      description:
        'Writes a recall (camt.056, or camt.055 where that is agreed) of a payment that left in a file. Nothing changes before the bank answers: what it gives back before it was paid waits as an answer, and what it gives back later comes as a line of a statement. Needs a second operator.',
      returns: 'The recall. Its file leaves next.',
      fourEyes: { action: 'payout.recall', review: ({ params }, tx) => recalls.review(tx, params.attemptId) },
      params: shapes.RecallPath,
      body: shapes.RecallRequestShape,
      answer: shapes.RecallShape,
      refusals: ['bank_payment_not_recallable', 'bank_recall_open', 'ledger_fault'],
      run: async ({ params, body, by }, tx) =>
        encode(await recalls.ask(tx, by, params.attemptId, { reason: body.reason, text: body.text })),
    }),
    read({
      ...described,
      access: { token: 'operator', role: 'viewer' },
      method: 'GET',
      path: '/operator/bank/recalls',
      operationId: 'listBankRecalls',
      summary: 'List recalls',
      returns: 'The recalls, the newest first.',
      query: shapes.RecallQueryShape,
      answer: Type.Array(shapes.RecallShape),
      async run({ query: { state, payoutId, limit = 50 } }, database) {
        const states = namesIn(recallStates, state) ?? recallStates;
        return (await recalls.list(database, { states, attemptId: payoutId, limit })).map(encode);
      },
    }),
  ];
}

function encode(recall: Recall): Static<typeof shapes.RecallShape> {
  const { recallId, attemptId, batchId, accountId, reference, reason, fileName, state } = recall;
  return {
    id: recallId,
    payoutId: attemptId,
    batchId,
    accountId,
    reference,
    reason,
    fileName,
    state,
    answer: recall.answer ?? null,
    askedAt: recall.askedAt.toISOString(),
    answeredAt: recall.answeredAt?.toISOString() ?? null,
  };
}
