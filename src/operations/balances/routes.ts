/** Routes for operators: the balances of bank accounts and partners, compared with the ledger. */
import Type, { type Static } from 'typebox';
import type { Clock } from '../../clock.js';
import { invalidField } from '../../errors.js';
import { readTime } from '../../http/body/read-time.js';
import { command, type Route, read } from '../../http/route.js';
import { type Account, currencyOf, readAccount } from '../../ledger/account.js';
import type { Counted } from '../../ledger/balances/place-balances.js';
import { minorText } from '../../ledger/journal.js';
import { amountFromLiteral } from '../../money/literal.js';
import { type Compared, differenceOf, unexplainedOf } from './balance.js';
import { BalancePath, BankBalanceShape, MinimumShape, NewStatementShape } from './schemas.js';
import type { AccountBalance, BalanceService } from './service.js';

const described = { tag: 'Ledger for operators' } as const;

export function balanceRoutes(balances: BalanceService, clock: Clock): Route[] {
  return [
    read({
      ...described,
      access: { token: 'operator', role: 'viewer' },
      method: 'GET',
      path: '/operator/bank-balances',
      operationId: 'listBankBalances',
      summary: 'Compare bank balances with the ledger',
      description:
        'An account is in the books of every merchant whose money moves there; the balance of the ledger is their sum.',
      returns: 'All bank accounts and accounts with partners, sorted by name.',
      answer: Type.Array(BankBalanceShape),
      run: async (_call, database) => (await balances.list(database)).map(encodeBalance),
    }),
    command({
      ...described,
      access: { token: 'operator', role: 'reviewer' },
      method: 'POST',
      path: '/operator/bank-balances',
      operationId: 'recordBankBalance',
      summary: 'Record what a bank statement says',
      description:
        'It is compared with the ledger of that moment, and again whenever something is recorded. Of two records for the same moment, the later one counts.',
      returns: 'The account, compared.',
      subject: 'instance',
      body: NewStatementShape,
      answer: BankBalanceShape,
      refusals: ['ledger_account_not_found'],
      run: async ({ by, body }, tx) => encodeBalance(await balances.record(tx, by, statementOf(body, clock.now()))),
    }),
    command({
      ...described,
      access: { token: 'operator', role: 'admin' },
      method: 'PUT',
      path: '/operator/bank-balances/{account}',
      operationId: 'setBankBalanceMinimum',
      summary: 'Set the minimum balance of an account',
      description:
        'While the ledger or the newest statement is below the minimum, there is a task and a metric. The log says when this begins.',
      returns: 'The account, compared.',
      subject: 'instance',
      params: BalancePath,
      body: MinimumShape,
      answer: BankBalanceShape,
      refusals: ['ledger_account_not_found', 'bank_balance_changed'],
      run: async ({ by, params: { account }, body: { minimum, version } }, tx) => {
        const minor = minimum === null ? undefined : readMinor('minimum', account, minimum);
        return encodeBalance(await balances.setMinimum(tx, by, { account, version, minor }));
      },
    }),
  ];
}

/** Throws `invalid_fields`. */
function statementOf({ account, at: text, balance, note }: Static<typeof NewStatementShape>, now: Date) {
  const at = readTime('at', text) ?? now;
  if (at > now) throw invalidField('at', 'in_the_future', 'must not be in the future');
  return { account, at, minor: readMinor('balance', account, balance), note };
}

/** With its sign. Throws `invalid_fields`, also for an account whose currency is none. */
function readMinor(field: string, name: string, text: string): bigint {
  const account = readAccount(name);
  if (!account) throw invalidField('account', 'wrong_format', 'must be an account, such as bank:EUR:main-eur');
  const read = amountFromLiteral(currencyOf(account), text.replace('-', ''));
  if ('fault' in read) throw invalidField(field, read.fault, read.message);
  return text.startsWith('-') ? -read.minor : read.minor;
}

function encodeBalance(balance: AccountBalance): Static<typeof BankBalanceShape> {
  const { account, ledgerNowMinor, compared, watch, instructed } = balance;
  const { minimumMinor, differsSince, lowSince, version = 1 } = watch ?? {};
  return {
    account,
    currency: currencyOf(account),
    ledgerBalance: minorText(account, ledgerNowMinor),
    statement: compared ? encodeCompared(account, compared) : null,
    differsSince: differsSince?.toISOString() ?? null,
    instructed: instructed ? encodeCounted(account, instructed) : null,
    minimum: minimumMinor === undefined ? null : minorText(account, minimumMinor),
    lowSince: lowSince?.toISOString() ?? null,
    version,
  };
}

function encodeCompared(account: Account, compared: Compared) {
  const { statement, ledgerMinor, explanations } = compared;
  return {
    at: statement.at.toISOString(),
    balance: minorText(account, statement.minor),
    note: statement.note ?? null,
    recordedAt: statement.recordedAt.toISOString(),
    ledgerBalance: minorText(account, ledgerMinor),
    difference: minorText(account, differenceOf(compared)),
    explainedBy: explanations.map(({ kind, ...counted }) => ({ kind, ...encodeCounted(account, counted) })),
    unexplained: minorText(account, unexplainedOf(compared)),
  };
}

function encodeCounted(account: Account, { count, minor }: Counted) {
  return { count, amount: minorText(account, minor) };
}
