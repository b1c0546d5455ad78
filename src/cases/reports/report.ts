/** What a report to an authority says: the same for every format. Pure. */
import type { Answers } from '../../kyc/cases/requirements.js';
import type { Profile } from '../../users/user.js';

export interface ReportedPerson {
  readonly merchant: string;
  readonly userId: number;
  /** Undefined when the data is not kept any more. */
  readonly profile: Profile | undefined;
  /** What was said in the forms. */
  readonly answers: Answers;
}

export interface ReportedOrder {
  readonly merchant: string;
  readonly orderId: string;
  readonly createdAt: Date;
  readonly amountIn: string;
  readonly fiatIn: string;
  readonly amountOut: string;
  readonly fiatOut: string;
  readonly payoutCountry: string;
  readonly payoutMethod: string;
  /** Undefined when it is not kept any more. */
  readonly payeeName: string | undefined;
  /** What identifies the account, whole; undefined for cash, or when it is not kept any more. */
  readonly payeeAccount: string | undefined;
  readonly purpose: string;
  readonly userId: number;
}

export interface ReportData {
  readonly caseId: string;
  readonly madeAt: Date;
  /** Who reports; undefined until the record of the licensee is entered. */
  readonly reporter:
    | { readonly legalName: string; readonly country: string; readonly licenceNumber: string }
    | undefined;
  readonly reportedBy: string;
  readonly title: string;
  readonly narrative: string;
  readonly indicators: readonly string[];
  readonly persons: readonly ReportedPerson[];
  readonly orders: readonly ReportedOrder[];
  /** What the case names and the service cannot read. */
  readonly unreadable: readonly string[];
}

export interface Report {
  readonly mediaType: string;
  readonly content: string;
  readonly missing: readonly string[];
}

/** What every authority asks for and the service does not know. */
export function missingOf({ reporter, narrative, persons, orders, unreadable }: ReportData): string[] {
  return [
    ...unreadable,
    ...(reporter ? [] : ['the licensee']),
    ...(narrative.trim() === '' ? ['a narrative'] : []),
    ...(orders.length === 0 ? ['an order'] : []),
    ...persons.flatMap(({ merchant, userId, profile, answers }) => [
      ...(profile ? [] : [`the name and address of user ${merchant}/${userId}`]),
      ...(answers.dateOfBirth ? [] : [`the birth date of user ${merchant}/${userId}`]),
      ...(answers.documentNumber || answers.nationalIdNumber ? [] : [`a document of user ${merchant}/${userId}`]),
    ]),
    ...orders.flatMap(({ orderId, payeeName }) => (payeeName ? [] : [`the recipient of order ${orderId}`])),
  ];
}
