/**
 * What a family of banks accepts, as data: a new one is an entry here. Sources: ISO 20022 for `plain`; EPC132-08 for
 * `sepa`; the Swiss Payment Standards (Implementation Guidelines Credit Transfer) for `sps`; CBPR+ of SWIFT for `cbpr`.
 * Pure.
 */
import type { BankDays } from './bank-days.js';
import type { ChargeBearer } from './payment-message.js';

export const bankProfileNames = ['plain', 'sepa', 'sps', 'cbpr'] as const;
export type BankProfileName = (typeof bankProfileNames)[number];

export interface BankProfile {
  readonly name: BankProfileName;
  readonly characters: CharacterSet;
  readonly nameLength: number;
  readonly remittanceLength: number;
  /** The first that fits the currency. A payment in no such currency is refused. */
  readonly services: readonly PaymentService[];
  readonly paymentsPerMessage: number;
  /** Whether the message has the sum of its payments, and asks the bank to book them as one. */
  readonly control: 'sum_and_batch' | 'none';
  readonly uetr: 'required' | 'allowed' | 'absent';
  /** `structured`: each part has its element. `hybrid`: what is too long for them stands in at most two lines. */
  readonly address: 'structured' | 'hybrid';
  /** Whether town and country of the creditor must be known. */
  readonly creditorAddress: 'required' | 'optional';
  /** Whether an address is accepted for whoever it is paid for. */
  readonly ultimateDebtorAddress: boolean;
  /** Whether our bank is named by its BIC, or may be left to the account number. */
  readonly debtorBank: 'bic' | 'optional';
  /** Whether the creditor's bank must be known always, where there is no IBAN, or never. */
  readonly creditorBank: 'always' | 'without_iban' | 'optional';
  /** What asks for a payment back: from a customer (`camt.055`), or from one bank to another (`camt.056`). */
  readonly recall: 'camt.055' | 'camt.056';
  readonly bankDays: BankDays;
}

export interface PaymentService {
  readonly currency: string | 'any';
  readonly serviceLevel: string | undefined;
  /** The first is taken where the payment names none. */
  readonly chargeBearers: readonly ChargeBearer[];
  readonly amountDecimals: number;
  /** `iban`: the number alone finds the bank, which is named by its BIC or not at all. */
  readonly accounts: 'iban' | 'any';
}

export interface CharacterSet {
  /** One accepted character, as a class of a regular expression. */
  readonly accepted: RegExp;
  /** The same class in an XML schema. */
  readonly schemaClass: string;
  /** Characters that are written otherwise than a general transliteration would. */
  readonly written: Readonly<Record<string, string>>;
  /** What stands for a character that nothing is known for. */
  readonly other: string;
}

const germanic: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss' };
const signs: Readonly<Record<string, string>> = {
  '&': '+',
  '@': '(at)',
  '€': 'EUR',
  _: '-',
  '"': "'",
  '`': "'",
  '’': "'",
  '‘': "'",
  ';': ',',
  '!': '.',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '\\': '/',
  '|': '/',
};

/** EPC217-08. */
const sepaCharacters: CharacterSet = {
  accepted: /^[A-Za-z0-9/?:().,'+ -]$/,
  schemaClass: "[A-Za-z0-9/?:().,'+ \\-]",
  written: { ...germanic, ...signs },
  other: '.',
};

/** Printable Latin-1, Latin Extended-A and five more. Implementation Guidelines, chapter 3.1. */
const swissCharacters: CharacterSet = {
  accepted: /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u017f€ȘșȚț]$/,
  schemaClass: '[&#x20;-&#x7E;&#xA0;-&#xAC;&#xAE;-&#x17F;€ȘșȚț]',
  written: { '’': "'", '‘': "'" },
  other: '.',
};

/** FIN X with the additional characters that names, addresses and texts may have. */
const swiftCharacters: CharacterSet = {
  accepted: /^[A-Za-z0-9/?:().,'+ !#$%&*=^_`{|}~";<>@[\]\\-]$/,
  schemaClass: "[A-Za-z0-9/?:().,'+ !#$%&amp;*=\\^_`{|}~&quot;;&lt;&gt;@\\[\\]\\\\\\-]",
  written: { ...germanic, '€': 'EUR', '’': "'", '‘': "'" },
  other: '.',
};

/** All that can be printed. */
const anyCharacters: CharacterSet = {
  accepted: /^[^\p{C}]$/u,
  schemaClass: '[^\\p{C}]',
  written: {},
  other: ' ',
};

const sepaService: PaymentService = {
  currency: 'EUR',
  serviceLevel: 'SEPA',
  chargeBearers: ['SLEV'],
  amountDecimals: 2,
  accounts: 'iban',
};

export const bankProfiles: Readonly<Record<BankProfileName, BankProfile>> = {
  plain: {
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
  },
  sepa: {
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
  },
  sps: {
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
  },
  cbpr: {
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
  },
};

/** The service that a profile has for a currency. */
export function serviceFor(profile: BankProfile, currency: string): PaymentService | undefined {
  return profile.services.find((service) => service.currency === 'any' || service.currency === currency);
}
