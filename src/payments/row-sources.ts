/** The rows of this room, for the comparison with what their changes remember. */
import type { RowSource } from '../changes/row.js';
import { instanceTenant, storedPublicId } from '../ids.js';
import { listAccounts } from './accounts/account-store.js';
import { accountPrefix, digestedAccount } from './accounts/payin-account.js';
import { digestedPayment, paymentPrefix } from './payment.js';
import { digestedPolicies, policiesPrefix } from './policies/policies.js';
import { findPolicies } from './policies/policy-store.js';
import { listPaymentIdsAfter, listPaymentsByIds } from './store.js';
import { digestedSuspense, suspensePrefix } from './suspense/suspense.js';
import { listSuspenseByIds, listSuspenseIdsAfter } from './suspense/suspense-store.js';

const paymentRows: RowSource = {
  prefix: paymentPrefix,
  async list(database, ownerId, after, limit) {
    const ids = await listPaymentIdsAfter(database, ownerId, after.slice(paymentPrefix.length), limit);
    return ids.map((id) => `${paymentPrefix}${id}`);
  },
  async find(database, ownerId, subjects) {
    const ids = subjects.map((subject) => storedPublicId('pay', subject.slice(paymentPrefix.length)));
    return (await listPaymentsByIds(database, ownerId, ids)).map(digestedPayment);
  },
};

const suspenseRows: RowSource = {
  prefix: suspensePrefix,
  async list(database, ownerId, after, limit) {
    const ids = await listSuspenseIdsAfter(database, ownerId, after.slice(suspensePrefix.length), limit);
    return ids.map((id) => `${suspensePrefix}${id}`);
  },
  async find(database, ownerId, subjects) {
    const ids = subjects.map((subject) => storedPublicId('sus', subject.slice(suspensePrefix.length)));
    return (await listSuspenseByIds(database, ownerId, ids)).map(digestedSuspense);
  },
};

/** They belong to the instance. */
const accountRows: RowSource = {
  prefix: accountPrefix,
  async list(database, ownerId, after) {
    if (ownerId !== instanceTenant || after !== '') return [];
    return (await listAccounts(database)).map((account) => digestedAccount(account).subject);
  },
  async find(database, ownerId, subjects) {
    if (ownerId !== instanceTenant) return [];
    const accounts = (await listAccounts(database)).map(digestedAccount);
    return accounts.filter(({ subject }) => subjects.includes(subject));
  },
};

const policyRows: RowSource = {
  prefix: policiesPrefix,
  async find(database, merchantId) {
    const declared = merchantId === instanceTenant ? undefined : await findPolicies(database, merchantId);
    return merchantId !== instanceTenant && declared ? [digestedPolicies(merchantId, declared)] : [];
  },
};

export const rowsOfPayments: readonly RowSource[] = [paymentRows, suspenseRows, accountRows, policyRows];
