/** Routes for operators: our accounts at banks. */
import Type, { type Static } from 'typebox';
import { invalidField } from '../../errors.js';
import { type FindPending, pendingField } from '../../http/four-eyes.js';
import { command, type Route, read } from '../../http/route.js';
import type { Amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { amountFromLiteral, amountToText } from '../../money/literal.js';
import type { Queryable } from '../../postgres/statement.js';
import { accountFaults } from './bank-account.js';
import { BankAccountPath, BankAccountShape, ChangedBankAccountShape, NewBankAccountShape } from './schemas.js';
import { type BankAccountService, recordOf, type SentTerms, type ShownBankAccount } from './service.js';

const described = { tag: 'Bank for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forAdmins = { ...described, access: { token: 'operator', role: 'admin' }, subject: 'instance' } as const;

export function bankAccountRoutes(accounts: BankAccountService, findPending: FindPending): Route[] {
  return [
    listRoute(accounts, findPending),
    readRoute(accounts, findPending),
    createRoute(accounts),
    changeRoute(accounts),
  ];
}

function listRoute(accounts: BankAccountService, findPending: FindPending): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/bank/accounts',
    operationId: 'listBankAccounts',
    summary: 'List our bank accounts',
    returns: 'All accounts, sorted by id. Money moves on no other account.',
    answer: Type.Array(BankAccountShape),
    async run(_call, database) {
      const found = await accounts.list(database);
      const pending = await findPending(
        database,
        found.map(({ account }) => recordOf(account)),
      );
      return found.map((shown) => ({ ...encode(shown), ...pendingField(pending.get(recordOf(shown.account))) }));
    },
  });
}

function readRoute(accounts: BankAccountService, findPending: FindPending): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/bank/accounts/{accountId}',
    operationId: 'getBankAccount',
    summary: 'Get a bank account',
    returns: 'The account.',
    params: BankAccountPath,
    answer: BankAccountShape,
    refusals: ['bank_account_not_found'],
    async run({ params }, database) {
      const shown = await accounts.getShown(database, params.accountId);
      const record = recordOf(shown.account);
      return { ...encode(shown), ...pendingField((await findPending(database, [record])).get(record)) };
    },
  });
}

function createRoute(accounts: BankAccountService): Route {
  return command({
    ...forAdmins,
    method: 'POST',
    path: '/operator/bank/accounts',
    operationId: 'createBankAccount',
    summary: 'Add a bank account',
    description:
      'Payments, payouts and treasury entries name it. To let senders pay to it, also add it to `/operator/payin-accounts`.',
    returns: 'The account.',
    fourEyes: {
      action: 'bank_account.save',
      review: (call, tx) =>
        accounts.review(tx, { ...termsOf(call.body, call.body.currency), accountId: call.body.accountId }),
    },
    body: NewBankAccountShape,
    inspect: accountFaults,
    answer: BankAccountShape,
    refusals: ['merchant_not_found', 'bank_account_exists'],
    async run({ body, by }, tx) {
      const { accountId, currency, merchant } = body;
      return encode(await accounts.create(tx, by, { ...termsOf(body, currency), accountId, currency, merchant }));
    },
  });
}

function changeRoute(accounts: BankAccountService): Route {
  const termsIn = async (
    { body, params }: { body: Static<typeof ChangedBankAccountShape>; params: { accountId: string } },
    database: Queryable,
  ) => termsOf(body, (await accounts.get(database, params.accountId)).currency);
  return command({
    ...forAdmins,
    method: 'PUT',
    path: '/operator/bank/accounts/{accountId}',
    operationId: 'changeBankAccount',
    summary: 'Change a bank account',
    description:
      'Currency and owner never change. To take uses away, or to lower `releaseUpTo`, never waits for a second operator.',
    returns: 'The account after the change.',
    fourEyes: {
      action: 'bank_account.save',
      review: async (call, tx) => accounts.review(tx, { ...(await termsIn(call, tx)), ...call.params }),
      before: async (call, tx) => encode(await accounts.getShown(tx, call.params.accountId)),
    },
    params: BankAccountPath,
    body: ChangedBankAccountShape,
    inspect: accountFaults,
    answer: BankAccountShape,
    refusals: ['bank_account_not_found', 'version_conflict', 'ledger_fault'],
    async run(call, tx) {
      const { version } = call.body;
      return encode(await accounts.change(tx, call.by, { ...(await termsIn(call, tx)), ...call.params, version }));
    },
  });
}

type SentBody = Omit<Static<typeof ChangedBankAccountShape>, 'version'>;

/** Throws `invalid_fields`. */
function termsOf(body: SentBody, currency: CurrencyCode): SentTerms {
  const { holder, bankName, country, number, uses, profile, address, bic, timeZone, csv, releaseUpTo: text } = body;
  const releaseUpTo = text === undefined ? undefined : readAmount(currency, text);
  return { holder, bankName, country, number, uses, profile, address, bic, timeZone, csv, releaseUpTo };
}

function readAmount(currency: CurrencyCode, text: string): Amount {
  const read = amountFromLiteral(currency, text);
  if ('fault' in read) throw invalidField('releaseUpTo', read.fault, read.message);
  return read;
}

function encode({ account, clientId }: ShownBankAccount): Static<typeof BankAccountShape> {
  const { accountId, currency, holder, address, bankName, country, number, bic, uses, profile } = account;
  const { timeZone, csv, releaseUpTo, version } = account;
  return {
    accountId,
    currency,
    merchant: clientId ?? null,
    holder,
    address: address ?? null,
    bankName,
    country,
    number,
    bic: bic ?? null,
    uses: [...uses],
    profile,
    releaseUpTo: releaseUpTo ? amountToText(releaseUpTo) : null,
    timeZone,
    csv: csv ? { ...csv } : null,
    version,
  };
}
