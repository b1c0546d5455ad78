/**
 * The verbs of lines for the rooms that move money: each movement on a bank account names its line, and a line is
 * explained by one record, whatever merchant that belongs to.
 */
import { RemesaError } from '../../errors.js';
import { newPublicId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { identityOfReference } from './identity.js';
import { type LineSign, plainReference, type RecordedLine, type StoredDetail } from './line.js';
import * as store from './line-store.js';
import { findRecorded, probablyRecorded } from './recorded.js';
import { endExplained } from './reported-store.js';

export type { RecordedLine } from './line.js';

/**
 * Explains the line by this record, such as `payout:att_1`: the line that a statement has, or a line made by hand that
 * a statement confirms later. Throws `bank_reference_used` when another record explains it.
 */
export async function takeBankLine(tx: Transaction, line: RecordedLine, record: string): Promise<void> {
  const explainedBy = await findOrTakeBankLine(tx, line, record);
  if (explainedBy === record) return;
  throw bankReferenceUsed(`This line of ${line.bank} was recorded before, for ${explainedBy}.`);
}

/**
 * As `takeBankLine`, but returns what explains the line: this record, or the one that did before. Throws
 * `bank_reference_used` when the statement has the line with another amount, or it waits to be compared, and
 * `possible_duplicate` when another line is probably the same.
 */
export async function findOrTakeBankLine(tx: Transaction, line: RecordedLine, record: string): Promise<string> {
  const { bank, currency, sign, endToEndId, reference } = line;
  const knownBy = [reference, ...(endToEndId === undefined ? [] : [endToEndId])].map(plainReference);
  // The second time, after somebody else has written the line at the same moment.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const known = await store.listKnownDetails(tx, { bank, currency, sign }, knownBy);
    const found = findRecorded(line, known);
    if (found.kind === 'used') return found.record;
    if (found.kind === 'differs')
      throw bankReferenceUsed(`The bank reported this line of ${bank} with another amount.`);
    if (found.kind === 'compared')
      throw bankReferenceUsed(`${found.lineId} is probably another line of ${bank}: compare the two first.`);
    if (found.kind === 'new') await requireNoneAlike(tx, line);
    const isTaken =
      found.kind === 'reported'
        ? await store.explain(tx, found.detail, record)
        : await addRecorded(tx, line, { knownBy, record, repetition: known.length + 1 });
    if (isTaken) return record;
  }
  throw bankReferenceUsed(`This line of ${bank} was recorded before.`);
}

/** Somebody has explained the line at the same moment. */
export class LineExplained extends Error {
  override readonly name = 'LineExplained';
}

/**
 * Explains what a bank reported by this record. `counterparty`: as of a recorded line. Throws `LineExplained`.
 */
export async function explainReported(
  tx: Transaction,
  detail: Pick<StoredDetail, 'lineId' | 'number' | 'endToEndId'>,
  record: string,
  counterparty?: readonly string[],
): Promise<void> {
  if (!(await store.explain(tx, detail, record))) throw new LineExplained();
  if (counterparty) await store.markCounterparty(tx, detail.lineId, counterparty);
  await endExplained(tx, detail);
}

/** What was recorded did not happen: the lines are free for what they belong to. */
export function freeBankLines(tx: Transaction, record: string, sign: LineSign): Promise<void> {
  return store.freeLines(tx, record, sign);
}

/** The records of lines with this reference, whatever their bank account. */
export function listRecordsOfReference(database: Queryable, reference: string, atMost: number): Promise<string[]> {
  return store.listRecordsOf(database, plainReference(reference), atMost);
}

/** What the bank calls these lines, by the id of the line. A line without a reference is left out. */
export function findBankReferences(
  database: Queryable,
  lineIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return store.findReferences(database, lineIds);
}

export function bankReferenceUsed(message: string): RemesaError {
  return new RemesaError('conflict', 'bank_reference_used', message);
}

/** Throws `possible_duplicate`. */
async function requireNoneAlike(tx: Transaction, line: RecordedLine): Promise<void> {
  if (!line.counterparty) return;
  const alike = probablyRecorded(line, await store.listAlikeLines(tx, line));
  if (alike.length === 0) return;
  const lineIds = alike.map(({ lineId }) => lineId);
  const message = `It is probably the same movement as ${lineIds.join(', ')}, which has another bank reference.`;
  throw new RemesaError('conflict', 'possible_duplicate', message, { members: { lineIds } });
}

interface Recorded {
  readonly knownBy: readonly string[];
  readonly record: string;
  readonly repetition: number;
}

function addRecorded(tx: Transaction, line: RecordedLine, { knownBy, record, repetition }: Recorded): Promise<boolean> {
  const { bank, currency, sign, amountMinor, bookedOn, reference, source } = line;
  const stored = {
    lineId: newPublicId('bnl'),
    bank,
    currency,
    sign,
    amountMinor,
    bookedOn,
    source,
    identity: identityOfReference(reference, bookedOn, repetition),
    bankReference: reference,
    knownBy: [...new Set(knownBy)],
    counterparty: line.counterparty,
  };
  const { endToEndId } = line;
  return store.addLine(tx, stored, [{ amountMinor, endToEndId, state: 'explained', record, reason: undefined }]);
}
