/** A checker: a separate process that gets a file and nothing else of ours, with limits that the kernel enforces. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Answer, answers, type Frame, FrameReader, frameHead } from './checker/frames.js';
import { fileKinds } from './file-kind.js';
import { largestUploadBytes } from './inspect.js';
import type { ReceivedFile } from './intake.js';

export interface ProcessLimits {
  readonly startMs: number;
  /** The time limit for one file. */
  readonly checkMs: number;
  /** The memory limit of the process. */
  readonly memoryBytes: number;
}

export interface CheckerAnswer {
  readonly answer: Exclude<Answer, 'ready'>;
  readonly body: Buffer;
}

/** Thrown when the file crashed its checker, or the checker was ended from outside. */
class CheckerDied extends Error {
  override readonly name = 'CheckerDied';
}

export class CheckerTimedOut extends Error {
  override readonly name = 'CheckerTimedOut';
}

/** A stuck checker whose parent has died ends after so much processor time; normally it uses far less. */
const cpuSeconds = 900;
/** The limit of error output before the process is ready. It has no file yet, so it cannot leak one. */
const keptErrorCharacters = 2000;

export class CheckerProcess {
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #reader = new FrameReader(largestUploadBytes);
  #onFrame: ((frame: Frame) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;
  #end: Error | undefined;

  constructor(
    readonly limits: ProcessLimits,
    readonly onEnd: () => void,
  ) {
    this.#child = launch(limits);
    this.#input = this.#child.stdin as Writable;
    // The exit reports a checker that has ended; the broken pipe only needs a listener.
    this.#input.on('error', () => {});
    this.#child.on('error', (error) => this.#finish(error));
    this.#child.on('exit', (code, signal) => this.#finish(new CheckerDied(`ended by ${signal ?? `code ${code}`}`)));
    const output = this.#child.stdio[3] as Readable;
    output.on('data', (piece: Buffer) => this.#receive(piece)).on('error', () => {});
    unref(this.#child);
  }

  /** Called once, before the first file. Throws with the error output of the process when it does not start. */
  async getReady(): Promise<void> {
    const errors = this.#child.stderr as Readable;
    let errorOutput = '';
    const remember = (piece: Buffer) => {
      errorOutput = (errorOutput + piece.toString()).slice(-keptErrorCharacters);
    };
    errors.on('data', remember);
    try {
      await this.#answerWithin(this.limits.startMs, 'ready');
    } catch (error) {
      this.kill();
      throw new Error(`no checker could be started: ${errorOutput}`, { cause: error });
    }
    errors.off('data', remember).resume();
  }

  get isAlive(): boolean {
    return this.#end === undefined;
  }

  /** Throws when there is no valid answer; the process has then been ended. */
  async check(file: ReceivedFile): Promise<CheckerAnswer> {
    try {
      const answered = this.#answerWithin(this.limits.checkMs, 'a document or a fault');
      this.#input.write(frameHead(fileKinds.indexOf(file.kind), file.bytes.length));
      this.#input.write(file.bytes);
      const { code, body } = await answered;
      const answer = answers[code];
      if (answer === undefined || answer === 'ready') throw new CheckerDied(`unexpected answer code ${code}`);
      return { answer, body };
    } catch (error) {
      this.kill();
      throw error;
    }
  }

  /** Also ends processes that it may have started. */
  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined || !this.isAlive) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It ended a moment ago.
    }
  }

  async ended(): Promise<void> {
    if (!this.isAlive) return;
    this.#child.ref();
    await once(this.#child, 'exit');
  }

  async #answerWithin(milliseconds: number, what: string): Promise<Frame> {
    if (this.#end) throw this.#end;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Frame>((resolve, reject) => {
        this.#onFrame = resolve;
        this.#failed = reject;
        timer = setTimeout(() => reject(new CheckerTimedOut(`no answer in time: ${what}`)), milliseconds);
      });
    } finally {
      clearTimeout(timer);
      this.#onFrame = undefined;
      this.#failed = undefined;
    }
  }

  /** Unexpected output means that the checker cannot be trusted any more. */
  #receive(piece: Buffer): void {
    try {
      const frame = this.#reader.add(piece);
      if (!this.#onFrame || (frame && this.#reader.hasRest)) {
        throw new Error('unexpected output');
      }
      if (frame) this.#onFrame(frame);
    } catch (error) {
      this.#failed?.(new CheckerDied('invalid frame from the checker', { cause: error }));
      this.kill();
    }
  }

  #finish(error: Error): void {
    this.#end ??= error;
    this.#failed?.(error);
    this.onEnd();
  }
}

/**
 * A shell sets the limits and then becomes the checker; stricter limits that exist already stay. If the machine still runs
 * out of memory, Linux ends the checker first.
 */
const limitAndRun = `
{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null
for limit in "$1" "$2" "$3" "$4"; do (ulimit $limit) 2> /dev/null && ulimit $limit; done
shift 4
exec "$@"`;

function launch({ memoryBytes }: ProcessLimits): ChildProcess {
  // The compiled program is beside this file as JavaScript; in tests it is TypeScript, which needs its loader.
  const isCompiled = import.meta.url.endsWith('.js');
  const program = new URL(`./checker/program.${isCompiled ? 'js' : 'ts'}`, import.meta.url);
  const loader = isCompiled ? [] : ['--import', createRequire(import.meta.url).resolve('tsx')];
  const heapMegabytes = Math.floor(memoryBytes / 2 ** 20 / 2);
  mappedForCode ??= bytesMappedForCode();
  const dataKilobytes = Math.floor((memoryBytes + mappedForCode) / 1024);
  const limits = ['-c 0', '-f 0', `-t ${cpuSeconds}`, `-d ${dataKilobytes}`];
  const command = [process.execPath, `--max-old-space-size=${heapMegabytes}`, ...loader, fileURLToPath(program)];
  return spawn('/bin/sh', ['-c', limitAndRun, 'sh', ...limits, ...command], {
    cwd: '/',
    // Nothing of the service's environment: no keys, no addresses.
    env: {},
    // Its own process group: Ctrl-C must not end the checker while the service finishes its requests.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
}

let mappedForCode: number | undefined;

/**
 * The address space that Node has mapped for compiled code, in this process as in a checker. Since version 24 it is mapped as
 * writable, half a gigabyte at once, so that it counts towards the limit of data although most of it is never used.
 */
function bytesMappedForCode(): number {
  try {
    const mappings = readFileSync('/proc/self/maps', 'utf8').matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp/gm);
    return [...mappings].reduce((sum, [, from, to]) => sum + Number(`0x${to}`) - Number(`0x${from}`), 0);
  } catch {
    // Only Linux has this file, and only Linux counts such memory.
    return 0;
  }
}

/** An idle checker must not keep the process alive. */
function unref(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) (stream as Socket | null)?.unref();
}
