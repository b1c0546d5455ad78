/**
 * Lines of bank statements that operators record: each is recorded once, whatever merchant it is for. A bank account
 * has one name in the whole instance.
 */
import { RemesaError } from '../errors.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { BankLine } from './bank-line-store.js';
import * as store from './bank-line-store.js';

/**
 * Keeps the line for this record, such as `payout:att_1`. Of two transactions at once, the second waits for the first.
 * Throws `bank_reference_used` when the line was recorded before.
 */
export async function takeBankLine(tx: Transaction, line: BankLine, record: string): Promise<void> {
  if (await store.addBankLine(tx, line, record)) return;
  const usedFor = await store.findRecordOfLine(tx, line);
  throw bankReferenceUsed(`This line of ${line.bank} was recorded before${usedFor ? `, for ${usedFor}` : ''}.`);
}

/** What was recorded did not happen: the lines are free for what they belong to. */
export function freeBankLines(tx: Transaction, record: string, direction: BankLine['direction']): Promise<void> {
  return store.dropBankLines(tx, record, direction);
}

/** The records of lines with this reference, whatever their bank account. */
export function listRecordsOfReference(database: Queryable, reference: string, atMost: number): Promise<string[]> {
  return store.listRecordsOfReference(database, reference, atMost);
}

export function bankReferenceUsed(message: string): RemesaError {
  return new RemesaError('conflict', 'bank_reference_used', message);
}
