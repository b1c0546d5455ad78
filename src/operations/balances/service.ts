/** The balances of real accounts: what their statements say, what the ledger says, and what explains the difference. */
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant, type TenantId } from '../../ids.js';
import { type Account, currencyOf, kindOf, placeOf, readAccount } from '../../ledger/account.js';
import { type AcrossMoment, balanceOf, type Counted, listPlaces } from '../../ledger/balances/place-balances.js';
import { sumPaymentsAcross } from '../../payments/desk/order-payments.js';
import { sumPayoutsAcross, sumPayoutsInFlight, sumPayoutsInstructed } from '../../payouts/desk/order-attempts.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { AccountWatch, BankStatement, Compared, Explanation } from './balance.js';
import { addStatement, listNewestStatements } from './statement-store.js';
import * as watches from './watch-store.js';

export const compareJob = 'operations.compare-balances';

export interface AccountBalance {
  readonly account: Account;
  readonly ledgerNowMinor: bigint;
  /** Undefined without a statement. */
  readonly compared: Compared | undefined;
  /** Undefined for an account that has neither a statement nor a minimum. */
  readonly watch: AccountWatch | undefined;
  /** Payments by hand in this currency that the bank may have debited. Undefined for the account of a partner. */
  readonly instructed: Counted | undefined;
}

interface AccountFacts {
  readonly account: Account;
  readonly tenants: readonly TenantId[];
  readonly statement: BankStatement | undefined;
  readonly watch: AccountWatch | undefined;
}

export class BalanceService {
  /** All bank accounts and accounts with partners, sorted by name. */
  async list(database: Queryable): Promise<AccountBalance[]> {
    const balances: AccountBalance[] = [];
    for (const facts of await accountFacts(database)) balances.push(await examine(database, facts));
    return balances;
  }

  /** Those that have a statement or a minimum. */
  async listWatched(database: Queryable): Promise<AccountBalance[]> {
    const balances: AccountBalance[] = [];
    for (const facts of await accountFacts(database)) if (facts.watch) balances.push(await examine(database, facts));
    return balances;
  }

  /** Throws `ledger_account_not_found`. */
  async record(
    tx: Transaction,
    by: By,
    recorded: { account: string; at: Date; minor: bigint; note: string | undefined },
  ): Promise<AccountBalance> {
    const account = await requireAccount(tx, recorded.account);
    await addStatement(tx, { ...recorded, account }, operatorOf(by));
    await watches.watchAccount(tx, account);
    await audit(tx, by, account, 'bank_balance.recorded');
    return this.#one(tx, account);
  }

  /** Undefined removes the minimum. Throws `ledger_account_not_found` and `bank_balance_changed`. */
  async setMinimum(
    tx: Transaction,
    by: By,
    { account: name, version, minor }: { account: string; version: number; minor: bigint | undefined },
  ): Promise<AccountBalance> {
    const account = await requireAccount(tx, name);
    await watches.watchAccount(tx, account);
    if (!(await watches.saveMinimum(tx, account, version, minor)))
      throw new RemesaError('conflict', 'bank_balance_changed', 'The minimum has changed since you read it.');
    await audit(tx, by, account, 'bank_balance.minimum_set');
    return this.#one(tx, account);
  }

  async #one(database: Queryable, account: Account): Promise<AccountBalance> {
    const found = (await accountFacts(database)).find((facts) => facts.account === account);
    if (!found) throw accountNotFound();
    return examine(database, found);
  }
}

/** Each account of a bank or a rail that any ledger has. */
async function accountFacts(database: Queryable): Promise<AccountFacts[]> {
  const places = await listPlaces(database);
  const statements = await listNewestStatements(database);
  const watched = new Map((await watches.listWatches(database)).map((watch) => [watch.account, watch]));
  return [...places].map(([account, tenants]) => ({
    account,
    tenants,
    statement: statements.get(account),
    watch: watched.get(account),
  }));
}

async function examine(database: Queryable, facts: AccountFacts): Promise<AccountBalance> {
  const { account, tenants, statement, watch } = facts;
  const compared = statement && {
    statement,
    ledgerMinor: await balanceOf(database, account, tenants, statement.at),
    explanations: await explain(database, facts, statement.at),
  };
  return {
    account,
    watch,
    compared,
    ledgerNowMinor: await balanceOf(database, account, tenants),
    instructed: kindOf(account) === 'bank' ? await instructedOn(database, facts) : undefined,
  };
}

async function explain(database: Queryable, { account, tenants }: AccountFacts, at: Date): Promise<Explanation[]> {
  const currency = currencyOf(account);
  const place = placeOf(account);
  const sums = { later: nothing, earlier: nothing, inFlight: nothing };
  for (const tenant of tenants) {
    if (kindOf(account) === 'settlement') {
      const inFlight = await sumPayoutsInFlight(database, tenant, { rail: place, currency }, at);
      sums.inFlight = plus(sums.inFlight, inFlight);
      continue;
    }
    const moved: readonly AcrossMoment[] = [
      ...(await sumPaymentsAcross(database, tenant, { accountId: place, currency }, at)),
      ...(await sumPayoutsAcross(database, tenant, { bank: place, currency }, at)),
    ];
    for (const { isRecordedLater, count, minor } of moved) {
      if (isRecordedLater) sums.later = plus(sums.later, { count, minor });
      else sums.earlier = plus(sums.earlier, { count, minor: -minor });
    }
  }
  const all: readonly Explanation[] = [
    { kind: 'recorded_later', ...sums.later },
    { kind: 'recorded_earlier', ...sums.earlier },
    { kind: 'payouts_in_flight', ...sums.inFlight },
  ];
  return all.filter(({ count }) => count > 0);
}

async function instructedOn(database: Queryable, { account, tenants }: AccountFacts): Promise<Counted> {
  let sum: Counted = nothing;
  for (const tenant of tenants) sum = plus(sum, await sumPayoutsInstructed(database, tenant, currencyOf(account)));
  return sum;
}

const nothing: Counted = { count: 0, minor: 0n };

function plus(left: Counted, right: Counted): Counted {
  return { count: left.count + right.count, minor: left.minor + right.minor };
}

async function requireAccount(database: Queryable, name: string): Promise<Account> {
  const account = readAccount(name);
  if (!account || !(await listPlaces(database)).has(account)) throw accountNotFound();
  return account;
}

async function audit(tx: Transaction, by: By, account: Account, action: string): Promise<void> {
  tx.wake(compareJob);
  await recordChange(tx, by, { merchantId: instanceTenant, action, subject: `account:${account}` });
}

function accountNotFound(): RemesaError {
  return new RemesaError('not_found', 'ledger_account_not_found', 'No ledger has this account.');
}
