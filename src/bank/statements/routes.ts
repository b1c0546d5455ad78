/** Routes for operators: files of a bank, and the check of statements. */
import Type, { type Static } from 'typebox';
import { command, type Route, read } from '../../http/route.js';
import { type CurrencyCode, minorUnits } from '../../money/currency.js';
import { writeFixed } from '../../money/decimal.js';
import { BankAccountPath } from '../accounts/schemas.js';
import type { BankAccountService } from '../accounts/service.js';
import { settleFile } from '../breaks/service.js';
import { type CheckedDay, differenceOf } from '../days/day.js';
import { daysOf } from '../days/service.js';
import { type BankFileService, uploaded } from './file-service.js';
import type { BankFile } from './file-store.js';
import * as shapes from './schemas.js';

const described = { tag: 'Bank for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forReviewers = {
  ...described,
  access: { token: 'operator', role: 'reviewer' },
  method: 'POST',
  subject: 'instance',
} as const;

export function statementRoutes(accounts: BankAccountService, files: BankFileService): Route[] {
  return [uploadRoute(accounts, files), fileRoute(files), settleRoute(), daysRoute(accounts)];
}

function uploadRoute(accounts: BankAccountService, files: BankFileService): Route {
  return command({
    ...forReviewers,
    path: '/operator/bank/accounts/{accountId}/statements',
    operationId: 'uploadStatement',
    summary: 'Upload a statement',
    description:
      'Its entries become lines of the account, and what they belong to is booked: payments, debits and returns of payouts. Right after the answer; read the file to see how far it is. The same file again changes nothing. Needs a second operator.',
    returns: 'The file. It is being read.',
    fourEyes: {
      action: 'bank.statement',
      review: async ({ params, body }) => files.review(params.accountId, bytesOf(body)),
      resultPath: ({ accountId, id }) => `/operator/bank/accounts/${accountId}/statements/${id}`,
    },
    params: BankAccountPath,
    body: shapes.UploadShape,
    // Base64 has four characters for three bytes.
    bodyBounds: { bytes: Math.ceil(shapes.largestUpload / 3) * 4 + 1024, fields: 10 },
    answer: shapes.StatementFileShape,
    refusals: ['bank_account_not_found'],
    async run({ params, body, by }, tx) {
      const { accountId } = await accounts.get(tx, params.accountId);
      return encode(await files.receiveFile(tx, by, { accountId, bytes: [bytesOf(body)], source: uploaded }));
    },
  });
}

function fileRoute(files: BankFileService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/bank/accounts/{accountId}/statements/{fileId}',
    operationId: 'getStatementFile',
    summary: 'Get how far a statement was read',
    returns: 'The file, with what could not be read.',
    params: shapes.FilePath,
    answer: shapes.StatementFileShape,
    refusals: ['statement_file_not_found'],
    run: async ({ params }, database) => encode(await files.find(database, params.accountId, params.fileId)),
  });
}

function settleRoute(): Route {
  return command({
    ...forReviewers,
    path: '/operator/bank/accounts/{accountId}/statements/{fileId}/settle',
    operationId: 'settleStatementFile',
    summary: 'Settle the faults of a statement',
    description: 'Ends the task once you have dealt with what could not be read. Nothing else changes.',
    returns: 'The faults are settled.',
    params: shapes.FilePath,
    body: shapes.SettledFileShape,
    refusals: ['statement_file_not_found'],
    run: ({ params, body, by }, tx) => settleFile(tx, by, params.fileId, body.note),
  });
}

function daysRoute(accounts: BankAccountService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/bank/accounts/{accountId}/days',
    operationId: 'listStatementDays',
    summary: 'Check the statements of an account',
    description:
      'A day is closed when `faults` is empty: opening balance and entries make the closing balance, no statement is missing before it, and the closing balance less the breaks is what the ledger holds.',
    returns: 'Up to 400 statements, the newest first.',
    params: BankAccountPath,
    query: shapes.DaysQueryShape,
    answer: Type.Array(shapes.StatementDayShape),
    refusals: ['bank_account_not_found'],
    async run({ params, query }, database) {
      const { from = '0001-01-01', to = '9999-12-31' } = query;
      const { account, days } = await daysOf(accounts, database, { ...params, from, to });
      return days.map((day) => encodeDay(day, account.currency));
    },
  });
}

function bytesOf({ file }: { readonly file: string }): Buffer {
  return Buffer.from(file, 'base64');
}

function encode(file: BankFile): Static<typeof shapes.StatementFileShape> {
  const { fileId, accountId, digest, source, format, isFinished, entries, newLines, faultCount, faults } = file;
  return {
    id: fileId,
    accountId,
    digest,
    source,
    format: format ?? null,
    isFinished,
    entries,
    newLines,
    faultCount,
    faults: [...faults],
    receivedAt: file.receivedAt.toISOString(),
  };
}

function encodeDay(
  { statement: day, faults }: CheckedDay,
  currency: CurrencyCode,
): Static<typeof shapes.StatementDayShape> {
  const { openingMinor, closingMinor, netMinor, breaksMinor, ledgerMinor, unconfirmedMinor } = day;
  const orNull = (minor: bigint | undefined) => (minor === undefined ? null : text(minor, currency));
  return {
    day: day.day,
    statement: day.bankId ?? null,
    sequence: day.sequence?.toString() ?? null,
    opening: orNull(openingMinor),
    closing: orNull(closingMinor),
    entries: day.entries,
    net: text(netMinor, currency),
    breaks: text(breaksMinor, currency),
    breakCount: day.breakCount,
    ledger: text(ledgerMinor, currency),
    unconfirmed: text(unconfirmedMinor, currency),
    difference: orNull(differenceOf(day)),
    faults: [...faults],
  };
}

function text(minor: bigint, currency: CurrencyCode): string {
  return writeFixed(minor, minorUnits(currency));
}
