/**
 * How a checker is spoken to: one byte that says what it is, four for the length, then the bytes. Both ways, and nothing
 * more, so that neither end has to parse what the other one, which may be in a stranger's hands, made up.
 */
import type { UploadFault } from '../inspect.js';

/** What a checker may say of a file; `ready` once, before the first. The media types come with a document. */
export const answers = [
  'ready',
  'image/jpeg',
  'image/png',
  'application/pdf',
  'unreadable',
  'too_many_pixels',
  'animated',
  'pdf_encrypted',
  'pdf_active',
  'pdf_too_many_pages',
  'too_few_pixels',
  'blank',
] as const;
export type Answer = (typeof answers)[number];
export type CheckerFault = Extract<Answer, UploadFault>;

export interface Frame {
  readonly code: number;
  readonly body: Buffer;
}

const headBytes = 5;

export function frameHead(code: number, length: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(code, 0);
  head.writeUInt32BE(length, 1);
  return head;
}

/** Puts frames together from what arrives; throws when one is announced that is longer than may be. */
export class FrameReader {
  readonly #pieces: Buffer[] = [];
  #length = 0;

  constructor(readonly longestBody: number) {}

  /** The frame that this piece completes; what comes after a whole frame is kept for the next. */
  add(piece: Buffer): Frame | undefined {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length < headBytes) return undefined;
    const head = this.#joinTo(headBytes);
    const length = head.readUInt32BE(1);
    if (length > this.longestBody) throw new Error('a frame is longer than may be');
    if (this.#length < headBytes + length) return undefined;
    const all = this.#joinTo(this.#length);
    this.#pieces.length = 0;
    this.#length = 0;
    const rest = all.subarray(headBytes + length);
    if (rest.length > 0) this.#keep(rest);
    return { code: all.readUInt8(0), body: all.subarray(headBytes, headBytes + length) };
  }

  /** Whether something came after the last whole frame. */
  get hasRest(): boolean {
    return this.#length > 0;
  }

  #keep(rest: Buffer): void {
    this.#pieces.push(rest);
    this.#length = rest.length;
  }

  /** The first piece, made at least so long. Few pieces are joined for the head, all of them once for the body. */
  #joinTo(length: number): Buffer {
    const [first = Buffer.alloc(0)] = this.#pieces;
    if (first.length >= length) return first;
    const joined = Buffer.concat(this.#pieces);
    this.#pieces.splice(0, this.#pieces.length, joined);
    return joined;
  }
}
