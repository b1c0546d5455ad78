/** Swiss Payment Standards: Implementation Guidelines Credit Transfer. Pure. */
import { swissCharacters } from './characters.js';
import type { BankProfile } from './profile.js';
import { sepaService } from './sepa.js';

export const sps: BankProfile = {
  name: 'sps',
  characters: swissCharacters,
  nameLength: 70,
  remittanceLength: 140,
  services: [
    sepaService,
    {
      currency: 'any',
      serviceLevel: undefined,
      chargeBearers: ['SHAR', 'DEBT', 'CRED'],
      amountDecimals: 2,
      accounts: 'any',
    },
  ],
  paymentsPerMessage: 10_000,
  control: 'sum_and_batch',
  uetr: 'allowed',
  address: 'hybrid',
  creditorAddress: 'required',
  ultimateDebtorAddress: true,
  debtorBank: 'bic',
  creditorBank: 'without_iban',
  recall: 'camt.055',
  bankDays: { timeZone: 'Europe/Zurich', holidays: 'sic', cutOff: '14:00' },
  interestCodes: undefined,
  hasEntryReferences: false,
  hasTimeZone: true,
};
