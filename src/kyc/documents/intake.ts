/** Takes in what is uploaded, within limits and in memory: what shows a passport never lies on a disk in clear. */
import { type FileKind, fileKindOf, tellingBytes } from './file-kind.js';
import { FormTurns } from './form-turns.js';
import { type Inspection, largestUploadBytes, type UploadFault, type UploadSource } from './inspect.js';

export interface IntakeLimits {
  /** From the first byte asked for to the last one received. */
  readonly receiveMs: number;
  /** Of all uploads under way together. */
  readonly heldBytes: number;
  /** How many uploads of one form are taken in or checked at a time, and how many more may wait for that. */
  readonly uploadsOfForm: number;
  readonly uploadsWaiting: number;
  /** When memory is short, an upload that did not bring another block for so long gives its memory up. */
  readonly yieldAfterMs: number;
}

export interface ReceivedFile {
  readonly kind: FileKind;
  readonly length: number;
  readonly blocks: readonly Buffer[];
}

/** Small, because a slow sender holds one from its first byte on. */
const blockBytes = 64 * 1024;

export class Intake {
  readonly #turns: FormTurns;
  /** The uploads that are still arriving. */
  readonly #arriving = new Set<HeldBytes>();
  #heldBytes = 0;

  constructor(readonly limits: IntakeLimits) {
    this.#turns = new FormTurns(limits.uploadsOfForm, limits.uploadsWaiting);
  }

  /** What the uploads of this moment take up. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Hands on a file that arrived whole and is of a kind that we take; its bytes are counted until that is done with. */
  async receive(
    source: UploadSource,
    form: string,
    handOn: (file: ReceivedFile) => Promise<Inspection>,
  ): Promise<Inspection> {
    // Not read while it waits, so that it takes up no memory.
    const endTurn = await this.#turns.begin(form);
    if (!endTurn) {
      source.destroy?.();
      return { ok: false, fault: 'checker_unavailable' };
    }
    const held = new HeldBytes((change) => this.#take(change));
    try {
      const received = await this.#gather(source, held);
      return typeof received === 'string' ? { ok: false, fault: received } : await handOn(received);
    } finally {
      held.release();
      endTurn();
    }
  }

  /** Counts the change of what is held; says whether there is memory for it. */
  #take(change: number): boolean {
    this.#heldBytes += change;
    if (change < 0) return true;
    while (this.#heldBytes > this.limits.heldBytes) {
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

  async #gather(source: UploadSource, held: HeldBytes): Promise<ReceivedFile | UploadFault> {
    const iterator = source[Symbol.asyncIterator]();
    const deadline = new Deadline(this.limits.receiveMs);
    held.giveUp = () => deadline.pass();
    this.#arriving.add(held);
    try {
      for (;;) {
        const next = await deadline.orTimeout(iterator.next());
        if (next !== 'timeout' && next.done) return wholeFile(held);
        const fault = next === 'timeout' ? next : held.add(next.value);
        if (fault) {
          stopReading(source, iterator);
          return fault;
        }
      }
    } finally {
      this.#arriving.delete(held);
      deadline.clear();
    }
  }
}

function wholeFile(held: HeldBytes): ReceivedFile | UploadFault {
  if (held.length === 0) return 'empty';
  const kind = fileKindOf(held.head());
  if (kind === undefined) return 'not_an_accepted_type';
  return kind === 'heic' ? kind : { kind, length: held.length, blocks: held.blocks() };
}

/** A pending read would keep the iterator's own end waiting, so a stream is destroyed first; neither is waited for. */
function stopReading(source: UploadSource, iterator: AsyncIterator<Uint8Array>): void {
  source.destroy?.();
  iterator.return?.().catch(() => {});
}

/** Copied into blocks of our own: a thousand pieces of a byte each would take a hundred times their size. */
class HeldBytes {
  readonly #blocks: Buffer[] = [];
  length = 0;
  lastBlockAtMs = performance.now();
  /** Ends the upload that these bytes belong to. */
  giveUp = () => {};

  /** `take` counts the change of what is held, and says whether it is still within the limit for all. */
  constructor(readonly take: (change: number) => boolean) {}

  /** What speaks against going on, known as early as it can be. */
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

/** Not a promise to race against: that one would remember every piece of every upload until it is settled. */
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
