/** The accounts, for the comparison with what their changes remember. They belong to the instance. */
import { canonicalJson, type DigestedRow, type RowSource } from '../../changes/row.js';
import { instanceTenant } from '../../ids.js';
import type { BankAccount } from './bank-account.js';
import { listBankAccounts } from './bank-account-store.js';

const prefix = 'bank_account:';

export function digestedBankAccount(account: BankAccount): DigestedRow {
  const { ownerId, currency, holder, address, bankName, country, number, bic, uses, profile, timeZone } = account;
  const { csv, releaseUpTo, version } = account;
  const terms = [
    holder,
    canonicalJson(address ?? null),
    bankName,
    country,
    number,
    bic,
    uses.join(),
    profile,
    timeZone,
    canonicalJson(csv ?? null),
  ];
  return {
    subject: `${prefix}${account.accountId}`,
    row: [ownerId, currency, ...terms, releaseUpTo?.minor, version],
  };
}

export const bankAccountRows: RowSource = {
  prefix,
  async list(database, ownerId, after) {
    if (ownerId !== instanceTenant || after !== '') return [];
    return (await listBankAccounts(database)).map((account) => digestedBankAccount(account).subject);
  },
  async find(database, ownerId, subjects) {
    if (ownerId !== instanceTenant) return [];
    const accounts = (await listBankAccounts(database)).map(digestedBankAccount);
    return accounts.filter(({ subject }) => subjects.includes(subject));
  },
};
