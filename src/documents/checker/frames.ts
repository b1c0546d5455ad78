/**
 * The messages between the service and a checker process: one byte for the type, four for the length, then the bytes.
 * The format is this simple because a hostile file may take over the checker, and the service must parse what it sends.
 */
import type { UploadFault } from '../inspect.js';

/** The answers of a checker. It sends `ready` once, before the first file. A media type comes with the clean document. */
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

/** Assembles frames from the pieces that arrive. Throws when a frame announces a longer body than allowed. */
export class FrameReader {
  readonly #pieces: Buffer[] = [];
  #length = 0;

  constructor(readonly maxBodyBytes: number) {}

  /** Returns the frame that this piece completes. Bytes after it are kept for the next frame. */
  add(piece: Buffer): Frame | undefined {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length < headBytes) return undefined;
    const head = this.#joinTo(headBytes);
    const length = head.readUInt32BE(1);
    if (length > this.maxBodyBytes) throw new Error('a frame is longer than allowed');
    if (this.#length < headBytes + length) return undefined;
    const all = this.#joinTo(this.#length);
    this.#pieces.length = 0;
    this.#length = 0;
    const rest = all.subarray(headBytes + length);
    if (rest.length > 0) this.#keep(rest);
    return { code: all.readUInt8(0), body: all.subarray(headBytes, headBytes + length) };
  }

  /** Whether bytes arrived after the last complete frame. */
  get hasRest(): boolean {
    return this.#length > 0;
  }

  #keep(rest: Buffer): void {
    this.#pieces.push(rest);
    this.#length = rest.length;
  }

  /** Returns the first piece with at least this many bytes. The pieces are joined once for the head and once for the body. */
  #joinTo(length: number): Buffer {
    const [first = Buffer.alloc(0)] = this.#pieces;
    if (first.length >= length) return first;
    const joined = Buffer.concat(this.#pieces);
    this.#pieces.splice(0, this.#pieces.length, joined);
    return joined;
  }
}
