/** What a family of banks accepts, as data. Pure. */
import type { BankDays } from '../bank-days.js';
import type { ChargeBearer } from '../payment-message.js';

export interface BankProfile {
  readonly name: string;
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
  /** Codes of its own in which a bank says that an entry is interest, where it has none of ISO 20022. */
  readonly interestCodes: RegExp | undefined;
  /** Whether `NtryRef` names an entry. On Swiss accounts it is the number of an account, the same for all entries. */
  readonly hasEntryReferences: boolean;
  /** Whether its days end in the time zone of `bankDays`; otherwise they end where the account is. */
  readonly hasTimeZone: boolean;
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
