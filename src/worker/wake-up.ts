/**
 * Sends wake-ups to the workers of other processes. NOTIFY is sent after the commit, because inside a transaction it
 * makes all commits of the server wait for each other. The first wake-up is sent at once; those that follow within a
 * few milliseconds are sent together.
 */
import { randomBytes } from 'node:crypto';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import { statement } from '../postgres/statement.js';
import { Listener } from './listener.js';

const channel = 'remesa_wake';
const notifyOthers = statement('wake-up.notify-others', `SELECT pg_notify('remesa_wake', $payload)`);
const gatherMs = 5;

/** Wakes jobs of all running services. For a command, which has no worker. */
export async function wakeOthers(database: Database, jobs: Iterable<string>): Promise<void> {
  await database.query(notifyOthers, { payload: ['guest', ...jobs].join(' ') });
}

export interface WakeUpOptions {
  readonly database: Database;
  readonly log: Log;
  readonly wake: (job: string) => void;
  /** How often the listener is tested; 10 s by default. */
  readonly probeEveryMs?: number;
}

export class WakeUp {
  readonly #options: WakeUpOptions;
  readonly #node = randomBytes(6).toString('hex');
  readonly #pending = new Set<string>();
  readonly #listener: Listener;
  #jobs: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WakeUpOptions) {
    this.#options = options;
    const { database, log, probeEveryMs } = options;
    this.#listener = new Listener({
      address: database.directAddress,
      channel,
      log,
      ...(probeEveryMs === undefined ? {} : { probeEveryMs }),
      onListening: () => this.#wakeAll(),
      onPayload: (payload) => this.#receive(payload),
      // Sent through the pool, so that the test covers the whole way of a wake-up.
      probe: () => database.query(notifyOthers, { payload: this.#node }),
    });
  }

  send(jobs: Iterable<string>): void {
    for (const job of jobs) {
      this.#options.wake(job);
      this.#pending.add(job);
    }
    if (!this.#timer) this.#notify();
  }

  /**
   * Listens until `close`. Wakes all jobs after each connect, because wake-ups may have been missed in the meantime.
   * Resolves when it listens, or when the first attempt failed.
   */
  listen(jobs: readonly string[]): Promise<void> {
    this.#jobs = jobs;
    return this.#listener.start();
  }

  /** The time since this process last received a message of its own. Above 30 s its listener is deaf. */
  silenceSeconds(): number {
    return this.#listener.silenceSeconds();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#listener.close();
  }

  #wakeAll(): void {
    for (const job of this.#jobs) this.#options.wake(job);
  }

  #receive(payload: string): void {
    const [node, ...jobs] = payload.split(' ');
    if (node === this.#node) this.#listener.probeArrived();
    else for (const job of jobs) this.#options.wake(job);
  }

  #notify(): void {
    if (this.#closed) return;
    const payload = [this.#node, ...this.#pending].join(' ');
    this.#pending.clear();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#pending.size > 0) this.#notify();
    }, gatherMs);
    // A wake-up that cannot be sent does no harm: the jobs of the other processes also run by their timers.
    this.#options.database.query(notifyOthers, { payload }).catch(() => {});
  }
}
