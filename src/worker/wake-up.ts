/**
 * Sends wake-ups to the workers of other processes. NOTIFY is sent after the commit, because inside a transaction it
 * makes all commits of the server wait for each other. The first wake-up is sent at once; those that follow within a
 * few milliseconds are sent together.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Log } from '../log.js';
import { connectionConfig } from '../postgres/connection.js';
import type { Database } from '../postgres/database.js';
import { statement } from '../postgres/statement.js';

const channel = 'remesa_wake';
const notifyOthers = statement('wake-up.notify-others', `SELECT pg_notify('remesa_wake', $1)`);
const gatherMs = 5;
const reconnectMs = 1_000;

/** Wakes jobs of all running services. For a command, which has no worker. */
export async function wakeOthers(database: Database, jobs: Iterable<string>): Promise<void> {
  await database.query(notifyOthers, [['guest', ...jobs].join(' ')]);
}

export class WakeUp {
  readonly #node = randomBytes(6).toString('hex');
  readonly #pending = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #client: pg.Client | undefined;
  #closed = false;

  constructor(
    readonly database: Database,
    readonly log: Log,
    /** Wakes a job of this process. */
    readonly wake: (job: string) => void,
  ) {}

  send(jobs: Iterable<string>): void {
    for (const job of jobs) {
      this.wake(job);
      this.#pending.add(job);
    }
    if (!this.#timer) this.#notify();
  }

  /** Listens until `close`. Wakes all jobs after each connect, because wake-ups may have been missed in the meantime. */
  listen(jobs: readonly string[]): void {
    if (this.#closed) return;
    const client = new pg.Client(connectionConfig(this.database.connectionString, 'remesa wake-ups'));
    this.#client = client;
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    // The event `end` follows every error.
    client.on('error', () => {});
    client.on('end', () => this.#listenLater(jobs));
    client
      .connect()
      .then(() => client.query(`LISTEN ${channel}`))
      .then(() => {
        for (const job of jobs) this.wake(job);
      })
      .catch((error) => {
        this.log.warn({ err: error }, 'LISTEN connection lost; jobs run by their timers');
        client.end().catch(() => {});
        this.#listenLater(jobs);
      });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#reconnect);
    await this.#client?.end().catch(() => {});
  }

  #receive(payload: string): void {
    const [node, ...jobs] = payload.split(' ');
    if (node !== this.#node) for (const job of jobs) this.wake(job);
  }

  #listenLater(jobs: readonly string[]): void {
    if (this.#closed || this.#reconnect) return;
    this.#reconnect = setTimeout(() => {
      this.#reconnect = undefined;
      this.listen(jobs);
    }, reconnectMs);
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
    this.database.query(notifyOthers, [payload]).catch(() => {});
  }
}
