/** The verbs of our bank accounts. Only operators change them. */
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { changedFields } from '../../changes/change.js';
import { canonicalJson } from '../../changes/row.js';
import { recordChange } from '../../changes/service.js';
import { invalidField, RemesaError } from '../../errors.js';
import { instanceTenant, type TenantId } from '../../ids.js';
import { clientIdsOf, getMerchant } from '../../merchants/service.js';
import type { CurrencyCode } from '../../money/currency.js';
import { lockInstance } from '../../postgres/instance.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import {
  type AccountUse,
  type BankAccount,
  type BankAccountTerms,
  compactNumber,
  isOnlyTighter,
  isUsableBy,
  simulatedAccountId,
} from './bank-account.js';
import * as store from './bank-account-store.js';
import { digestedBankAccount } from './rows.js';
import { defaultTimeZone } from './time-zones.js';

/** As an operator sends them: without a time zone they have that of the country. */
export type SentTerms = Omit<BankAccountTerms, 'timeZone'> & { readonly timeZone: string | undefined };

export interface NewBankAccount extends SentTerms {
  readonly accountId: string;
  readonly currency: CurrencyCode;
  /** The client id of the owner. Undefined: all merchants share the account. */
  readonly merchant: string | undefined;
}

export interface BankAccountEdit extends SentTerms {
  readonly accountId: string;
  /** The version that was read: a change that somebody made since is never overwritten. */
  readonly version: number;
}

/** An account with the client id of its owner; undefined when all merchants share it. */
export interface ShownBankAccount {
  readonly account: BankAccount;
  readonly clientId: string | undefined;
}

/** Where money is said to have moved. */
export interface NamedAccount {
  readonly bank: string;
  readonly currency: CurrencyCode;
  /** Whose money it is. */
  readonly merchantId: TenantId;
}

/** What rooms that move money ask. */
export type BankAccounts = Pick<BankAccountService, 'requireKnown'>;

export class BankAccountService {
  /** `hasSimulated`: the sandbox has an account in every currency without set-up. */
  readonly #options: { readonly hasSimulated: boolean };

  constructor(options: { readonly hasSimulated: boolean }) {
    this.#options = options;
  }

  /** Throws `bank_account_not_found`. */
  async get(database: Queryable, accountId: string): Promise<BankAccount> {
    const account = await store.findBankAccount(database, accountId);
    if (account) return account;
    throw new RemesaError('not_found', 'bank_account_not_found', 'There is no such bank account.');
  }

  /** Throws `bank_account_not_found`. */
  async getShown(database: Queryable, accountId: string): Promise<ShownBankAccount> {
    const account = await this.get(database, accountId);
    return { account, clientId: (await clientIdsOf(database, [account.ownerId])).get(account.ownerId) };
  }

  /** Sorted by id. */
  async list(database: Queryable): Promise<ShownBankAccount[]> {
    const accounts = await store.listBankAccounts(database);
    const clientIds = await clientIdsOf(
      database,
      accounts.map(({ ownerId }) => ownerId),
    );
    return accounts.map((account) => ({ account, clientId: clientIds.get(account.ownerId) }));
  }

  /**
   * A name that is no account must not open one in the ledger. `field` is where the caller named it. Throws
   * `invalid_fields`.
   */
  async requireKnown(database: Queryable, named: NamedAccount, field: string): Promise<void> {
    const { bank, currency, merchantId } = named;
    if (bank === simulatedAccountId && this.#options.hasSimulated) return;
    const account = await store.findBankAccount(database, bank);
    const path = '`GET /operator/bank/accounts` lists them';
    if (!account) throw invalidField(field, 'not_allowed', `is not a bank account: ${path}`);
    if (account.currency !== currency)
      throw invalidField(field, 'not_allowed', `is a bank account in ${account.currency}, not in ${currency}: ${path}`);
    if (!isUsableBy(account, merchantId))
      throw invalidField(field, 'not_allowed', `is a bank account of another merchant: ${path}`);
  }

  /** Throws `merchant_not_found`, `bank_account_exists` and `invalid_fields`. */
  async create(tx: Transaction, by: By, added: NewBankAccount): Promise<ShownBankAccount> {
    const { merchant, accountId, currency } = added;
    const ownerId = merchant === undefined ? instanceTenant : (await getMerchant(tx, merchant)).merchantId;
    await lockInstance(tx);
    const account = await store.addBankAccount(tx, {
      ...completeTerms(added, undefined),
      accountId,
      currency,
      ownerId,
    });
    if (!account) throw accountExists(accountId);
    await audit(tx, by, account, undefined);
    return { account, clientId: merchant };
  }

  /** Owner and currency never change. Throws `bank_account_not_found`, `version_conflict` and `invalid_fields`. */
  async change(tx: Transaction, by: By, edit: BankAccountEdit): Promise<ShownBankAccount> {
    await lockInstance(tx);
    const before = await this.get(tx, edit.accountId);
    if (edit.version !== before.version) throw versionConflict(edit, before);
    const account = await store.saveBankAccount(tx, before, completeTerms(edit, before));
    if (!account) throw versionConflict(edit, before);
    await audit(tx, by, account, before);
    return this.getShown(tx, edit.accountId);
  }

  /** What the change is about; undefined when one person is enough, because it only takes uses away. */
  async review(
    tx: Transaction,
    edit: SentTerms & { readonly accountId: string },
  ): Promise<ApprovalSubject | undefined> {
    await lockInstance(tx);
    const before = await store.findBankAccount(tx, edit.accountId);
    if (isOnlyTighter(before, completeTerms(edit, before))) return undefined;
    return { subject: recordOf(edit), version: String(before?.version ?? 0) };
  }
}

/** Whether it is an account of this use, currency and owner. */
export async function isAccountFor(
  database: Queryable,
  accountId: string,
  wanted: { readonly use: AccountUse; readonly currency: CurrencyCode; readonly ownerId: TenantId },
): Promise<boolean> {
  const account = await store.findBankAccount(database, accountId);
  if (!account?.uses.includes(wanted.use)) return false;
  return account.currency === wanted.currency && account.ownerId === wanted.ownerId;
}

/** The accounts that hold money of customers, apart from the operator's own. */
export async function listAccountsKeptApart(database: Queryable): Promise<BankAccount[]> {
  return (await store.listBankAccounts(database)).filter(({ uses }) => uses.includes('safeguarding'));
}

/** The name under which the audit log and approvals know an account. */
export function recordOf({ accountId }: { readonly accountId: string }): string {
  return `bank_account:${accountId}`;
}

/** Throws `invalid_fields` when no time zone was sent and we know none of the country. */
function completeTerms(sent: SentTerms, before: BankAccount | undefined): BankAccountTerms {
  const kept = before?.country === sent.country ? before.timeZone : undefined;
  const timeZone = sent.timeZone ?? kept ?? defaultTimeZone(sent.country);
  if (timeZone === undefined)
    throw invalidField('timeZone', 'required', `is required: we know no time zone of ${sent.country}`);
  return { ...sent, number: compactNumber(sent.number), timeZone };
}

function audit(tx: Transaction, by: By, account: BankAccount, before: BankAccount | undefined): Promise<void> {
  const { currency, version, ownerId } = account;
  return recordChange(tx, by, {
    ...digestedBankAccount(account),
    rowBefore: before && digestedBankAccount(before).row,
    merchantId: instanceTenant,
    action: before ? 'bank_account.changed' : 'bank_account.created',
    details: { currency, version, ownerId, ...changedFields(before && auditedTerms(before), auditedTerms(account)) },
    version,
  });
}

/** It is an account of the operator, so its number is nobody's personal data. */
function auditedTerms(terms: BankAccountTerms) {
  const { holder, bankName, country, number, uses, profile, timeZone, csv } = terms;
  const [bic, releaseUpTo] = [terms.bic ?? null, terms.releaseUpTo?.minor.toString() ?? null];
  return {
    holder,
    bankName,
    country,
    number,
    bic,
    uses: [...uses],
    profile,
    timeZone,
    csv: csv ? canonicalJson(csv) : null,
    releaseUpTo,
  };
}

function accountExists(accountId: string): RemesaError {
  const message = `There is a bank account with the id ${accountId}.`;
  return new RemesaError('conflict', 'bank_account_exists', message, { members: { accountId } });
}

function versionConflict({ version }: BankAccountEdit, current: BankAccount): RemesaError {
  const members = { version, currentVersion: current.version };
  return new RemesaError('conflict', 'version_conflict', 'The account has changed since you read it.', { members });
}
