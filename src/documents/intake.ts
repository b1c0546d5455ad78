/**
 * Receives uploads in memory: a limited number at a time, each of a limited length, so the memory of all is limited too.
 * An unencrypted passport is never written to a disk. The edge ends a sender that is too slow.
 */
import { Semaphore } from '../worker/semaphore.js';
import { type FileKind, fileKindOf, tellingBytes } from './file-kind.js';
import { FormTurns } from './form-turns.js';
import { type Inspection, largestUploadBytes, type UploadFault, type UploadSource } from './inspect.js';

export interface IntakeLimits {
  /** How many uploads are received or checked at a time. Others are refused: the sender may try again. */
  readonly uploads: number;
  /** Of one form, one upload is received or checked at a time. So many more wait. */
  readonly uploadsWaiting: number;
}

export interface ReceivedFile {
  readonly kind: FileKind;
  readonly bytes: Buffer;
}

export class Intake {
  readonly #turns: FormTurns;
  readonly #uploads: Semaphore;

  constructor(limits: IntakeLimits) {
    this.#turns = new FormTurns(limits.uploadsWaiting);
    this.#uploads = new Semaphore(limits.uploads, 0);
  }

  /** Passes on a complete file of an accepted type. */
  async receive(
    source: UploadSource,
    form: string,
    handOn: (file: ReceivedFile) => Promise<Inspection>,
  ): Promise<Inspection> {
    // A waiting upload is not read, so it needs no memory.
    const endTurn = await this.#turns.begin(form);
    if (!endTurn) return refuse(source, 'checker_unavailable');
    try {
      if (this.#uploads.isFull) return refuse(source, 'checker_unavailable');
      const release = await this.#uploads.acquire();
      try {
        const received = await readFile(source);
        return typeof received === 'string' ? refuse(source, received) : await handOn(received);
      } finally {
        release();
      }
    } finally {
      endTurn();
    }
  }
}

/** Stops reading as soon as there is a reason to refuse the file. */
async function readFile(source: UploadSource): Promise<ReceivedFile | UploadFault> {
  // The system provides this memory as it is filled. Keeping the pieces would cost a hundred times their size when a
  // sender cuts a file into single bytes.
  const bytes = Buffer.allocUnsafeSlow(largestUploadBytes);
  let length = 0;
  let kind: FileKind | undefined;
  for await (const piece of source) {
    if (length + piece.byteLength > largestUploadBytes) return 'too_large';
    bytes.set(piece, length);
    length += piece.byteLength;
    if (kind === undefined) {
      const found = fileKindOf(bytes.subarray(0, Math.min(length, tellingBytes)));
      if (found === 'heic') return found;
      if (found === undefined && length >= tellingBytes) return 'not_an_accepted_type';
      kind = found;
    }
  }
  if (length === 0) return 'empty';
  if (kind === undefined) return 'not_an_accepted_type';
  return { kind, bytes: bytes.subarray(0, length) };
}

function refuse(source: UploadSource, fault: UploadFault): Inspection {
  source.destroy?.();
  return { ok: false, fault };
}
