/** Plain ISO 20022. Pure. */
import { anyCharacters } from './characters.js';
import type { BankProfile } from './profile.js';

export const plain: BankProfile = {
  name: 'plain',
  characters: anyCharacters,
  nameLength: 140,
  remittanceLength: 140,
  services: [
    {
      currency: 'any',
      serviceLevel: undefined,
      chargeBearers: ['SHAR', 'DEBT', 'CRED', 'SLEV'],
      amountDecimals: 5,
      accounts: 'any',
    },
  ],
  paymentsPerMessage: 10_000,
  control: 'sum_and_batch',
  uetr: 'allowed',
  address: 'hybrid',
  creditorAddress: 'optional',
  ultimateDebtorAddress: true,
  debtorBank: 'optional',
  creditorBank: 'optional',
  recall: 'camt.056',
  bankDays: { timeZone: 'UTC', holidays: 'none', cutOff: '15:00' },
  interestCodes: undefined,
  hasEntryReferences: true,
  hasTimeZone: false,
};
