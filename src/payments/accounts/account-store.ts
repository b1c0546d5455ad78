/** SQL on pay-in accounts. They belong to the operator; `owner_id` says whose orders are paid there. */
import { type MerchantId, tenantId } from '../../ids.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { AccountTerms, StoredAccount } from './payin-account.js';

interface AccountRow {
  account_id: string;
  owner_id: bigint;
  currency: CurrencyCode;
  holder: string;
  bank_name: string;
  country: string;
  time_zone: string;
  details: Readonly<Record<string, string>>;
  is_enabled: boolean;
  version: number;
}

const columns = 'account_id, owner_id, currency, holder, bank_name, country, time_zone, details, is_enabled, version';

const listAll = statement(
  'account-store.list',
  `SELECT ${columns} FROM payin_accounts ORDER BY account_id`,
).rows<AccountRow>();
const findById = statement(
  'account-store.find',
  `SELECT ${columns} FROM payin_accounts WHERE account_id = $accountId`,
).rows<AccountRow>();
const findUsable = statement(
  'account-store.find-usable',
  `SELECT ${columns} FROM payin_accounts
    WHERE is_enabled AND currency = $currency AND owner_id IN ($merchantId::bigint, 0)
    ORDER BY owner_id DESC, created_at, account_id LIMIT 1`,
).rows<AccountRow>();
const insertAccount = statement(
  'account-store.insert',
  `INSERT INTO payin_accounts (account_id, owner_id, currency, holder, bank_name, country, time_zone, details, is_enabled)
   VALUES ($accountId, $ownerId, $currency, $holder, $bankName, $country, $timeZone, $details, $isEnabled)
   ON CONFLICT (account_id) DO NOTHING RETURNING ${columns}`,
).rows<AccountRow>();
const updateAccount = statement(
  'account-store.update',
  `UPDATE payin_accounts SET holder = $holder, bank_name = $bankName, country = $country, time_zone = $timeZone,
          details = $details, is_enabled = $isEnabled,
          version = version + 1, updated_at = statement_timestamp()
    WHERE account_id = $accountId AND version = $version RETURNING ${columns}`,
).rows<AccountRow>();

export async function listAccounts(database: Queryable): Promise<StoredAccount[]> {
  return (await database.query(listAll)).map(toAccount);
}

export async function findAccount(database: Queryable, accountId: string): Promise<StoredAccount | undefined> {
  const [row] = await database.query(findById, { accountId });
  return row && toAccount(row);
}

/** The merchant's own account before a shared one, then the oldest. */
export async function findUsableAccount(
  database: Queryable,
  merchantId: MerchantId,
  currency: CurrencyCode,
): Promise<StoredAccount | undefined> {
  const [row] = await database.query(findUsable, { currency, merchantId });
  return row && toAccount(row);
}

export type NewAccount = Omit<StoredAccount, 'version'>;

/** Returns undefined when the id is taken. */
export async function addAccount(tx: Transaction, account: NewAccount): Promise<StoredAccount | undefined> {
  const [row] = await tx.query(insertAccount, { ...account, ...termsOf(account) });
  return row && toAccount(row);
}

/** Returns undefined when the account is no longer at that version. */
export async function saveAccount(
  tx: Transaction,
  storedAccount: StoredAccount,
  terms: AccountTerms,
): Promise<StoredAccount | undefined> {
  const [row] = await tx.query(updateAccount, { ...storedAccount, ...termsOf(terms) });
  return row && toAccount(row);
}

function termsOf({ holder, bankName, country, timeZone, details, isEnabled }: AccountTerms) {
  return { holder, bankName, country, timeZone, details: JSON.stringify(details), isEnabled };
}

function toAccount(row: AccountRow): StoredAccount {
  return {
    accountId: row.account_id,
    ownerId: tenantId(row.owner_id),
    currency: row.currency,
    holder: row.holder,
    bankName: row.bank_name,
    country: row.country,
    timeZone: row.time_zone,
    details: row.details,
    isEnabled: row.is_enabled,
    version: row.version,
  };
}
