/** Receives an upload, checks it in a separate process, and returns a clean document or a fault. */
import type { Log } from '../../log.js';
import { CheckerPool, type PoolLimits } from './checker-pool.js';
import type { InspectUpload } from './inspect.js';
import { Intake, type IntakeLimits } from './intake.js';

export type InspectionLimits = IntakeLimits & PoolLimits;

export const inspectionLimits: InspectionLimits = {
  receiveMs: 120_000,
  usedBytes: 64 * 1024 * 1024,
  uploadsOfForm: 2,
  uploadsWaiting: 4,
  yieldAfterMs: 5_000,
  checkers: 2,
  waiting: 16,
  waitMs: 20_000,
  startMs: 20_000,
  checkMs: 10_000,
  memoryBytes: 768 * 1024 * 1024,
  filesPerChecker: 20,
  idleMs: 60_000,
};

export class UploadInspector {
  readonly #intake: Intake;
  readonly #pool: CheckerPool;

  constructor(log: Log, limits: InspectionLimits = inspectionLimits) {
    this.#intake = new Intake(limits);
    this.#pool = new CheckerPool(limits, log);
  }

  readonly inspectUpload: InspectUpload = (source, form) =>
    this.#intake.receive(source, form, (file) => this.#pool.check(file, form));

  /** The memory of current uploads in this process. */
  get usedBytes(): number {
    return this.#intake.usedBytes;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
