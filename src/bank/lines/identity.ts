/**
 * What makes a line one line. Banks use a reference again every year, repeat it within a statement, or leave it out, so
 * no reference alone identifies a line. Pure.
 */
import { createHash } from 'node:crypto';
import { plainReference } from './line.js';

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

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}
