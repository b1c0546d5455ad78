/**
 * What makes a line one line. Banks use a reference again every year, repeat it within a statement, or leave it out, so
 * no reference alone identifies a line. Pure.
 */
import { createHash } from 'node:crypto';
import { plainReference, type RecordedLine, type StoredDetail } from './line.js';

/** A bank does not use a reference again within this time, and nobody records a line later. */
const sameReferenceDays = 180;

const dayMs = 86_400_000;

export function daysBetween(left: string, right: string): number {
  return Math.abs(Date.parse(`${left}T00:00:00Z`) - Date.parse(`${right}T00:00:00Z`)) / dayMs;
}

/** The identity of a line with a reference. `repetition` counts lines of a year with the same reference. */
export function identityOfReference(reference: string, bookedOn: string, repetition = 1): string {
  const plain = plainReference(reference);
  const short = plain.length <= 140 ? plain : `sha256.${digest(plain)}`;
  return `${short}|${bookedOn.slice(0, 4)}|${repetition}`;
}

const contentsMark = 'contents.';

/** Names a line by its day and contents: the same for lines that nobody can tell apart. */
export function contentsName(contents: readonly (string | undefined)[]): string {
  return `${contentsMark}${digest(JSON.stringify(contents.map((text) => text ?? null)))}`;
}

/** Whether it is a name that the bank or we gave. */
export function isGivenName(name: string): boolean {
  return !name.startsWith(contentsMark);
}

/** The identity of a line without a reference. `repetition` counts lines of a day with the same contents. */
export function identityOfContents(name: string, repetition: number): string {
  return `${name}|${repetition}`;
}

export type RecordedAs =
  /** Its line was stored before, and nothing explains it yet. */
  | { readonly kind: 'reported'; readonly detail: StoredDetail }
  /** The line is explained. */
  | { readonly kind: 'used'; readonly record: string }
  /** The line was stored with another amount, which somebody must look at. */
  | { readonly kind: 'differs' }
  | { readonly kind: 'new' };

/**
 * What somebody recorded, among the stored details whose line has its reference, or which have its end-to-end id.
 */
export function findRecorded(line: RecordedLine, stored: readonly StoredDetail[]): RecordedAs {
  const near = stored.filter(
    (detail) => detail.state !== 'replaced' && daysBetween(detail.bookedOn, line.bookedOn) <= sameReferenceDays,
  );
  const open = near.filter(({ state }) => state === 'waiting' || state === 'break');
  const reported = open.find((detail) => detail.amountMinor === line.amountMinor && isAboutSame(line, detail));
  if (reported) return { kind: 'reported', detail: reported };
  const ofReference = near.filter(
    ({ bankReference, lineId }) => lineId === line.reference || isSameReference(bankReference, line.reference),
  );
  const used = ofReference.find(({ state, record }) => state === 'explained' && record !== undefined);
  if (used?.record !== undefined) return { kind: 'used', record: used.record };
  return ofReference.length > 0 ? { kind: 'differs' } : { kind: 'new' };
}

/** A payment of a batch is the one that it names. */
function isAboutSame({ endToEndId }: RecordedLine, detail: StoredDetail): boolean {
  return endToEndId === undefined || detail.endToEndId === undefined || endToEndId === detail.endToEndId;
}

function isSameReference(stored: string | undefined, reference: string): boolean {
  return stored !== undefined && plainReference(stored) === plainReference(reference);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}
