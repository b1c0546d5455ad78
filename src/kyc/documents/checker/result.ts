/** What a check comes to: a document made anew, or the one thing that is wrong with the file. */
import type { CleanDocument } from '../document-vault.js';
import type { CheckerFault } from './frames.js';

export type CheckResult = CleanDocument | CheckerFault;

/** Of images, also of those inside a PDF. */
export const mostPixels = 40_000_000;
const longestSidePixels = 12_000;

/** What verifiers ask of a photo of a document at the least: below this its small print cannot be read. */
const leastLongerSidePixels = 600;
const leastShorterSidePixels = 400;

export function isTooSmall(width: number, height: number): boolean {
  return Math.max(width, height) < leastLongerSidePixels || Math.min(width, height) < leastShorterSidePixels;
}

export function isTooLarge(width: number, height: number): boolean {
  return Math.max(width, height) > longestSidePixels || width * height > mostPixels;
}
