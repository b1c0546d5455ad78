/** The result of a check: a clean document, or what is wrong with the file. */
import type { CleanDocument } from '../inspect.js';
import type { CheckerFault } from './frames.js';

export type CheckResult = CleanDocument | CheckerFault;

/** Applies to images and to images inside a PDF. */
export const maxPixels = 40_000_000;
const maxSidePixels = 12_000;

/** Below this size the small print of a document cannot be read. */
const minLongerSidePixels = 600;
const minShorterSidePixels = 400;

export function isTooSmall(width: number, height: number): boolean {
  return Math.max(width, height) < minLongerSidePixels || Math.min(width, height) < minShorterSidePixels;
}

export function isTooLarge(width: number, height: number): boolean {
  return Math.max(width, height) > maxSidePixels || width * height > maxPixels;
}
