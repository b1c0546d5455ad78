/** A few checkers, started with the first file. When all are busy, a file waits its turn. */
import type { Log } from '../log.js';
import { Semaphore } from '../worker/semaphore.js';
import { type CheckerAnswer, CheckerProcess, CheckerTimedOut, type ProcessLimits } from './checker-process.js';
import { fileKindOf } from './file-kind.js';
import type { CleanDocument, Inspection, UploadFault } from './inspect.js';
import type { ReceivedFile } from './intake.js';

export interface PoolLimits extends ProcessLimits {
  readonly checkers: number;
  /** A checker is replaced after so many files. */
  readonly filesPerChecker: number;
  /** An idle checker is ended after so long. */
  readonly idleMs: number;
}

interface IdleChecker {
  readonly checker: CheckerProcess;
  readonly files: number;
  readonly retire: NodeJS.Timeout;
}

export class CheckerPool {
  readonly #all = new Set<CheckerProcess>();
  readonly #idle: IdleChecker[] = [];
  readonly #turns: Semaphore;
  #isClosed = false;

  constructor(
    readonly limits: PoolLimits,
    readonly log: Log,
  ) {
    this.#turns = new Semaphore(limits.checkers);
  }

  async check(file: ReceivedFile): Promise<Inspection> {
    const endTurn = await this.#turns.acquire();
    try {
      return this.#isClosed ? refused('checker_unavailable') : await this.#checkNow(file);
    } finally {
      endTurn();
    }
  }

  /** Ends all checkers and refuses the files in them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { retire } of this.#idle.splice(0)) clearTimeout(retire);
    const all = [...this.#all];
    for (const checker of all) checker.kill();
    await Promise.all(all.map((checker) => checker.ended()));
  }

  async #checkNow(file: ReceivedFile): Promise<Inspection> {
    const found = await this.#takeChecker();
    if (!found) return refused('checker_unavailable');
    try {
      const inspection = inspectionOf(await found.checker.check(file));
      // A file broke its decoder, perhaps on purpose, so this checker gets no other file.
      if (!inspection.ok && inspection.fault === 'unreadable') found.checker.kill();
      else this.#putBack(found.checker, found.files + 1);
      return inspection;
    } catch (error) {
      return refused(this.#faultOf(error, file));
    }
  }

  async #takeChecker(): Promise<{ checker: CheckerProcess; files: number } | undefined> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.retire);
      if (idle.checker.isAlive) return idle;
    }
    try {
      const checker: CheckerProcess = new CheckerProcess(this.limits, () => this.#all.delete(checker));
      this.#all.add(checker);
      await checker.getReady();
      return { checker, files: 0 };
    } catch (error) {
      if (!this.#isClosed) this.log.error({ err: error }, 'uploads cannot be checked');
      return undefined;
    }
  }

  #putBack(checker: CheckerProcess, files: number): void {
    if (this.#isClosed || files >= this.limits.filesPerChecker) {
      checker.kill();
      return;
    }
    const retire = setTimeout(() => {
      const index = this.#idle.findIndex((idle) => idle.checker === checker);
      if (index >= 0) this.#idle.splice(index, 1);
      checker.kill();
    }, this.limits.idleMs).unref();
    this.#idle.push({ checker, files, retire });
  }

  /** However a checker ended, its file is refused. */
  #faultOf(error: unknown, { kind, bytes }: ReceivedFile): UploadFault {
    if (this.#isClosed) return 'checker_unavailable';
    this.log.warn({ err: error, kind, bytes: bytes.length }, 'the checker of uploads crashed on a file');
    return error instanceof CheckerTimedOut ? 'timeout' : 'unreadable';
  }
}

function refused(fault: UploadFault): Inspection {
  return { ok: false, fault };
}

function inspectionOf({ answer, body }: CheckerAnswer): Inspection {
  if (!isMediaType(answer)) return refused(answer);
  // A hostile file may have taken the checker over, so its result is checked again.
  const kind = fileKindOf(body);
  const isWhatItSays = kind !== undefined && answer.endsWith(`/${kind}`);
  return isWhatItSays ? { ok: true, document: { mediaType: answer, bytes: body } } : refused('unreadable');
}

function isMediaType(answer: CheckerAnswer['answer']): answer is CleanDocument['mediaType'] {
  return answer.includes('/');
}
