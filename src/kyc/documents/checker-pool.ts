/**
 * A few checkers, started with the first file. When all are busy, a limited number of files waits for a limited time. Only
 * one file of a form is checked at a time, so that one form never occupies all checkers.
 */
import type { Log } from '../../log.js';
import {
  type CheckerAnswer,
  CheckerProcess,
  CheckerTimedOut,
  type ProcessLimits,
} from './checker-process.js';
import type { CleanDocument } from './document-vault.js';
import { fileKindOf } from './file-kind.js';
import type { Inspection, UploadFault } from './inspect.js';
import type { ReceivedFile } from './intake.js';

export interface PoolLimits extends ProcessLimits {
  readonly checkers: number;
  /** How many files may wait for one of them, and how long. */
  readonly waiting: number;
  readonly waitMs: number;
  /** A checker is replaced after so many files. */
  readonly filesPerChecker: number;
  /** An idle checker is ended after so long. */
  readonly idleMs: number;
}

interface Waiting {
  readonly form: string;
  /** Called with a checker, or without one when the wait was too long. */
  readonly turn: (isMyTurn: boolean) => void;
}

interface IdleChecker {
  readonly checker: CheckerProcess;
  readonly files: number;
  readonly retire: NodeJS.Timeout;
}

export class CheckerPool {
  readonly #all = new Set<CheckerProcess>();
  readonly #idle: IdleChecker[] = [];
  readonly #queue: Waiting[] = [];
  /** The forms that have a file in a checker. */
  readonly #atWork = new Set<string>();
  #isClosed = false;

  constructor(
    readonly limits: PoolLimits,
    readonly log: Log,
  ) {}

  async check(file: ReceivedFile, form: string): Promise<Inspection> {
    if (!(await this.#myTurn(form))) return refused('checker_unavailable');
    try {
      return await this.#checkNow(file);
    } finally {
      this.#atWork.delete(form);
      this.#callNext();
    }
  }

  /** Ends all checkers and refuses the files in them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { turn } of this.#queue.splice(0)) turn(false);
    for (const { retire } of this.#idle.splice(0)) clearTimeout(retire);
    const all = [...this.#all];
    for (const checker of all) checker.kill();
    await Promise.all(all.map((checker) => checker.ended()));
  }

  async #myTurn(form: string): Promise<boolean> {
    if (this.#isClosed) return false;
    if (!this.#mayStart(form)) {
      return this.#queue.length < this.limits.waiting && (await this.#wait(form));
    }
    this.#atWork.add(form);
    return true;
  }

  #mayStart(form: string): boolean {
    return this.#atWork.size < this.limits.checkers && !this.#atWork.has(form);
  }

  /** The longest waiting file whose form has no other file in a checker. */
  #callNext(): void {
    const index = this.#queue.findIndex(({ form }) => this.#mayStart(form));
    if (index >= 0) this.#queue.splice(index, 1)[0]?.turn(true);
  }

  #wait(form: string): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        form,
        turn: (isMyTurn) => {
          clearTimeout(timer);
          if (isMyTurn) this.#atWork.add(form);
          resolve(isMyTurn);
        },
      };
      const timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        waiting.turn(false);
      }, this.limits.waitMs);
      this.#queue.push(waiting);
    });
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
  #faultOf(error: unknown, { kind, length }: ReceivedFile): UploadFault {
    if (this.#isClosed) return 'checker_unavailable';
    this.log.warn({ err: error, kind, bytes: length }, 'the checker of uploads crashed on a file');
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
