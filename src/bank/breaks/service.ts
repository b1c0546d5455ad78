/** The verbs of operators on what nothing explains. */
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant, storedPublicId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { openClosedDaysOf } from '../lines/closed-day-store.js';
import type { LineSealer } from '../lines/content.js';
import { matchJob } from '../lines/line.js';
import { confirmLine } from '../lines/reported-store.js';
import { itemise, storedPayments } from '../lines/splitting.js';
import * as store from './break-store.js';

export type { Break } from './break-store.js';
export { listBankFileTasks, listBreaks, listBreakTasks } from './break-store.js';

/** What the decision about a possible duplicate is about. Throws `bank_line_not_found`. */
export async function reviewTwin(database: Queryable, lineId: string): Promise<ApprovalSubject> {
  const { version } = await findTwin(database, lineId);
  return { subject: `bank_line:${lineId}`, version: String(version) };
}

export interface TwinDecision {
  readonly isSame: boolean;
  /** The line that it is; without it, the twin that was found. */
  readonly sameAs?: string;
  readonly note: string;
}

/**
 * Two lines are one, which the bank's confirms; or they are two, and the second is matched. Throws
 * `bank_line_not_found` for a line that is no possible duplicate, and where `sameAs` is no line like it, and
 * `bank_line_differs` when the two have different amounts.
 */
export async function decideTwin(
  tx: Transaction,
  sealer: LineSealer,
  by: By,
  lineId: string,
  { isSame, sameAs, note }: TwinDecision,
): Promise<void> {
  const { twinId, told } = await findTwin(tx, lineId);
  const other = sameAs ?? twinId;
  const isAlike = await store.isAlikeLine(tx, lineId, other);
  if (sameAs !== undefined && !isAlike) throw lineNotFound();
  if (isSame && !isAlike) throw differs();
  if (!(await store.decideTwin(tx, lineId, isSame))) throw lineNotFound();
  if (isSame) {
    const live = await store.findLiveLine(tx, other);
    for (const changed of [lineId, live]) await openClosedDaysOf(tx, changed);
    await confirmLine(tx, { ...told, lineId: live });
    // What the other file said of the payments in it holds for the line that stays.
    await itemise(tx, sealer, live, await storedPayments(tx, sealer, storedPublicId('bnl', lineId)));
  }
  tx.wake(matchJob);
  await recordChange(tx, by, {
    merchantId: instanceTenant,
    action: 'bank_line.compared',
    subject: `bank_line:${lineId}`,
    details: { twin: other, isSame, note },
  });
}

/** An operator has dealt with the faults of a file: it is no task any more. Throws `statement_file_not_found`. */
export async function settleFile(tx: Transaction, by: By, fileId: string, note: string): Promise<void> {
  if (!(await store.markFileSettled(tx, fileId)))
    throw new RemesaError('not_found', 'statement_file_not_found', 'No fault of this file waits for an operator.');
  const subject = `statement_file:${fileId}`;
  await recordChange(tx, by, {
    merchantId: instanceTenant,
    action: 'statement_file.settled',
    subject,
    details: { note },
  });
}

async function findTwin(database: Queryable, lineId: string) {
  const twin = await store.findTwin(database, lineId);
  if (!twin) throw lineNotFound();
  return twin;
}

function differs(): RemesaError {
  const message = 'The line and its possible duplicate have different amounts, so they are not the same movement.';
  return new RemesaError('conflict', 'bank_line_differs', message);
}

function lineNotFound(): RemesaError {
  return new RemesaError('not_found', 'bank_line_not_found', 'No possible duplicate with this id waits.');
}
