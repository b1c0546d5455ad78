/** Seals what compliance officers write, bound to where it is stored. It may concern users of several merchants. */
import { deriveKey } from '../keys/derive.js';
import { bindingOf, open, seal } from '../keys/sealing.js';

export type Place = readonly (string | number)[];

export class CaseSealer {
  readonly #key: Buffer;

  constructor(rootKey: Buffer) {
    this.#key = deriveKey(rootKey, 'compliance cases');
  }

  seal(place: Place, text: string): Buffer {
    return seal(this.#key, Buffer.from(text), bindingOf(...place));
  }

  /** Throws `BrokenSeal`. */
  open(place: Place, sealed: Buffer): string {
    return open(this.#key, sealed, bindingOf(...place)).toString();
  }
}
