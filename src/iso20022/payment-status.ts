/** What a bank answers to a message of ours: about payments (pain.002), and about a recall (camt.029). Pure. */

/** The payment that an answer is about. Everything within the message or block, where it names none. */
export interface AnsweredPayment {
  readonly messageId: string | undefined;
  /** The block of the message: `PmtInfId`. */
  readonly paymentInformationId: string | undefined;
  readonly instructionId: string | undefined;
  readonly endToEndId: string | undefined;
  readonly uetr: string | undefined;
}

export interface AnswerReason {
  /** Such as `AC01`. */
  readonly code: string | undefined;
  readonly text: string | undefined;
}

export interface ReportedPaymentStatus {
  /** Whether it is about all payments of the message, of a block of it, or about one payment. */
  readonly scope: 'message' | 'block' | 'payment';
  readonly about: AnsweredPayment;
  /** `RJCT`, `ACSP`, `PDNG` … as the bank wrote it. `PART` says that the payments have answers of their own. */
  readonly status: string;
  readonly reasons: readonly AnswerReason[];
  readonly bankReference: string | undefined;
}

export type RecallOutcome = 'accepted' | 'rejected' | 'pending';

export interface ReportedRecallAnswer {
  /** The id of the case, which we chose in the recall. */
  readonly caseId: string | undefined;
  readonly about: AnsweredPayment;
  /** Undefined for a code that says neither. */
  readonly outcome: RecallOutcome | undefined;
  /** Such as `RJCR`, `CNCL`. */
  readonly code: string;
  readonly reasons: readonly AnswerReason[];
}

/**
 * The answer to one payment in what a bank reported: that to the payment itself before that to its block, before that
 * to its message; of several, the last. Undefined where there is none.
 */
export function answerTo(
  payment: AnsweredPayment,
  reported: readonly ReportedPaymentStatus[],
): ReportedPaymentStatus | undefined {
  const about = reported.filter((answer) => concerns(answer, payment));
  const scopes = ['payment', 'block', 'message'] as const;
  for (const scope of scopes) {
    const answer = about.findLast((candidate) => candidate.scope === scope);
    if (answer) return answer.status === 'PART' ? undefined : answer;
  }
  return undefined;
}

function concerns({ scope, about }: ReportedPaymentStatus, payment: AnsweredPayment): boolean {
  if (about.messageId !== undefined && about.messageId !== payment.messageId) return false;
  if (scope === 'message') return about.messageId !== undefined;
  const isInBlock =
    about.paymentInformationId === undefined || about.paymentInformationId === payment.paymentInformationId;
  if (scope === 'block') return isInBlock && about.paymentInformationId !== undefined && about.messageId !== undefined;
  const ids = ['endToEndId', 'uetr', 'instructionId'] as const;
  const named = ids.filter((id) => about[id] !== undefined && payment[id] !== undefined);
  return isInBlock && named.length > 0 && named.every((id) => about[id] === payment[id]);
}
