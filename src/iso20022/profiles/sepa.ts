/** SEPA credit transfers: EPC132-08. Pure. */
import { sepaCharacters } from './characters.js';
import type { BankProfile, PaymentService } from './profile.js';

export const sepaService: PaymentService = {
  currency: 'EUR',
  serviceLevel: 'SEPA',
  chargeBearers: ['SLEV'],
  amountDecimals: 2,
  accounts: 'iban',
};

export const sepa: BankProfile = {
  name: 'sepa',
  characters: sepaCharacters,
  nameLength: 70,
  remittanceLength: 140,
  services: [sepaService],
  paymentsPerMessage: 10_000,
  control: 'sum_and_batch',
  uetr: 'absent',
  address: 'hybrid',
  creditorAddress: 'optional',
  ultimateDebtorAddress: false,
  debtorBank: 'optional',
  creditorBank: 'optional',
  recall: 'camt.055',
  bankDays: { timeZone: 'Europe/Brussels', holidays: 'target', cutOff: '14:00' },
  // The German banks: 814 of their codes of business transactions.
  interestCodes: /^N[A-Z]{3}\+814(\+|$)/,
  hasEntryReferences: true,
  hasTimeZone: true,
};
