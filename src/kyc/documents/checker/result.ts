/** What a check comes to: a document made anew, or the one thing that is wrong with the file. */
import type { CleanDocument } from '../../document-vault.js';
import type { CheckerFault } from './frames.js';

export type CheckResult = CleanDocument | CheckerFault;

/** Of images, also of those inside a PDF. */
export const mostPixels = 40_000_000;
const longestSidePixels = 12_000;

export function isTooLarge(width: number, height: number): boolean {
  return Math.max(width, height) > longestSidePixels || width * height > mostPixels;
}
