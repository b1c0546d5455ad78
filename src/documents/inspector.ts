/** Receives an upload, checks it in a separate process, and returns a clean document or a fault. */
import type { Log } from '../log.js';
import { CheckerPool, type PoolLimits } from './checker-pool.js';
import type { InspectUpload } from './inspect.js';
import { Intake, type IntakeLimits } from './intake.js';

export type InspectionLimits = IntakeLimits & PoolLimits;

export const inspectionLimits: InspectionLimits = {
  // Each takes at most 10 MiB.
  uploads: 16,
  uploadsWaiting: 5,
  checkers: 2,
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
    this.#intake.receive(source, form, (file) => this.#pool.check(file));

  close(): Promise<void> {
    return this.#pool.close();
  }
}
