/** Receives uploads in memory, within limits. An unencrypted passport is never written to a disk. */
import { type FileKind, fileKindOf, tellingBytes } from './file-kind.js';
import { FormTurns } from './form-turns.js';
import { type Inspection, largestUploadBytes, type UploadFault, type UploadSource } from './inspect.js';

export interface IntakeLimits {
  /** The time limit from the first read to the last byte. */
  readonly receiveMs: number;
  /** The limit of all current uploads together. */
  readonly usedBytes: number;
  /** How many uploads of one form are received or checked at a time, and how many more may wait. */
  readonly uploadsOfForm: number;
  readonly uploadsWaiting: number;
  /** When memory is short, an upload that received no new block for so long is ended and its memory is freed. */
  readonly yieldAfterMs: number;
}

export interface ReceivedFile {
  readonly kind: FileKind;
  readonly length: number;
  readonly blocks: readonly Buffer[];
}

/** Small, because a slow sender occupies a block from its first byte on. */
const blockBytes = 64 * 1024;

export class Intake {
  readonly #turns: FormTurns;
  /** The uploads that are still arriving. */
  readonly #arriving = new Set<ReceivedBytes>();
  #usedBytes = 0;

  constructor(readonly limits: IntakeLimits) {
    this.#turns = new FormTurns(limits.uploadsOfForm, limits.uploadsWaiting);
  }

  /** The memory of all current uploads. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Passes on a complete file of an accepted type. Its bytes are counted until `handOn` has finished. */
  async receive(
    source: UploadSource,
    form: string,
    handOn: (file: ReceivedFile) => Promise<Inspection>,
  ): Promise<Inspection> {
    // A waiting upload is not read, so it needs no memory.
    const endTurn = await this.#turns.begin(form);
    if (!endTurn) {
      source.destroy?.();
      return { ok: false, fault: 'checker_unavailable' };
    }
    const bytes = new ReceivedBytes((change) => this.#take(change));
    try {
      const received = await this.#gather(source, bytes);
      return typeof received === 'string' ? { ok: false, fault: received } : await handOn(received);
    } finally {
      bytes.release();
      endTurn();
    }
  }

  /** Counts the change of used memory. Returns whether it is within the limit. */
  #take(change: number): boolean {
    this.#usedBytes += change;
    if (change < 0) return true;
    while (this.#usedBytes > this.limits.usedBytes) {
      if (!this.#takeFromSlowest()) return false;
    }
    return true;
  }

  #takeFromSlowest(): boolean {
    const slowBeforeMs = performance.now() - this.limits.yieldAfterMs;
    const slow = [...this.#arriving].filter(({ lastBlockAtMs }) => lastBlockAtMs < slowBeforeMs);
    const [slowest] = slow.sort((a, b) => a.lastBlockAtMs - b.lastBlockAtMs);
    if (!slowest) return false;
    this.#arriving.delete(slowest);
    slowest.release();
    slowest.giveUp();
    return true;
  }

  async #gather(source: UploadSource, bytes: ReceivedBytes): Promise<ReceivedFile | UploadFault> {
    const iterator = source[Symbol.asyncIterator]();
    const deadline = new Deadline(this.limits.receiveMs);
    bytes.giveUp = () => deadline.pass();
    this.#arriving.add(bytes);
    try {
      for (;;) {
        const next = await deadline.orTimeout(iterator.next());
        if (next !== 'timeout' && next.done) return wholeFile(bytes);
        const fault = next === 'timeout' ? next : bytes.add(next.value);
        if (fault) {
          stopReading(source, iterator);
          return fault;
        }
      }
    } finally {
      this.#arriving.delete(bytes);
      deadline.clear();
    }
  }
}

function wholeFile(bytes: ReceivedBytes): ReceivedFile | UploadFault {
  if (bytes.length === 0) return 'empty';
  const kind = fileKindOf(bytes.head());
  if (kind === undefined) return 'not_an_accepted_type';
  return kind === 'heic' ? kind : { kind, length: bytes.length, blocks: bytes.blocks() };
}

/** A pending read would delay the iterator's `return`, so a stream is destroyed first. Neither is awaited. */
function stopReading(source: UploadSource, iterator: AsyncIterator<Uint8Array>): void {
  source.destroy?.();
  iterator.return?.().catch(() => {});
}

/** Bytes are copied into blocks: a thousand pieces of one byte each would take a hundred times their size. */
class ReceivedBytes {
  readonly #blocks: Buffer[] = [];
  length = 0;
  lastBlockAtMs = performance.now();
  /** Ends the upload that these bytes belong to. */
  giveUp = () => {};

  /** `take` counts the change of used memory, and returns whether it is within the limit for all. */
  constructor(readonly take: (change: number) => boolean) {}

  /** The reason to refuse the file, as early as it is known. */
  add(bytes: Uint8Array): UploadFault | undefined {
    if (this.length + bytes.byteLength > largestUploadBytes) return 'too_large';
    const couldTellBefore = this.length >= tellingBytes;
    for (let at = 0; at < bytes.byteLength; ) {
      const filled = this.length % blockBytes;
      if (filled === 0 && !this.#addBlock()) return 'checker_unavailable';
      const part = bytes.subarray(at, at + blockBytes - filled);
      this.#blocks.at(-1)?.set(part, filled);
      this.length += part.byteLength;
      at += part.byteLength;
    }
    if (couldTellBefore || this.length < tellingBytes) return undefined;
    const kind = fileKindOf(this.head());
    return kind === undefined ? 'not_an_accepted_type' : kind === 'heic' ? kind : undefined;
  }

  head(): Buffer {
    return this.blocks()[0]?.subarray(0, tellingBytes) ?? Buffer.alloc(0);
  }

  blocks(): Buffer[] {
    const last = this.#blocks.length - 1;
    return this.#blocks.map((block, index) =>
      index === last ? block.subarray(0, this.length - last * blockBytes) : block,
    );
  }

  release(): void {
    this.take(-this.#blocks.length * blockBytes);
    this.#blocks.length = 0;
  }

  #addBlock(): boolean {
    this.lastBlockAtMs = performance.now();
    this.#blocks.push(Buffer.allocUnsafeSlow(blockBytes));
    return this.take(blockBytes);
  }
}

/** A promise in `Promise.race` would keep every piece of every upload in memory until it settles. */
class Deadline {
  readonly #timer: NodeJS.Timeout;
  #hasPassed = false;
  #giveUp = () => {};

  constructor(milliseconds: number) {
    this.#timer = setTimeout(() => this.pass(), milliseconds);
  }

  pass(): void {
    this.#hasPassed = true;
    this.#giveUp();
  }

  orTimeout<Result>(waitedFor: Promise<Result>): Promise<Result | 'timeout'> {
    return new Promise((resolve, reject) => {
      this.#giveUp = () => resolve('timeout');
      if (this.#hasPassed) this.#giveUp();
      waitedFor.then((result) => resolve(this.#hasPassed ? 'timeout' : result), reject);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
