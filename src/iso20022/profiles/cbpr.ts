/** CBPR+ of SWIFT. Pure. */
import { swiftCharacters } from './characters.js';
import type { BankProfile } from './profile.js';

export const cbpr: BankProfile = {
  name: 'cbpr',
  characters: swiftCharacters,
  nameLength: 140,
  remittanceLength: 140,
  services: [
    {
      currency: 'any',
      serviceLevel: undefined,
      chargeBearers: ['SHAR', 'DEBT', 'CRED'],
      amountDecimals: 5,
      accounts: 'any',
    },
  ],
  paymentsPerMessage: 1,
  control: 'none',
  uetr: 'required',
  address: 'hybrid',
  creditorAddress: 'required',
  ultimateDebtorAddress: true,
  debtorBank: 'bic',
  creditorBank: 'always',
  recall: 'camt.056',
  bankDays: { timeZone: 'UTC', holidays: 'none', cutOff: '15:00' },
  interestCodes: undefined,
  hasEntryReferences: true,
  hasTimeZone: false,
};
