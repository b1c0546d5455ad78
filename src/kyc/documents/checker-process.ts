/** One checker: a process with nothing of ours but the file that it is handed, and with limits that the kernel keeps. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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
  /** For one file, by the clock on the wall. */
  readonly checkMs: number;
  /** Memory of its own that the process may have; more, and it breaks. */
  readonly memoryBytes: number;
}

export interface CheckerAnswer {
  readonly answer: Exclude<Answer, 'ready'>;
  readonly body: Buffer;
}

/** The file broke its checker, or the checker was ended from outside. */
class CheckerDied extends Error {
  override readonly name = 'CheckerDied';
}

export class CheckerTimedOut extends Error {
  override readonly name = 'CheckerTimedOut';
}

/** A little more than an upload, for a PDF that is written less tightly than it came. */
const longestAnswerBytes = largestUploadBytes + 1024 * 1024;
/** A checker that is stuck and whose parent has gone ends after so much work; within its normal life it does far less. */
const cpuSeconds = 900;
/** Of what the process says before it is ready, when there is no file yet that it could quote. */
const rememberedComplaint = 2000;

export class CheckerProcess {
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #reader = new FrameReader(longestAnswerBytes);
  #heard: ((frame: Frame) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;
  #end: Error | undefined;

  constructor(
    readonly limits: ProcessLimits,
    readonly onEnd: () => void,
  ) {
    this.#child = launch(limits);
    this.#input = this.#child.stdin as Writable;
    // A checker that has ended is heard of by its exit; the broken pipe must only not be unheard.
    this.#input.on('error', () => {});
    this.#child.on('error', (error) => this.#finish(error));
    this.#child.on('exit', (code, signal) =>
      this.#finish(new CheckerDied(`ended by ${signal ?? `code ${code}`}`)),
    );
    const output = this.#child.stdio[3] as Readable;
    output.on('data', (piece: Buffer) => this.#hear(piece)).on('error', () => {});
    keepNobodyAwake(this.#child);
  }

  /** Once, before the first file. When it fails, the error has what the process complained of. */
  async getReady(): Promise<void> {
    const errors = this.#child.stderr as Readable;
    let complaint = '';
    const remember = (piece: Buffer) => {
      complaint = (complaint + piece.toString()).slice(-rememberedComplaint);
    };
    errors.on('data', remember);
    try {
      await this.#answerWithin(this.limits.startMs, 'ready');
    } catch (error) {
      this.kill();
      throw new Error(`no checker could be started: ${complaint}`, { cause: error });
    }
    errors.off('data', remember).resume();
  }

  get isAlive(): boolean {
    return this.#end === undefined;
  }

  /** Throws when there is no answer, or none that can be believed; the process is gone then. */
  async check(file: ReceivedFile): Promise<CheckerAnswer> {
    try {
      const answered = this.#answerWithin(this.limits.checkMs, 'a document or a fault');
      this.#input.write(frameHead(fileKinds.indexOf(file.kind), file.length));
      for (const block of file.blocks) this.#input.write(block);
      const { code, body } = await answered;
      const answer = answers[code];
      if (answer === undefined || answer === 'ready')
        throw new CheckerDied('it says what no checker says here');
      return { answer, body };
    } catch (error) {
      this.kill();
      throw error;
    }
  }

  /** With all that it may have started itself. */
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
        this.#heard = resolve;
        this.#failed = reject;
        timer = setTimeout(() => reject(new CheckerTimedOut(`it did not say ${what} in time`)), milliseconds);
      });
    } finally {
      clearTimeout(timer);
      this.#heard = undefined;
      this.#failed = undefined;
    }
  }

  /** What nobody waits for, or comes after an answer, is no answer: such a checker is not believed in anything. */
  #hear(piece: Buffer): void {
    try {
      const frame = this.#reader.add(piece);
      if (!this.#heard || (frame && this.#reader.hasRest)) {
        throw new Error('it says more than it was asked');
      }
      if (frame) this.#heard(frame);
    } catch (error) {
      this.#failed?.(new CheckerDied('what it says is not believed', { cause: error }));
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
 * A shell sets the limits, which stay with the process that takes its place; one that is stricter already stays. Should
 * the machine run out of memory all the same, Linux ends the checker before anything else.
 */
const limitAndRun = `
{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null
for limit in "$1" "$2" "$3" "$4"; do (ulimit $limit) 2> /dev/null && ulimit $limit; done
shift 4
exec "$@"`;

function launch({ memoryBytes }: ProcessLimits): ChildProcess {
  // Compiled, the program lies beside this file as JavaScript; in tests, as TypeScript, which needs its loader.
  const isCompiled = import.meta.url.endsWith('.js');
  const program = new URL(`./checker/program.${isCompiled ? 'js' : 'ts'}`, import.meta.url);
  const loader = isCompiled ? [] : ['--import', createRequire(import.meta.url).resolve('tsx')];
  const heapMegabytes = Math.floor(memoryBytes / 2 ** 20 / 2);
  const limits = ['-c 0', '-f 0', `-t ${cpuSeconds}`, `-d ${Math.floor(memoryBytes / 1024)}`];
  const command = [
    process.execPath,
    `--max-old-space-size=${heapMegabytes}`,
    ...loader,
    fileURLToPath(program),
  ];
  return spawn('/bin/sh', ['-c', limitAndRun, 'sh', ...limits, ...command], {
    cwd: '/',
    // Neither keys nor addresses: nothing of the service's environment.
    env: {},
    // A group of its own: Ctrl-C in a terminal ends the service, which lets its requests finish, and not the checker.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
}

/** A checker that waits for files must not keep a process alive that has nothing else to do. */
function keepNobodyAwake(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) (stream as Socket | null)?.unref();
}
