/** Answers of banks, for the comparison with what their changes remember. They belong to the instance. */
import { canonicalJson, type DigestedRow, type RowSource } from '../../changes/row.js';
import { instanceTenant } from '../../ids.js';
import { type Answer, recordOf } from './answer.js';
import { listAnswerIdsAfter, listAnswersByIds } from './answer-store.js';

const prefix = 'bank_answer:';

export function digestedAnswer(answer: Answer): DigestedRow {
  const { digest, batchId, kind, payments, state, version } = answer;
  return { subject: recordOf(answer), row: [digest, batchId, kind, canonicalJson(payments), state, version] };
}

export const bankAnswerRows: RowSource = {
  prefix,
  async list(database, ownerId, after, limit) {
    if (ownerId !== instanceTenant) return [];
    return (await listAnswerIdsAfter(database, after.slice(prefix.length), limit)).map((id) => `${prefix}${id}`);
  },
  async find(database, ownerId, subjects) {
    if (ownerId !== instanceTenant) return [];
    const ids = subjects.map((subject) => subject.slice(prefix.length));
    return (await listAnswersByIds(database, ids)).map(digestedAnswer);
  },
};
