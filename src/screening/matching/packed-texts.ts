/** Many texts in one buffer, read one at a time. */

export interface PackedTexts {
  readonly bytes: Uint8Array;
  /** Text n is from `starts[n]` to `starts[n + 1]`. */
  readonly starts: Uint32Array;
}

export function packTexts(texts: readonly string[]): PackedTexts {
  const starts = new Uint32Array(texts.length + 1);
  let length = 0;
  for (const [index, text] of texts.entries()) {
    length += Buffer.byteLength(text);
    starts[index + 1] = length;
  }
  // Not from Node's pool: the memory must belong to this buffer alone to be handed to another thread.
  const bytes = Buffer.from(new ArrayBuffer(length));
  for (const [index, text] of texts.entries()) bytes.write(text, starts[index] ?? 0);
  return { bytes: new Uint8Array(bytes.buffer), starts };
}

type SliceableBuffer = Buffer & { latin1Slice(start: number, end: number): string };

/** Reads texts of a packed buffer. */
export class TextReader {
  readonly #bytes: SliceableBuffer;

  constructor(readonly packed: PackedTexts) {
    const { buffer, byteOffset, byteLength } = packed.bytes;
    // `toString('latin1')` calls this method too, after twice the time in checks. Node's types leave it out.
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength) as SliceableBuffer;
  }

  get count(): number {
    return this.packed.starts.length - 1;
  }

  read(index: number): string {
    const { starts } = this.packed;
    return this.#bytes.toString('utf8', starts[index] ?? 0, starts[index + 1] ?? 0);
  }

  /** Faster than `read`, for texts that are known to be ASCII. */
  readAscii(index: number): string {
    const { starts } = this.packed;
    return this.#bytes.latin1Slice(starts[index] ?? 0, starts[index + 1] ?? 0);
  }
}
