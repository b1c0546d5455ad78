/** Pure. What a scanner looks for in a message, and what it tells of it. */
import type { XmlElement } from './element.js';

export interface ScanPlan {
  /** The element that a message begins with, and the elements in it that hold records. */
  readonly messages: Readonly<Record<string, readonly string[]>>;
  /** Records that never stand within themselves. One that seems to do so follows one whose end is damaged. */
  readonly repeated: readonly string[];
  /** Elements of records of which there may be very many: they are converted at once, and kept in `taken`. */
  readonly converted: ReadonlyMap<string, (element: XmlElement) => unknown>;
}

export interface ScanLimits {
  readonly depth: number;
  /** Characters of a text, a tag, a comment. */
  readonly textCharacters: number;
  /** Elements of a record, without those that were converted; and how many were. */
  readonly elements: number;
  readonly converted: number;
}

export const scanLimits: ScanLimits = { depth: 200, textCharacters: 64 * 1024, elements: 20_000, converted: 100_000 };

export interface ScanPosition {
  readonly line: number;
  readonly path: string;
}

export type ScanEvent =
  | {
      readonly event: 'opened';
      readonly name: string;
      readonly namespace: string | undefined;
      readonly at: ScanPosition;
    }
  | { readonly event: 'closed'; readonly name: string }
  | { readonly event: 'record'; readonly record: XmlElement; readonly at: ScanPosition }
  | { readonly event: 'fault'; readonly message: string; readonly at: ScanPosition };
