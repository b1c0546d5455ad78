/** Seals what a bank wrote about the people of a line, bound to the line. */
import { deriveKey } from '../../keys/derive.js';
import { bindingOf, open, seal } from '../../keys/sealing.js';
import type { LineId } from './line.js';
import type { DetailContent } from './reported.js';

export class LineSealer {
  readonly #key: Buffer;

  constructor(rootKey: Buffer) {
    this.#key = deriveKey(rootKey, 'bank lines');
  }

  seal(lineId: LineId, details: readonly DetailContent[]): Buffer {
    return seal(this.#key, Buffer.from(JSON.stringify(details)), bindingOf('bank_lines', 'sealed_content', lineId));
  }

  /** Throws `BrokenSeal`. */
  open(lineId: LineId, sealed: Buffer): readonly DetailContent[] {
    const bytes = open(this.#key, sealed, bindingOf('bank_lines', 'sealed_content', lineId));
    return JSON.parse(bytes.toString()) as DetailContent[];
  }

  sealChunk(fileId: string, number: number, bytes: Uint8Array): Buffer {
    return seal(this.#key, bytes, bindingOf('bank_file_chunks', 'sealed', fileId, number));
  }

  /** Throws `BrokenSeal`. */
  openChunk(fileId: string, number: number, sealed: Buffer): Buffer {
    return open(this.#key, sealed, bindingOf('bank_file_chunks', 'sealed', fileId, number));
  }
}
