/**
 * A payment of a line that nothing explains may be several: a batch that the bank booked as one, a batch that it
 * itemises in a later file, or what a person knows about it. The parts that take its place make the same amount. Pure.
 */
import type { StoredDetail } from './line.js';
import type { DetailContent, ReportedPayment } from './reported.js';

export interface Part extends ReportedPayment {
  /** Nothing is known about it yet: a person explains it. */
  readonly isLeft?: boolean;
}

/** Why the parts cannot take the place of an amount; undefined where they can. */
export function partsFault(amountMinor: bigint, parts: readonly Pick<Part, 'amountMinor'>[]): string | undefined {
  if (parts.length === 0 || parts.some((part) => part.amountMinor === 0n)) return 'must each have an amount';
  const sum = parts.reduce((total, part) => total + part.amountMinor, 0n);
  return sum === amountMinor ? undefined : 'must together make the amount of what they explain';
}

/** Whether it may be replaced: nothing was booked for it. */
export function isUnexplained({ state }: Pick<StoredDetail, 'state'>): boolean {
  return state === 'waiting' || state === 'break';
}

/**
 * The only payment of a line, where a file now tells more about it: the payments in it, or its id, its text or its
 * other side. Undefined where the line has parts already, or something was booked, so that each line is itemised once.
 * An id that the file does not have as well is that of another payment. What people decided about it stays.
 */
export function unitemised(
  details: readonly StoredDetail[],
  content: DetailContent,
  payments: readonly ReportedPayment[],
): StoredDetail | undefined {
  const [only, second] = details;
  if (!only || second || !isUnexplained(only) || isDecided(only, content)) return undefined;
  if (partsFault(only.amountMinor, payments) !== undefined) return undefined;
  const { endToEndId } = only;
  if (endToEndId !== undefined && !payments.some((payment) => payment.endToEndId === endToEndId)) return undefined;
  const isMore = payments.length > 1 || payments.some((payment) => saysMore(payment, { endToEndId, content }));
  return isMore ? only : undefined;
}

/** People undid what was booked for it, or said what it is. */
function isDecided({ reason }: StoredDetail, { saidToBe }: DetailContent): boolean {
  return reason === 'corrected' || saidToBe !== undefined;
}

type Told = Pick<ReportedPayment, 'endToEndId' | 'content'>;

/** All that is known, and something else: so two files never replace each other's words in turn. */
function saysMore(payment: Told, known: Told): boolean {
  const [told, before] = [factsOf(payment), factsOf(known)];
  return (
    before.every((isKnown, index) => !isKnown || told[index]) && told.some((isTold, index) => isTold && !before[index])
  );
}

function factsOf({ endToEndId, content: { account, references, text, messageIds } }: Told): boolean[] {
  return [endToEndId !== undefined, account !== undefined, references.length > 0 || text !== '', messageIds.length > 0];
}
