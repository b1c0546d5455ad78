/**
 * What a message to a bank says, before a profile gives it its form. Its JSON is frozen: a repetition has the same
 * content, and therefore the same bytes. Pure types.
 */

export interface PaymentMessage {
  readonly messageId: string;
  /** As an instant of ISO 8601. */
  readonly createdAt: string;
  /** `PmtInf` has an id of its own, by which banks answer to the block. */
  readonly paymentInformationId: string;
  /** On which day the bank pays, as YYYY-MM-DD. */
  readonly executionDay: string;
  /** Who sends the message, where it is not who pays. */
  readonly initiator: string;
  readonly debtor: Party;
  readonly debtorAccount: AccountNumber;
  readonly debtorBank: Bank;
  readonly payments: readonly PaymentOrder[];
}

export interface PaymentOrder {
  /** What the payment is known by, from us to the beneficiary. */
  readonly endToEndId: string;
  /** A UUID of version 4, for banks that follow payments by it. */
  readonly uetr: string | undefined;
  readonly currency: string;
  /** As a decimal, such as `1952.04`. */
  readonly amount: string;
  readonly chargeBearer: ChargeBearer | undefined;
  /** Whose money it is, where somebody pays for another one. */
  readonly ultimateDebtor: Party | undefined;
  readonly creditor: Party;
  readonly creditorAccount: AccountNumber;
  readonly creditorBank: Bank | undefined;
  /** Of the external code list of ISO 20022, such as `FAMI`. */
  readonly purpose: string | undefined;
  readonly remittance: PaymentRemittance | undefined;
}

export const chargeBearers = ['DEBT', 'CRED', 'SHAR', 'SLEV'] as const;
export type ChargeBearer = (typeof chargeBearers)[number];

export interface Party {
  readonly name: string;
  readonly address: Address | undefined;
  /** A person by the number of a document, and by the country that issued it, where that is known. */
  readonly document?: { readonly number: string; readonly issuer: string | undefined } | undefined;
}

/** Town and country are elements of their own: a bank refuses an address without them. */
export interface Address {
  readonly street: string | undefined;
  readonly building: string | undefined;
  readonly postalCode: string | undefined;
  readonly town: string | undefined;
  readonly subdivision: string | undefined;
  readonly country: string | undefined;
}

export type AccountNumber = { readonly iban: string } | { readonly number: string };

export interface Bank {
  readonly bic: string | undefined;
  /** The member of a national clearing system: `USABA` and the routing number. */
  readonly clearing: { readonly system: string; readonly member: string } | undefined;
  readonly name: string | undefined;
}

/** Either a text or a reference of ISO 11649. */
export type PaymentRemittance = { readonly text: string } | { readonly reference: string };

export interface RecallMessage {
  /** Of the recall, and of its case. */
  readonly messageId: string;
  readonly caseId: string;
  readonly createdAt: string;
  readonly initiator: string;
  readonly debtorBank: Bank;
  /** Such as `DUPL`, `FRAD`, `CUST`. */
  readonly reason: string;
  readonly text: string | undefined;
  readonly original: RecalledPayment;
}

export interface RecalledPayment {
  readonly messageId: string;
  readonly createdAt: string;
  readonly paymentInformationId: string;
  readonly endToEndId: string;
  readonly uetr: string | undefined;
  readonly currency: string;
  readonly amount: string;
  readonly executionDay: string;
}
