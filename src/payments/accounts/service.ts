/** The verbs of pay-in accounts: where senders pay. Only operators change them. */
import type { ApprovalSubject } from '../../approval.js';
import { isAccountFor } from '../../bank/accounts/service.js';
import type { By } from '../../caller.js';
import { changedFields } from '../../changes/change.js';
import { recordChange, requireUntouched } from '../../changes/service.js';
import { invalidField, invalidFields, RemesaError } from '../../errors.js';
import { instanceTenant, type MerchantId } from '../../ids.js';
import { clientIdsOf, getMerchant } from '../../merchants/service.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { PayinAccount } from '../../orders/order/order.js';
import type { PayinAccounts } from '../../orders/order/ports.js';
import { lockInstance } from '../../postgres/instance.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import * as store from './account-store.js';
import {
  type AccountTerms,
  completeTerms,
  copyOf,
  digestedAccount,
  isRedirecting,
  readDetails,
  type SentTerms,
  type StoredAccount,
  simulatedAccount,
} from './payin-account.js';

export interface AccountEdit extends SentTerms {
  readonly accountId: string;
  /** The version that was read: a change that somebody made since is never overwritten. */
  readonly version: number;
}

export interface AccountRequest extends SentTerms {
  readonly accountId: string;
  readonly currency: CurrencyCode;
  /** The client id of the owner. Undefined: all merchants share the account. */
  readonly merchant: string | undefined;
}

/** An account with the client id of its owner; undefined when all merchants share it. */
export interface ShownAccount {
  readonly account: StoredAccount;
  readonly clientId: string | undefined;
}

export class PayinAccountService implements PayinAccounts {
  /** `hasSimulated`: in the sandbox every currency can be paid in without set-up. */
  readonly #options: { readonly hasSimulated: boolean };

  constructor(options: { readonly hasSimulated: boolean }) {
    this.#options = options;
  }

  async find(database: Queryable, merchantId: MerchantId, currency: CurrencyCode): Promise<PayinAccount | undefined> {
    return this.#copyOf(await store.findUsableAccount(database, merchantId, currency), currency);
  }

  async choose(tx: Transaction, merchantId: MerchantId, currency: CurrencyCode): Promise<PayinAccount | undefined> {
    const find = () => store.findUsableAccount(tx, merchantId, currency);
    const account = await find();
    if (account)
      await requireUntouched(tx, instanceTenant, digestedAccount(account), async () => {
        const now = await find();
        return now && digestedAccount(now);
      });
    return this.#copyOf(account, currency);
  }

  /** Throws `payin_account_not_found`. */
  async get(database: Queryable, accountId: string): Promise<StoredAccount> {
    const account = await store.findAccount(database, accountId);
    if (account) return account;
    throw new RemesaError('not_found', 'payin_account_not_found', 'There is no such pay-in account.');
  }

  /** Sorted by id. */
  async list(database: Queryable): Promise<ShownAccount[]> {
    return shown(database, await store.listAccounts(database));
  }

  /** Throws `merchant_not_found`, `payin_account_exists` and `invalid_fields`. */
  async create(tx: Transaction, by: By, request: AccountRequest): Promise<ShownAccount> {
    const { merchant, currency } = request;
    const ownerId = merchant === undefined ? instanceTenant : (await getMerchant(tx, merchant)).merchantId;
    await lockInstance(tx);
    const { accountId } = request;
    if (!(await isAccountFor(tx, accountId, { use: 'payin', currency, ownerId })))
      throw invalidField(
        'accountId',
        'not_allowed',
        `must be a bank account for ${currency} that takes payments, of the same owner`,
      );
    const terms = requireTerms(request, undefined, currency);
    const account = await store.addAccount(tx, { ...terms, accountId, currency, ownerId });
    if (!account) throw accountExists(request.accountId);
    await audit(tx, by, account, { action: 'payin_account.created', before: undefined });
    return { account, clientId: merchant };
  }

  /** Owner and currency never change. Throws `payin_account_not_found`, `version_conflict` and `invalid_fields`. */
  async change(tx: Transaction, by: By, edit: AccountEdit): Promise<ShownAccount> {
    await lockInstance(tx);
    const before = await this.get(tx, edit.accountId);
    if (edit.version !== before.version) throw versionConflict(edit, before);
    const account = await store.saveAccount(tx, before, requireTerms(edit, before, before.currency));
    if (!account) throw versionConflict(edit, before);
    await audit(tx, by, account, { action: 'payin_account.changed', before });
    const [found] = await shown(tx, [account]);
    return found ?? { account, clientId: undefined };
  }

  /** What the change is about; undefined when one person is enough: to disable, and to edit a disabled account. */
  async review(
    tx: Transaction,
    edit: Pick<AccountEdit, 'accountId'> & SentTerms,
  ): Promise<ApprovalSubject | undefined> {
    await lockInstance(tx);
    const before = await store.findAccount(tx, edit.accountId);
    const terms = completeTerms(edit, before);
    if (!terms || !isRedirecting(before, terms)) return undefined;
    return { subject: recordOf(edit), version: String(before?.version ?? 0) };
  }

  #copyOf(account: StoredAccount | undefined, currency: CurrencyCode): PayinAccount | undefined {
    if (account) return copyOf(account);
    return this.#options.hasSimulated ? simulatedAccount(currency) : undefined;
  }
}

/** The name under which the audit log and approvals know an account. */
export function recordOf({ accountId }: { readonly accountId: string }): string {
  return `payin_account:${accountId}`;
}

/**
 * Throws `invalid_fields` when the numbers of the account are not right for its country and currency, or its time zone
 * is not known.
 */
function requireTerms(sent: SentTerms, before: AccountTerms | undefined, currency: CurrencyCode): AccountTerms {
  const terms = completeTerms(sent, before);
  const { details, faults } = readDetails(sent.country, currency, sent.details);
  const message = `is required: we know no time zone of ${sent.country}`;
  const missing = terms ? [] : [{ field: 'timeZone', code: 'required', message }];
  if (!terms || faults.length > 0) throw invalidFields([...faults, ...missing]);
  return { ...terms, details };
}

async function shown(database: Queryable, accounts: readonly StoredAccount[]): Promise<ShownAccount[]> {
  const owners = accounts.map(({ ownerId }) => ownerId);
  const clientIds = await clientIdsOf(database, owners);
  return accounts.map((account) => ({ account, clientId: clientIds.get(account.ownerId) }));
}

function audit(
  tx: Transaction,
  by: By,
  account: StoredAccount,
  { action, before }: { action: string; before: StoredAccount | undefined },
): Promise<void> {
  const { currency, isEnabled, version, ownerId } = account;
  const changed = changedFields(before && auditedTerms(before), auditedTerms(account));
  return recordChange(tx, by, {
    ...digestedAccount(account),
    rowBefore: before && digestedAccount(before).row,
    merchantId: instanceTenant,
    action,
    details: { currency, isEnabled, version, ownerId, ...changed },
    version,
  });
}

/** It is an account of the operator, so its numbers are nobody's personal data. */
function auditedTerms({ holder, bankName, country, details, isEnabled }: AccountTerms) {
  const numbers = Object.entries(details).sort();
  return { holder, bankName, country, isEnabled, details: numbers.map(([name, value]) => `${name} ${value}`) };
}

function accountExists(accountId: string): RemesaError {
  const message = `There is a pay-in account with the id ${accountId}.`;
  return new RemesaError('conflict', 'payin_account_exists', message, { members: { accountId } });
}

function versionConflict({ version }: AccountEdit, current: StoredAccount): RemesaError {
  const members = { version, currentVersion: current.version };
  return new RemesaError('conflict', 'version_conflict', 'The account has changed since you read it.', {
    members,
  });
}
