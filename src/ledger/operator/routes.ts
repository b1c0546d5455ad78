/** Routes for operators: accounts, journals, statements, treasury entries, and faults of the ledger. */
import Type, { type Static } from 'typebox';
import { ListPage, nextPage } from '../../http/answers/answer.js';
import { readTime } from '../../http/body/read-time.js';
import { command, type Route, read, stream } from '../../http/route.js';
import { currencyOf, kindOf } from '../account.js';
import { minorText } from '../journal.js';
import { journalIdText } from '../journal-id.js';
import * as shapes from './schemas.js';
import type { LedgerOperatorService, LedgerStatus, ShownJournal } from './service.js';
import { entryDigest } from './treasury.js';

const described = { tag: 'Ledger for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forAdmins = { ...described, access: { token: 'operator', role: 'admin' } } as const;

export function ledgerRoutes(ledger: LedgerOperatorService): Route[] {
  return [
    statusRoute(ledger),
    accountsRoute(ledger),
    trialBalanceRoute(ledger),
    journalsRoute(ledger),
    journalRoute(ledger),
    statementRoute(ledger),
    entryRoute(ledger),
    clearFaultRoute(ledger),
  ];
}

function statusRoute(ledger: LedgerOperatorService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/ledger',
    operationId: 'getLedgerStatus',
    summary: 'Get the state of a ledger',
    returns: 'How many journals it has, how far they were verified, and its fault.',
    query: shapes.StatusQueryShape,
    answer: shapes.LedgerStatusShape,
    refusals: ['merchant_not_found'],
    run: async (call, database) => encodeStatus(await ledger.status(database, call.query.merchant)),
  });
}

function accountsRoute(ledger: LedgerOperatorService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/ledger/accounts',
    operationId: 'listLedgerAccounts',
    summary: 'List accounts with their balances',
    returns: 'All accounts of the merchant, sorted by name.',
    query: shapes.AccountsQueryShape,
    answer: Type.Array(shapes.AccountShape),
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const { merchant, currency, at } = call.query;
      const accounts = await ledger.accounts(database, { merchant, currency, before: readTime('at', at) });
      return accounts.map(({ account, minor, openedAt }) => ({
        account,
        kind: kindOf(account),
        currency: currencyOf(account),
        balance: minorText(account, minor),
        openedAt: openedAt.toISOString(),
      }));
    },
  });
}

function trialBalanceRoute(ledger: LedgerOperatorService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/ledger/trial-balance',
    operationId: 'getTrialBalance',
    summary: 'Get the trial balance',
    returns: 'The sums of debit and credit balances in each currency.',
    query: shapes.AccountsQueryShape,
    answer: Type.Array(shapes.TrialBalanceShape),
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const { merchant, currency, at } = call.query;
      const sums = await ledger.trialBalance(database, { merchant, currency, before: readTime('at', at) });
      return sums.map(({ account, debitMinor, creditMinor }) => ({
        currency: currencyOf(account),
        debit: minorText(account, debitMinor),
        credit: minorText(account, creditMinor),
        difference: minorText(account, debitMinor - creditMinor),
      }));
    },
  });
}

function journalsRoute(ledger: LedgerOperatorService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/ledger/journals',
    operationId: 'listJournals',
    summary: 'List journals',
    description: 'The header `Link` names the next page.',
    returns: 'A page of journals, the newest first.',
    query: shapes.JournalsQueryShape,
    answer: Type.Array(shapes.JournalShape),
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const { merchant, event, reference, from, to, after, limit = 50 } = call.query;
      const { journals, next } = await ledger.journals(database, {
        merchant,
        event,
        reference,
        limit,
        from: readTime('from', from),
        before: placeOf(after) ?? { occurredAt: readTime('to', to) ?? 'infinity', journalId: 0n },
      });
      const last = next && `${next.occurredAt.getTime()}.${next.journalId}`;
      return new ListPage(journals.map(encodeJournal), last && nextPage('/operator/ledger/journals', call.query, last));
    },
  });
}

function journalRoute(ledger: LedgerOperatorService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/ledger/journals/{journalId}',
    operationId: 'getJournal',
    summary: 'Get a journal',
    returns: 'The journal with its postings.',
    params: shapes.JournalPath,
    answer: shapes.JournalShape,
    refusals: ['journal_not_found'],
    run: async (call, database) => encodeJournal(await ledger.journal(database, call.params.journalId)),
  });
}

function statementRoute(ledger: LedgerOperatorService): Route {
  return stream({
    ...forViewers,
    method: 'GET',
    path: '/operator/ledger/statement',
    operationId: 'getLedgerStatement',
    summary: 'Download the statement of a day',
    description:
      'CSV with the opening balances, every posting of the day, and the closing balances. A text that a spreadsheet would take ' +
      'for a formula begins with an apostrophe.',
    returns: 'The statement.',
    query: shapes.StatementQueryShape,
    answerType: 'text/csv',
    answer: Type.String(),
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const { merchant, day } = call.query;
      const start = readTime('day', `${day}T00:00:00Z`) ?? new Date(0);
      return {
        mediaType: 'text/csv; charset=utf-8',
        headers: { 'content-disposition': `attachment; filename="ledger-${day}.csv"` },
        chunks: await ledger.statement(database, merchant, start),
      };
    },
  });
}

function entryRoute(ledger: LedgerOperatorService): Route {
  return command({
    ...forAdmins,
    method: 'POST',
    path: '/operator/ledger/entries',
    operationId: 'bookTreasuryEntry',
    summary: 'Book a treasury entry',
    description: 'Needs an `Idempotency-Key`, because it moves money.',
    returns: 'The journal that was booked.',
    subject: (call, database) => ledger.tenantOf(database, call.body.merchant),
    idempotency: { keepForHours: 24, isRequired: true },
    fourEyes: {
      action: 'ledger.entry',
      // A new entry has no version that could change. The same entry can wait only once.
      review: async ({ body }) => ({ subject: `ledger_entry:${entryDigest(body)}`, version: '1' }),
      resultPath: ({ id }) => `/operator/ledger/journals/${id}`,
    },
    body: shapes.EntryShape,
    answer: shapes.JournalShape,
    refusals: [
      'merchant_not_found',
      'journal_not_found',
      'journal_already_reversed',
      'journal_not_reversible',
      'bank_reference_used',
    ],
    run: async (call, tx) => encodeJournal(await ledger.book(tx, call.by, call.body)),
  });
}

function clearFaultRoute(ledger: LedgerOperatorService): Route {
  return command({
    ...forAdmins,
    method: 'POST',
    path: '/operator/ledger/clear-fault',
    operationId: 'clearLedgerFault',
    summary: 'Clear a fault that was repaired',
    description:
      'Lets new orders, payouts and refunds of the merchant through again. Refused until a verification has found nothing wrong.',
    returns: 'The state of the ledger.',
    subject: (call, database) => ledger.tenantOf(database, call.body.merchant),
    body: shapes.ClearFaultShape,
    answer: shapes.LedgerStatusShape,
    refusals: ['merchant_not_found', 'ledger_has_no_fault', 'ledger_fault_remains'],
    run: async (call, tx) => encodeStatus(await ledger.clearFault(tx, call.by, call.body)),
  });
}

/** A place is the milliseconds of the last journal of the page before, a dot, and its number in the database. */
function placeOf(after: string | undefined): { occurredAt: Date; journalId: bigint } | undefined {
  const [milliseconds, journalId] = after?.split('.') ?? [];
  if (milliseconds === undefined || journalId === undefined) return undefined;
  const occurredAt = new Date(Number(milliseconds));
  const isTime = !Number.isNaN(occurredAt.getTime());
  return isTime ? { occurredAt, journalId: BigInt.asIntN(64, BigInt(journalId)) } : undefined;
}

function encodeJournal({ journal, clientId }: ShownJournal): Static<typeof shapes.JournalShape> {
  const { merchantId, journalId, number, event, occurredAt, recordedAt, reason, reverses, reversedBy } = journal;
  const idOf = (id: bigint | undefined) => (id === undefined ? null : journalIdText(merchantId, id));
  return {
    id: journalIdText(merchantId, journalId),
    merchant: clientId ?? null,
    number: number === undefined ? null : Number(number),
    event,
    occurredAt: occurredAt.toISOString(),
    recordedAt: recordedAt.toISOString(),
    reason: reason ?? null,
    reverses: idOf(reverses),
    reversedBy: idOf(reversedBy),
    postings: journal.postings.map(({ account, minor, reference }) => ({
      account,
      amount: minorText(account, minor),
      reference: reference ?? null,
    })),
  };
}

function encodeStatus(status: LedgerStatus): Static<typeof shapes.LedgerStatusShape> {
  const { clientId, journals, verified, verifiedAt, fault } = status;
  return {
    merchant: clientId ?? null,
    journals: Number(journals),
    verified: Number(verified),
    verifiedAt: verifiedAt?.toISOString() ?? null,
    fault: fault?.fault ?? null,
    faultAt: fault?.faultAt.toISOString() ?? null,
  };
}
