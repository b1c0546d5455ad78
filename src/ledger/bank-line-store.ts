/** SQL on lines of bank statements. Every machine of a cluster has this table in full. */
import type { CurrencyCode } from '../money/currency.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';

export interface BankLine {
  /** The place of the bank account in the ledger. */
  readonly bank: string;
  readonly currency: CurrencyCode;
  readonly direction: 'debit' | 'credit';
  /** The bank's own reference. */
  readonly reference: string;
}

const insertLine = statement(
  'bank-line-store.insert',
  `INSERT INTO bank_lines (bank, currency, direction, bank_reference, record)
   VALUES ($bank, $currency, $direction, $reference, $record)
   ON CONFLICT (bank_reference, bank, currency, direction) DO NOTHING RETURNING record`,
).rows<{ record: string }>();
const findRecord = statement(
  'bank-line-store.find-record',
  `SELECT record FROM bank_lines
    WHERE bank_reference = $reference AND bank = $bank AND currency = $currency AND direction = $direction`,
).rows<{ record: string }>();
const deleteLines = statement(
  'bank-line-store.delete',
  'DELETE FROM bank_lines WHERE record = $record AND direction = $direction',
);
const listRecords = statement(
  'bank-line-store.list-records',
  'SELECT DISTINCT record FROM bank_lines WHERE bank_reference = $reference ORDER BY record LIMIT $limit',
).rows<{ record: string }>();
/** Returns false when the line was recorded before. */
export async function addBankLine(tx: Transaction, line: BankLine, record: string): Promise<boolean> {
  return (await tx.query(insertLine, { ...line, record })).length > 0;
}

export async function findRecordOfLine(database: Queryable, line: BankLine): Promise<string | undefined> {
  return (await database.query(findRecord, line))[0]?.record;
}

export async function dropBankLines(tx: Transaction, record: string, direction: BankLine['direction']): Promise<void> {
  await tx.query(deleteLines, { record, direction });
}

export async function listRecordsOfReference(database: Queryable, reference: string, limit: number): Promise<string[]> {
  return (await database.query(listRecords, { reference, limit })).map(({ record }) => record);
}
