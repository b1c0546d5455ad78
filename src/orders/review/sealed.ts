/** Seals what reviews say about people, and the notes of operators, under the user's retained key. */
import { bindingOf, open, seal } from '../../keys/sealing.js';
import type { OrderPlace } from '../order/copies/sealed.js';
import type { ReviewFindings } from '../order/review.js';

export function sealFindings(key: Buffer, place: OrderPlace, version: number, findings: ReviewFindings): Buffer {
  return seal(key, Buffer.from(JSON.stringify(findings)), placeOf('order_reviews', 'sealed_findings', place, version));
}

/** Throws `BrokenSeal` when the findings belong to another review. */
export function openFindings(key: Buffer, place: OrderPlace, version: number, sealed: Buffer): ReviewFindings {
  return JSON.parse(
    open(key, sealed, placeOf('order_reviews', 'sealed_findings', place, version)).toString(),
  ) as ReviewFindings;
}

export function sealNote(key: Buffer, place: OrderPlace, version: number, note: string): Buffer {
  return seal(key, Buffer.from(note), placeOf('order_notes', 'sealed_note', place, version));
}

/** Throws `BrokenSeal` when the note belongs to another action. */
export function openNote(key: Buffer, place: OrderPlace, version: number, sealed: Buffer): string {
  return open(key, sealed, placeOf('order_notes', 'sealed_note', place, version)).toString();
}

function placeOf(table: string, column: string, { merchantId, userId, orderId }: OrderPlace, version: number): string {
  return bindingOf(table, column, merchantId, userId, orderId, version);
}
