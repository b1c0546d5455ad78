/**
 * Runs the jobs of the rooms. The tables are the queues: a job claims due rows in batches and says how many it did;
 * it is asked again until there are none, then rests until it is woken or its timer comes.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.js';
import { Bed } from './bed.js';

export interface Job {
  readonly name: string;
  /** The safety net, for a wake-up that got lost. */
  readonly everySeconds: number;
  /** Claims and does one batch; answers how many rows it did. */
  run(signal: AbortSignal): Promise<number>;
  /** For the metrics: how long the oldest waiting row has been due. */
  oldestDueSeconds?(): Promise<number>;
}

const shortestBackOffMs = 500;
const longestBackOffMs = 30_000;

export class Worker {
  readonly #stop = new AbortController();
  readonly #beds = new Map<string, Bed>();
  #loops: Promise<void>[] = [];

  constructor(
    readonly jobs: readonly Job[],
    readonly log: Log,
  ) {
    for (const job of jobs) this.#beds.set(job.name, new Bed());
  }

  start(): void {
    this.#loops = this.jobs.map((job) => this.#loop(job, this.#beds.get(job.name) as Bed));
  }

  wake(name: string): void {
    this.#beds.get(name)?.wake();
  }

  /** Seconds by job; a queue whose age can't be read now is left out. */
  async queueAges(): Promise<ReadonlyMap<string, number>> {
    const ages = new Map<string, number>();
    for (const job of this.jobs) {
      const age = await job.oldestDueSeconds?.().catch(() => undefined);
      if (age !== undefined) ages.set(job.name, age);
    }
    return ages;
  }

  /** Lets the batches under way finish, and starts no new one. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (const bed of this.#beds.values()) bed.wake();
    await Promise.all(this.#loops);
  }

  async #loop(job: Job, bed: Bed): Promise<void> {
    let failures = 0;
    while (!this.#stop.signal.aborted) {
      try {
        const done = await job.run(this.#stop.signal);
        failures = 0;
        if (done === 0) await bed.rest(job.everySeconds * 1000);
      } catch (error) {
        failures += 1;
        this.log.warn({ job: job.name, failures, err: error }, 'job failed');
        await this.#backOff(bed, Math.min(longestBackOffMs, 250 * 2 ** failures));
      }
    }
  }

  /** A wake-up may shorten the rest of it, for the database may be back; a stream of them must not make it nothing. */
  async #backOff(bed: Bed, milliseconds: number): Promise<void> {
    const { signal } = this.#stop;
    await pause(Math.min(milliseconds, shortestBackOffMs), undefined, { signal }).catch(() => {});
    const rest = milliseconds - shortestBackOffMs;
    if (rest > 0 && !signal.aborted) await bed.rest(rest);
  }
}
