/**
 * What a bank says about an account, whatever the format of the file: a statement, a report within the day, or a
 * notification of single movements. Texts are as the bank wrote them, amounts are decimals as text. Pure types.
 */

/** A `statement` has balances and is whole; a `report` is of a day that goes on; a `notification` has no balances. */
export type StatementKind = 'statement' | 'report' | 'notification';

export interface ReportedStatement {
  readonly kind: StatementKind;
  /** The bank's own id. Banks reuse ids, so it identifies nothing alone. */
  readonly statementId: string | undefined;
  /** The number of the statement in its series, where the bank counts them. */
  readonly sequence: number | undefined;
  /** A long statement comes in several pages, of which only the last has the closing balance. */
  readonly page: { readonly number: number; readonly isLast: boolean } | undefined;
  readonly createdAt: string | undefined;
  /** The days that it covers, as YYYY-MM-DD, or times. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly account: ReportedAccount;
  readonly balances: readonly ReportedBalance[];
}

/** The number of an account as the bank wrote it, without blanks. */
export interface ReportedAccount {
  /** Empty where the statement names none, which is a fault as well. */
  readonly number: string;
  readonly currency: string | undefined;
}

export interface ReportedBalance {
  /** `OPBD`, `CLBD`, `PRCD`, `ITBD`, `CLAV` … of ISO 20022. */
  readonly type: string;
  readonly amount: ReportedAmount;
  /** A debit balance is money that we owe the bank. */
  readonly sign: Sign;
  readonly on: string | undefined;
}

export interface ReportedAmount {
  readonly currency: string;
  /** As a decimal, such as `1952.04`. */
  readonly amount: string;
}

/** As it is on our account: a credit is money that came in. A reversal of a credit is a debit, and says so. */
export type Sign = 'credit' | 'debit';

/** One entry of a statement. A batch booking has many details, which together make its amount. */
export interface ReportedEntry {
  readonly amount: ReportedAmount;
  readonly sign: Sign;
  readonly isReversal: boolean;
  /** Only what is booked moves money; `pending` and `information` are told and not booked. */
  readonly status: 'booked' | 'pending' | 'information';
  /** YYYY-MM-DD, or a time with its offset. */
  readonly bookedOn: string | undefined;
  readonly valueOn: string | undefined;
  /** The bank's references of the entry: `AcctSvcrRef` and `NtryRef` of camt. */
  readonly bankReference: string | undefined;
  readonly entryReference: string | undefined;
  readonly code: TransactionCode;
  readonly batch: ReportedBatch | undefined;
  readonly charges: readonly ReportedCharge[];
  /** What else the bank wrote (`AddtlNtryInf`). */
  readonly text: string | undefined;
  readonly details: readonly ReportedDetail[];
  /** Where it stands in the file, for messages about it. */
  readonly position: Position;
}

export interface TransactionCode {
  /** Domain, family and sub-family of ISO 20022, such as `PMNT-ICDT-RRTN`. */
  readonly iso: string | undefined;
  readonly proprietary: string | undefined;
}

export interface ReportedBatch {
  readonly messageId: string | undefined;
  readonly paymentInformationId: string | undefined;
  readonly count: number | undefined;
  readonly total: string | undefined;
}

export interface ReportedCharge {
  readonly amount: ReportedAmount;
  /** A debit is what the bank keeps. */
  readonly sign: Sign;
  /** Whether the amount of the entry has the charge in it. */
  readonly isIncluded: boolean;
}

/** One payment within an entry. */
export interface ReportedDetail {
  readonly references: DetailReferences;
  /** Undefined where the bank gives only that of the entry. */
  readonly amount: ReportedAmount | undefined;
  readonly sign: Sign | undefined;
  /** Whoever is on the other side: the debtor of a credit, the creditor of a debit. */
  readonly counterparty: Counterparty;
  readonly remittance: Remittance;
  readonly charges: readonly ReportedCharge[];
  readonly code: TransactionCode | undefined;
  readonly returned: ReportedReturn | undefined;
  readonly purpose: string | undefined;
  readonly text: string | undefined;
}

export interface DetailReferences {
  readonly bankReference: string | undefined;
  readonly messageId: string | undefined;
  readonly paymentInformationId: string | undefined;
  readonly instructionId: string | undefined;
  /** Undefined also where the bank wrote `NOTPROVIDED`. */
  readonly endToEndId: string | undefined;
  readonly transactionId: string | undefined;
  readonly uetr: string | undefined;
}

export interface Counterparty {
  readonly name: string | undefined;
  readonly account: string | undefined;
  readonly bic: string | undefined;
}

export interface Remittance {
  /** The unstructured lines, joined as the bank would print them. */
  readonly text: string;
  /** Structured references of the creditor: `RF…` of ISO 11649, Swiss QR references. */
  readonly references: readonly string[];
}

export interface ReportedReturn {
  /** Such as `AC01`. */
  readonly code: string | undefined;
  readonly text: string | undefined;
}

export interface Position {
  readonly line: number | undefined;
  /** XPath of the element; the number of the record in other formats. */
  readonly path: string;
}

/**
 * What a reader yields, in the order of the file. A `fault` is something that could not be read: what it concerns is
 * left out, the rest is read on. A statement that was cut has no `end_of_statement`.
 */
export type StatementPart =
  | { readonly part: 'message'; readonly format: string; readonly messageId: string | undefined }
  | { readonly part: 'statement'; readonly statement: ReportedStatement }
  | { readonly part: 'entry'; readonly entry: ReportedEntry }
  | { readonly part: 'end_of_statement' }
  | { readonly part: 'fault'; readonly message: string; readonly position: Position };
