/**
 * Runs the jobs of the rooms. The tables are the queues: a job claims due rows in batches and returns how many it
 * handled. It runs again until nothing is due, then is idle until it is woken or its timer ends.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.js';
import { isDatabaseUnavailable } from '../postgres/failure.js';
import { traced } from '../tracing/tracing.js';
import { IdleTimer } from './idle-timer.js';

export interface Job {
  readonly name: string;
  /** The longest pause between two runs, in case a wake-up was lost. */
  readonly everySeconds: number;
  /** Claims and processes one batch, and returns how many rows it handled. */
  run(signal: AbortSignal): Promise<number>;
  /** For the metrics: how long the oldest waiting row has been due. */
  oldestDueSeconds?(): Promise<number>;
}

/** A job whose first run takes longer than this does not delay the start of the next job. */
const longestFirstRunMs = 50;
const shortestBackOffMs = 500;
const longestBackOffMs = 30_000;
/** Shorter while the database is away: nothing is wrong with the job, and all its work waits for the database. */
const longestBackOffWithoutDatabaseMs = 5_000;
/** A job may wait for this many things at once, such as one request per rate source, before Node reports a leak. */
const listenersPerJob = 100;

/** Each job has its own signal, so that Node's leak warning counts the listeners of one job. */
interface Loop {
  readonly job: Job;
  readonly idle: IdleTimer;
  readonly stop: AbortController;
}

export class Worker {
  readonly #loops: ReadonlyMap<string, Loop>;
  readonly #failures = new Map<string, number>();
  #running: Promise<void> | undefined;

  constructor(
    readonly jobs: readonly Job[],
    readonly log: Log,
  ) {
    this.#loops = new Map(jobs.map((job) => [job.name, newLoop(job)]));
  }

  start(): void {
    this.#running = this.#runAll();
  }

  /** Does nothing before the start: every job runs then. */
  wake(name: string): void {
    if (this.#running) this.#loops.get(name)?.idle.wake();
  }

  /** The age of the oldest due row in seconds, by job. Omits queues whose age cannot be read now. */
  async queueAges(): Promise<ReadonlyMap<string, number>> {
    const ages = new Map<string, number>();
    for (const job of this.jobs) {
      const age = await job.oldestDueSeconds?.().catch(() => undefined);
      if (age !== undefined) ages.set(job.name, age);
    }
    return ages;
  }

  /** How often each job has failed in this process. */
  get failures(): ReadonlyMap<string, number> {
    return this.#failures;
  }

  /** Lets the running batches finish, and starts no new ones. */
  async stop(): Promise<void> {
    for (const { idle, stop } of this.#loops.values()) {
      stop.abort();
      idle.wake();
    }
    await this.#running;
  }

  /**
   * Starts each job after the first run of the one before. All at once, each would take a connection, and most find no
   * work.
   */
  async #runAll(): Promise<void> {
    const running: Promise<void>[] = [];
    for (const loop of this.#loops.values()) {
      if (loop.stop.signal.aborted) break;
      const firstRun = new Promise<void>((resolve) => running.push(this.#run(loop, resolve)));
      await Promise.race([firstRun, pause(longestFirstRunMs, undefined, { ref: false })]);
    }
    await Promise.all(running);
  }

  async #run({ job, idle, stop: { signal } }: Loop, onRun: () => void): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const done = await traced(
          () => ({ name: job.name }),
          () => job.run(signal),
        ).finally(onRun);
        failures = 0;
        if (done === 0) await idle.wait(job.everySeconds * 1000);
      } catch (error) {
        failures += 1;
        this.#failures.set(job.name, (this.#failures.get(job.name) ?? 0) + 1);
        this.log.warn({ job: job.name, failures, err: error }, 'job failed');
        await backOff(idle, signal, backOffMs(error, failures));
      }
    }
  }
}

function newLoop(job: Job): Loop {
  const stop = new AbortController();
  setMaxListeners(listenersPerJob, stop.signal);
  return { job, idle: new IdleTimer(), stop };
}

/** The pause before a failed job runs again. */
export function backOffMs(error: unknown, failures: number): number {
  const longestMs = isDatabaseUnavailable(error) ? longestBackOffWithoutDatabaseMs : longestBackOffMs;
  return Math.min(longestMs, 250 * 2 ** failures);
}

/** A wake-up shortens the wait, because the database may be back, but never below `shortestBackOffMs`. */
async function backOff(idle: IdleTimer, signal: AbortSignal, milliseconds: number): Promise<void> {
  await pause(Math.min(milliseconds, shortestBackOffMs), undefined, { signal }).catch(() => {});
  const remainingMs = milliseconds - shortestBackOffMs;
  if (remainingMs > 0 && !signal.aborted) await idle.wait(remainingMs);
}
