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

  /** Of an ASCII text. */
  lengthOf(index: number): number {
    return (this.packed.starts[index + 1] ?? 0) - (this.packed.starts[index] ?? 0);
  }

  /** False when an ASCII text surely is more than one typing error away from this one. */
  mayBeOneErrorAway(index: number, text: string): boolean {
    const bytes = this.#bytes;
    let start = this.packed.starts[index] ?? 0;
    let end = this.packed.starts[index + 1] ?? 0;
    let [left, right] = [0, text.length];
    while (start < end && left < right && bytes[start] === text.charCodeAt(left)) {
      start += 1;
      left += 1;
    }
    while (end > start && right > left && bytes[end - 1] === text.charCodeAt(right - 1)) {
      end -= 1;
      right -= 1;
    }
    // Two letters that differ may have been swapped.
    return Math.max(end - start, right - left) <= 1 || (end - start === 2 && right - left === 2);
  }

  /** Faster than `read`, for texts that are known to be ASCII. */
  readAscii(index: number): string {
    const { starts } = this.packed;
    return this.#bytes.latin1Slice(starts[index] ?? 0, starts[index + 1] ?? 0);
  }
}
