/**
 * Whether a reported line is one that we know. Banks number their entries anew each day, give a movement another name
 * in another file, and name nothing: what is only probably the same is never booked by itself. Pure.
 */
import { daysBetween, isGivenName } from './identity.js';
import { type LineId, type LineSign, type LineSource, plainReference } from './line.js';
import type { ReportedLine } from './reported.js';

/** A line that is stored, as far as another report is compared with it. */
export interface KnownLine {
  readonly lineId: LineId;
  readonly sign: LineSign;
  readonly amountMinor: bigint;
  readonly bookedOn: string;
  readonly bankReference: string | undefined;
  /** Of the only payment in it. */
  readonly endToEndId: string | undefined;
  readonly knownBy: readonly string[];
  readonly identity: string;
  readonly source: LineSource;
  /** Whether a statement has it, which a bank writes once the day is over. */
  readonly isOnStatement: boolean;
  /** The number of that statement, where the bank counts them. */
  readonly sequence: number | undefined;
  /** Another line took its place, so that no report is about it any more. */
  readonly isReplaced: boolean;
  /** It is one payment so far, which nothing explains. */
  readonly isUnexplained: boolean;
}

export type Identified =
  | { readonly kind: 'same'; readonly line: KnownLine }
  | { readonly kind: 'probably'; readonly line: KnownLine }
  | { readonly kind: 'new' };

/** What tells the lines. */
export interface Telling {
  /** Whether it is of a whole day. */
  readonly isStatement: boolean;
  readonly sequence: number | undefined;
}

type Compare = (reported: ReportedLine, known: KnownLine, told: Telling) => boolean;

/** Banks report a movement on the day before or after, over a weekend at most; what people typed may be another day. */
const sameDays = 7;
const probableDays = 1;

/** A shorter reference may be a number that the bank gives out anew each day, or in each statement. */
const uniqueLength = 8;

/**
 * What each line is, in their order. `known` are lines that this statement has not named yet: a statement that names a
 * line twice has two. Lines with the same contents are found first, so
 * that none of them is taken for another line with the same reference.
 */
export function identify(lines: readonly ReportedLine[], known: readonly KnownLine[], told: Telling): Identified[] {
  const open = new Set(known.filter(({ isReplaced }) => !isReplaced));
  const same = new Map<ReportedLine, KnownLine>();
  const find = (reported: ReportedLine, isIt: Compare) =>
    nearest(
      reported,
      [...open].filter((line) => isAlike(reported, line) && isIt(reported, line, told)),
    );
  for (const isIt of [hasSameContents, isNamedAlike]) {
    for (const reported of lines) {
      const isSame: Compare = (...compared) => hasSameAmount(reported, compared[1]) && isIt(...compared);
      const line = same.has(reported) ? undefined : find(reported, isSame);
      if (!line) continue;
      same.set(reported, line);
      open.delete(line);
    }
  }
  return lines.map((reported) => {
    const line = same.get(reported);
    if (line) return { kind: 'same', line };
    const probable = find(reported, isProbably) ?? find(reported, isMistyped);
    return probable ? { kind: 'probably', line: probable } : { kind: 'new' };
  });
}

function nearest({ bookedOn }: ReportedLine, lines: readonly KnownLine[]): KnownLine | undefined {
  const distance = (line: KnownLine) => daysBetween(line.bookedOn, bookedOn);
  return lines.toSorted((left, right) => distance(left) - distance(right))[0];
}

function isAlike(reported: ReportedLine, known: KnownLine): boolean {
  return known.sign === reported.sign && daysBetween(known.bookedOn, reported.bookedOn) <= sameDays;
}

function hasSameAmount(reported: ReportedLine, known: KnownLine): boolean {
  return known.amountMinor === reported.amountMinor;
}

/** A person recorded the line of this reference with another amount. */
function isMistyped(reported: ReportedLine, known: KnownLine): boolean {
  return isTyped(known) && !known.isOnStatement && sharedNames(reported, known).length > 0;
}

function hasSameContents(reported: ReportedLine, known: KnownLine, told: Telling): boolean {
  if (isOnNextStatement(known, told)) return false;
  // A statement may have moved the line to another day since.
  const isSameDay = known.bookedOn === reported.bookedOn;
  return isSameDay && known.knownBy.includes(reported.contents) && !hasOtherReference(reported, known);
}

/** A bank that writes two statements on a day tells each line once, unless it corrects itself. */
function isOnNextStatement(known: KnownLine, { isStatement, sequence }: Telling): boolean {
  if (!isStatement || !known.isOnStatement || sequence === undefined || known.sequence === undefined) return false;
  return sequence !== known.sequence;
}

/** A short number is not enough for another day, nor for another statement. */
function isNamedAlike(reported: ReportedLine, known: KnownLine, { isStatement }: Telling): boolean {
  const shared = sharedNames(reported, known);
  if (shared.length === 0 || isOtherPayment(reported, known)) return false;
  const isSameDay = known.bookedOn === reported.bookedOn;
  if (isTyped(known) && !known.isOnStatement) return true;
  if (hasOtherReference(reported, known)) return false;
  if (isStatement && known.isOnStatement) return isSameDay && !isNumbered(reported, shared);
  return isSameDay || !isNumbered(reported, shared);
}

/** Whether the lines have nothing in common but a number. */
function isNumbered({ bankReference = '' }: ReportedLine, shared: readonly string[]): boolean {
  return shared.every((name) => name.length < uniqueLength && name === plainReference(bankReference));
}

function isProbably(reported: ReportedLine, known: KnownLine, { isStatement }: Telling): boolean {
  if (!hasSameAmount(reported, known)) return false;
  const distance = daysBetween(known.bookedOn, reported.bookedOn);
  const hasNoName = givenNames(known).length === 0 || givenNames(reported).length === 0;
  const shared = sharedNames(reported, known);
  // Two statements share a movement when they are of the same day, or when a correction moved it to another day.
  if (isStatement && known.isOnStatement)
    return distance === 0 ? hasNoName || shared.length > 0 : isNamedUniquely(reported, known, shared);
  if (shared.length > 0) return true;
  return distance <= probableDays && (hasNoName || (isTyped(known) && !known.isOnStatement));
}

/** A payer may give each payment the same name, but the bank does not. */
function isNamedUniquely(reported: ReportedLine, known: KnownLine, shared: readonly string[]): boolean {
  if (hasOtherReference(reported, known) || isNumbered(reported, shared)) return false;
  return shared.includes(plainReference(reported.bankReference ?? ''));
}

function hasOtherReference({ bankReference }: ReportedLine, known: KnownLine): boolean {
  if (bankReference === undefined || known.bankReference === undefined || isTyped(known)) return false;
  return plainReference(bankReference) !== plainReference(known.bankReference);
}

function isOtherPayment({ payments: [first, second] }: ReportedLine, { endToEndId }: KnownLine): boolean {
  if (second !== undefined || first?.endToEndId === undefined || endToEndId === undefined) return false;
  return plainReference(first.endToEndId) !== plainReference(endToEndId);
}

function sharedNames(reported: ReportedLine, known: KnownLine): string[] {
  return givenNames(known).filter((name) => reported.knownBy.includes(name));
}

function givenNames({ knownBy }: Pick<KnownLine, 'knownBy'>): string[] {
  return knownBy.filter(isGivenName);
}

function isTyped({ source }: KnownLine): boolean {
  return source === 'hand' || source === 'csv';
}
