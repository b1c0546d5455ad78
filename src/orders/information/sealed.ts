/** Seals what senders answered, under the user's retained key. */
import { bindingOf, open, seal } from '../../keys/sealing.js';
import type { OrderPlace } from '../order/copies/sealed.js';
import type { RequirementCode } from '../order/requirement.js';

export interface Answer {
  readonly code: RequirementCode;
  readonly answer?: string;
  readonly documentIds?: readonly string[];
}
export type Answers = readonly Answer[];

export function sealAnswers(key: Buffer, place: OrderPlace, version: number, answers: Answers): Buffer {
  return seal(key, Buffer.from(JSON.stringify(answers)), placeOf(place, version));
}

/** Throws `BrokenSeal` when the answers belong to another order or another request. */
export function openAnswers(key: Buffer, place: OrderPlace, version: number, sealed: Buffer): Answers {
  return JSON.parse(open(key, sealed, placeOf(place, version)).toString()) as Answers;
}

function placeOf({ merchantId, userId, orderId }: OrderPlace, version: number): string {
  return bindingOf('order_answers', 'sealed_answers', merchantId, userId, orderId, version);
}
