/**
 * The verbs of lines for the rooms that move money: each movement on a bank account names its line, and a line is
 * explained by one record, whatever merchant that belongs to.
 */
import { RemesaError } from '../../errors.js';
import { newPublicId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { findRecorded, identityOfReference } from './identity.js';
import { type DetailRef, type LineSign, plainReference, type RecordedLine } from './line.js';
import * as store from './line-store.js';

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
 * `bank_reference_used` when the statement has the line with another amount.
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
    const isTaken =
      found.kind === 'reported'
        ? await store.explain(tx, found.detail, record)
        : await addRecorded(tx, line, { knownBy, record, repetition: known.length + 1 });
    if (isTaken) return record;
  }
  throw bankReferenceUsed(`This line of ${bank} was recorded before.`);
}

/** The booking of a line that was reported. Returns false when it was explained at the same moment. */
export function explainLine(tx: Transaction, detail: DetailRef, record: string): Promise<boolean> {
  return store.explain(tx, detail, record);
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
  };
  const { endToEndId } = line;
  return store.addLine(tx, stored, [{ amountMinor, endToEndId, state: 'explained', record, reason: undefined }]);
}
