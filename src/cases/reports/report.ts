/** What a report to an authority says: the same for every format. Pure. */
import type { Profile } from '../../users/user.js';

export interface ReportedPerson {
  readonly merchant: string;
  readonly userId: number;
  /** Undefined when the data is not kept any more. */
  readonly profile: Profile | undefined;
}

export interface ReportedOrder {
  readonly orderId: string;
  readonly createdAt: Date;
  readonly amountIn: string;
  readonly fiatIn: string;
  readonly amountOut: string;
  readonly fiatOut: string;
  readonly payoutCountry: string;
  readonly payoutMethod: string;
  /** The end of the account number. */
  readonly payoutAccount: string | undefined;
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
}

export interface Report {
  readonly mediaType: string;
  readonly content: string;
  readonly missing: readonly string[];
}
