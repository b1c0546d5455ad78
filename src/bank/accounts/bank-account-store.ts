/** SQL on our bank accounts. They belong to the operator; `owner_id` says whose money moves there. */
import { tenantId } from '../../ids.js';
import { amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { AccountAddress, AccountUse, BankAccount, BankAccountTerms, BankProfile } from './bank-account.js';
import type { CsvFormat } from './csv-format.js';

interface AccountRow {
  account_id: string;
  owner_id: bigint;
  currency: CurrencyCode;
  holder: string;
  address: AccountAddress | null;
  bank_name: string;
  country: string;
  number: string;
  bic: string | null;
  uses: AccountUse[];
  profile: BankProfile;
  time_zone: string;
  csv_format: CsvFormat | null;
  release_up_to_minor: bigint | null;
  version: number;
}

const columns = `account_id, owner_id, currency, holder, address, bank_name, country, number, bic, uses, profile,
  time_zone, csv_format, release_up_to_minor, version`;

const listAll = statement(
  'bank-account-store.list',
  `SELECT ${columns} FROM bank_accounts ORDER BY account_id`,
).rows<AccountRow>();
const findById = statement(
  'bank-account-store.find',
  `SELECT ${columns} FROM bank_accounts WHERE account_id = $accountId`,
).rows<AccountRow>();
const lockById = statement(
  'bank-account-store.lock',
  `SELECT ${columns} FROM bank_accounts WHERE account_id = $accountId FOR UPDATE`,
).rows<AccountRow>();
const insertAccount = statement(
  'bank-account-store.insert',
  `INSERT INTO bank_accounts (account_id, owner_id, currency, holder, address, bank_name, country, number, bic, uses, profile,
                              time_zone, csv_format, release_up_to_minor)
   VALUES ($accountId, $ownerId, $currency, $holder, $address, $bankName, $country, $number, $bic, $uses, $profile,
           $timeZone, $csvFormat, $releaseUpToMinor)
   ON CONFLICT (account_id) DO NOTHING RETURNING ${columns}`,
).rows<AccountRow>();
const updateAccount = statement(
  'bank-account-store.update',
  `UPDATE bank_accounts SET holder = $holder, address = $address, bank_name = $bankName, country = $country,
          number = $number, bic = $bic, uses = $uses, profile = $profile, time_zone = $timeZone,
          csv_format = $csvFormat, release_up_to_minor = $releaseUpToMinor,
          version = version + 1, updated_at = statement_timestamp()
    WHERE account_id = $accountId AND version = $version RETURNING ${columns}`,
).rows<AccountRow>();

/** Sorted by id. */
export async function listBankAccounts(database: Queryable): Promise<BankAccount[]> {
  return (await database.query(listAll)).map(toAccount);
}

export async function findBankAccount(database: Queryable, accountId: string): Promise<BankAccount | undefined> {
  const [row] = await database.query(findById, { accountId });
  return row && toAccount(row);
}

/** Of two transactions at once, the second waits for the first. */
export async function lockBankAccount(tx: Transaction, accountId: string): Promise<BankAccount | undefined> {
  const [row] = await tx.query(lockById, { accountId });
  return row && toAccount(row);
}

/** Returns undefined when the id is taken. */
export async function addBankAccount(
  tx: Transaction,
  account: Omit<BankAccount, 'version'>,
): Promise<BankAccount | undefined> {
  const [row] = await tx.query(insertAccount, { ...account, ...valuesOf(account) });
  return row && toAccount(row);
}

/** Returns undefined when the account is no longer at that version. */
export async function saveBankAccount(
  tx: Transaction,
  stored: BankAccount,
  terms: BankAccountTerms,
): Promise<BankAccount | undefined> {
  const [row] = await tx.query(updateAccount, { ...stored, ...valuesOf(terms) });
  return row && toAccount(row);
}

function valuesOf(terms: BankAccountTerms) {
  const { holder, address, bankName, country, number, bic, uses, profile, timeZone, csv, releaseUpTo } = terms;
  const values = { holder, bankName, country, number, bic, profile, timeZone, releaseUpToMinor: releaseUpTo?.minor };
  return {
    ...values,
    uses: [...uses],
    address: address && JSON.stringify(address),
    csvFormat: csv && JSON.stringify(csv),
  };
}

function toAccount(row: AccountRow): BankAccount {
  return {
    accountId: row.account_id,
    ownerId: tenantId(row.owner_id),
    currency: row.currency,
    holder: row.holder,
    address: row.address ?? undefined,
    bankName: row.bank_name,
    country: row.country,
    number: row.number,
    bic: row.bic ?? undefined,
    uses: row.uses,
    profile: row.profile,
    timeZone: row.time_zone,
    csv: row.csv_format ?? undefined,
    releaseUpTo: row.release_up_to_minor === null ? undefined : amount(row.currency, row.release_up_to_minor),
    version: row.version,
  };
}
