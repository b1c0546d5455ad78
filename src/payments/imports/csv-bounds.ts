/**
 * Bounds the rows of a CSV file before they are parsed: the parser counts the characters of fields, and not how many
 * fields there are. Pure.
 */

/** More than the longest movement has, with its names and text in four bytes each. */
const mostBytes = 10_000;
const mostFields = 100;

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Why the file is refused, with the line. */
export interface OutOfBounds {
  readonly line: number;
  readonly message: string;
}

export class RowBounds {
  #line = 1;
  #bytes = 0;
  #fields = 1;
  #isQuoted = false;

  constructor(readonly delimiter: number) {}

  /** Reads the next piece of the file. Returns what is wrong with it, if anything is. */
  read(piece: Uint8Array): OutOfBounds | undefined {
    for (const byte of piece) {
      // A quote within quotes is doubled, which changes nothing.
      if (byte === quote) this.#isQuoted = !this.#isQuoted;
      if (byte === lineFeed) this.#line += 1;
      if (!this.#isQuoted && (byte === lineFeed || byte === carriageReturn)) {
        this.#bytes = 0;
        this.#fields = 1;
        continue;
      }
      this.#bytes += 1;
      if (!this.#isQuoted && byte === this.delimiter) this.#fields += 1;
      if (this.#bytes > mostBytes || this.#fields > mostFields) return this.#fault();
    }
    return undefined;
  }

  #fault(): OutOfBounds {
    const most = this.#fields > mostFields ? `${mostFields} fields` : `${mostBytes} bytes`;
    return {
      line: this.#line,
      message: `must have at most ${most} in a row; line ${this.#line} has more. Check the quotes`,
    };
  }
}
