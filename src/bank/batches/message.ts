/** What the file of a batch says, from our account and its payments. Pure. */
import { executionDayFor } from '../../iso20022/bank-days.js';
import type { PaymentMessage, PaymentOrder } from '../../iso20022/payment-message.js';
import { type BankProfile, bankProfiles } from '../../iso20022/profiles.js';
import { misfitsOf } from '../../iso20022/write/checks.js';
import type { BankAccount } from '../accounts/bank-account.js';
import { type BatchId, messageIdOf, type PayingAccount, paymentInformationIdOf } from './batch.js';

export function profileOf(account: Pick<PayingAccount, 'profile' | 'timeZone'>): BankProfile {
  const profile = bankProfiles[account.profile];
  const { timeZone } = profile.hasTimeZone ? profile.bankDays : account;
  return { ...profile, bankDays: { ...profile.bankDays, timeZone } };
}

/** What the file says of the account, as it is now. */
export function payingAccountOf(account: BankAccount): PayingAccount {
  const { accountId, currency, holder, address, bankName, country, number, bic, profile, timeZone } = account;
  return { accountId, currency, holder, address, bankName, country, number, bic, profile, timeZone };
}

export interface MessageTime {
  /** When the batch was released: the message says so at every repetition. */
  readonly createdAt: Date;
  readonly executionDay: string;
}

export function messageOf(
  account: PayingAccount,
  batchId: BatchId,
  { createdAt, executionDay }: MessageTime,
  payments: readonly PaymentOrder[],
): PaymentMessage {
  const { holder, address, number, bic, bankName, country } = account;
  return {
    messageId: messageIdOf(batchId),
    createdAt: createdAt.toISOString(),
    paymentInformationId: paymentInformationIdOf(batchId),
    executionDay,
    initiator: holder,
    debtor: {
      name: holder,
      address: address && {
        street: address.street,
        building: undefined,
        postalCode: address.postalCode,
        town: address.city,
        subdivision: undefined,
        country,
      },
    },
    debtorAccount: /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(number) ? { iban: number } : { number },
    debtorBank: { bic, clearing: undefined, name: bankName },
    payments,
  };
}

/** Why the bank would refuse the payment, in words; undefined for one that fits. */
export function problemOf(account: PayingAccount, batchId: BatchId, order: PaymentOrder): string | undefined {
  const profile = profileOf(account);
  const time = { createdAt: new Date(0), executionDay: executionDayFor(new Date(0), profile.bankDays) };
  const misfits = misfitsOf(profile, messageOf(account, batchId, time, [order]));
  if (misfits.length === 0) return undefined;
  return misfits.map(({ field, problem }) => `${field} ${problem}`).join('; ');
}
