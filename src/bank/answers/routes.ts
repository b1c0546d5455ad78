/** Routes for operators: what banks answer to our batches, and the files in which they do. */
import Type, { type Static } from 'typebox';
import { type FindPending, pendingField } from '../../http/four-eyes.js';
import { command, type Route, read } from '../../http/route.js';
import { namesIn } from '../../http/shapes.js';
import { type IncomingFile, incomingStates } from '../transport/incoming-file.js';
import { type Answer, answerStates, recordOf } from './answer.js';
import type { FileDesk } from './files.js';
import * as shapes from './schemas.js';
import type { AnswerService } from './service.js';

const described = { tag: 'Bank for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forReviewers = { ...described, access: { token: 'operator', role: 'reviewer' }, subject: 'instance' } as const;

export function answerRoutes(answers: AnswerService, files: FileDesk, findPending: FindPending): Route[] {
  return [listRoute(answers, findPending), applyRoute(answers), dismissRoute(answers), ...fileRoutes(files)];
}

function listRoute(answers: AnswerService, findPending: FindPending): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/bank/answers',
    operationId: 'listBankAnswers',
    summary: 'List answers of banks that wait for a decision',
    description: 'A bank says that it has not paid, or that it has payments twice. Such a text is not signed.',
    returns: 'The answers, the oldest first.',
    query: shapes.AnswerQueryShape,
    answer: Type.Array(shapes.AnswerShape),
    async run({ query: { state, limit = 50 } }, database) {
      const found = await answers.list(database, namesIn(answerStates, state) ?? ['WAITING'], limit);
      const pending = await findPending(database, found.map(recordOf));
      return found.map((answer) => ({ ...encode(answer), ...pendingField(pending.get(recordOf(answer))) }));
    },
  });
}

function applyRoute(answers: AnswerService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/bank/answers/{answerId}/apply',
    operationId: 'applyBankAnswer',
    summary: 'Apply the answer of a bank',
    description:
      'Its payments are recorded as rejected or recalled, so that their orders can be paid again or refunded. Refused while a statement has a debit that is, or may be, one of them. Needs a second operator.',
    returns: 'The answer. It is being applied.',
    fourEyes: { action: 'bank_answer.apply', review: (call, tx) => answers.review(tx, call.params.answerId) },
    params: shapes.AnswerPath,
    answer: shapes.AnswerShape,
    refusals: ['bank_answer_not_found', 'bank_answer_decided', 'bank_answer_debited', 'ledger_fault'],
    run: async ({ params, by }, tx) => encode(await answers.apply(tx, by, params.answerId)),
  });
}

function dismissRoute(answers: AnswerService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/bank/answers/{answerId}/dismiss',
    operationId: 'dismissBankAnswer',
    summary: 'Dismiss the answer of a bank',
    description: 'Nothing follows from it: the payments stay as they are.',
    returns: 'The answer.',
    params: shapes.AnswerPath,
    body: shapes.DismissalShape,
    answer: shapes.AnswerShape,
    refusals: ['bank_answer_not_found', 'bank_answer_decided', 'ledger_fault'],
    run: async ({ params, body, by }, tx) => encode(await answers.dismiss(tx, by, params.answerId, body.note)),
  });
}

function fileRoutes(files: FileDesk): Route[] {
  return [
    read({
      ...forViewers,
      method: 'GET',
      path: '/operator/bank/files',
      operationId: 'listBankFiles',
      summary: 'List files from banks',
      returns: 'The files, the newest first.',
      query: shapes.FileQueryShape,
      answer: Type.Array(shapes.FileShape),
      async run({ query: { state, limit = 50 } }, database) {
        const states = namesIn(incomingStates, state) ?? incomingStates;
        return (await files.list(database, states, limit)).map(encodeFile);
      },
    }),
    command({
      ...forReviewers,
      method: 'POST',
      path: '/operator/bank/files/{fileId}/settle',
      operationId: 'settleBankFile',
      summary: 'Settle a file with faults',
      description: 'You have examined what could not be read. It is no task any more.',
      returns: 'The file.',
      params: shapes.FilePath,
      body: shapes.SettlementShape,
      answer: shapes.FileShape,
      refusals: ['bank_file_not_found'],
      run: async ({ params, body, by }, tx) => encodeFile(await files.settle(tx, by, params.fileId, body.note)),
    }),
  ];
}

function encode(answer: Answer): Static<typeof shapes.AnswerShape> {
  const { answerId, batchId, digest, kind, state, payments, version, createdAt } = answer;
  return {
    id: answerId,
    batchId,
    fileId: digest,
    kind,
    state,
    payments: payments.map(({ reference, reason }) => ({ reference, reason })),
    version,
    receivedAt: createdAt.toISOString(),
  };
}

function encodeFile(file: IncomingFile): Static<typeof shapes.FileShape> {
  const { digest, connection, name, format, state, faults, isSettled, receivedAt } = file;
  return {
    id: digest,
    connection,
    name,
    format: format ?? null,
    state,
    faults: faults.map(({ message, line, path }) => ({ message, line, path })),
    isSettled,
    receivedAt: receivedAt.toISOString(),
  };
}
