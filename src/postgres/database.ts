/**
 * The only way to PostgreSQL at run time: single reads through pipelined connections, everything that writes in a
 * transaction on a pooled one. A lost connection is an answer here, never a crash, and its client is never reused.
 */
import pg from 'pg';
import { connectionConfig, limits } from './connection.js';
import { CommitOutcomeUnknown, databaseUnavailable, isConnectionLost, isDatabaseAway } from './failure.js';
import { PipelinedReader } from './pipelined-reader.js';
import type { Queryable, Statement, Transaction } from './statement.js';

export interface PoolUse {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export class Database implements Queryable {
  readonly #pool: pg.Pool;
  readonly #reader: PipelinedReader;
  /** For long listings: on a connection of its own, so that no short read waits behind a page of them. */
  readonly bulk: Queryable & { close(): Promise<void> };
  /** Hears after each commit which jobs the transaction wanted woken. */
  onWake: (jobs: ReadonlySet<string>) => void = () => {};

  constructor(
    readonly connectionString: string,
    options: { poolSize: number },
  ) {
    this.#pool = new pg.Pool({
      ...connectionConfig(connectionString, 'remesa'),
      max: options.poolSize,
      connectionTimeoutMillis: limits.connectTimeoutMs,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: false,
    });
    // An idle client that loses its connection leaves the pool by itself; the event only must not be unheard.
    this.#pool.on('error', () => {});
    // Between the pool's handler and the session's there is a moment without either: an error that arrives in the same
    // packet as the greeting falls into it, and unheard it would end the process.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
    this.#reader = new PipelinedReader(connectionString);
    this.bulk = new PipelinedReader(connectionString);
  }

  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]> {
    return this.#reader.query(statement, values);
  }

  /** Runs the work between BEGIN and COMMIT. Throws `CommitOutcomeUnknown` when COMMIT got no answer. */
  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect().catch((error) => {
      throw databaseUnavailable(error);
    });
    const session = new Session(client);
    try {
      await session.run('BEGIN');
      const result = await work(session as unknown as Transaction);
      await session.commit();
      if (session.wakes.size > 0) this.onWake(session.wakes);
      return result;
    } catch (error) {
      await session.rollback(error);
      throw isDatabaseAway(error) ? databaseUnavailable(error) : error;
    } finally {
      session.release();
    }
  }

  /** A single statement that commits by itself. Only for what may be lost without harm when the answer does not come. */
  async write<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    const client = await this.#pool.connect().catch((error) => {
      throw databaseUnavailable(error);
    });
    const session = new Session(client);
    try {
      return await session.query(statement, values);
    } catch (error) {
      throw isDatabaseAway(error) ? databaseUnavailable(error) : error;
    } finally {
      session.release();
    }
  }

  /** Maintenance that PostgreSQL does not allow in a transaction, on a connection without the usual limits of time. */
  async runAlone(statement: Statement<unknown>): Promise<void> {
    const client = new pg.Client({
      connectionString: this.connectionString,
      application_name: 'remesa upkeep',
    });
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query(statement.text);
    } finally {
      await client.end();
    }
  }

  poolUse(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#reader.close(), this.bulk.close()]);
  }
}

/** One checked-out client. It remembers whether it may go back into the pool. */
class Session implements Queryable {
  readonly wakes = new Set<string>();
  #broken: Error | undefined;
  readonly #onError = (error: Error) => {
    this.#broken = error;
  };

  constructor(readonly client: pg.PoolClient) {
    // The pool takes its handler off a client that it hands out, so a session must hear of the loss by itself.
    client.on('error', this.#onError);
  }

  async query<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
    const result = await this.#guarded(() =>
      this.client.query({ name: statement.name, text: statement.text, values: [...values] }),
    );
    return result.rows as Row[];
  }

  wake(job: string): void {
    this.wakes.add(job);
  }

  run(text: string): Promise<pg.QueryResult> {
    return this.#guarded(() => this.client.query(text));
  }

  async commit(): Promise<void> {
    const result = await this.run('COMMIT').catch((error) => {
      throw isConnectionLost(error)
        ? new CommitOutcomeUnknown('no answer to COMMIT', { cause: error })
        : error;
    });
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, not with an error.
    if (result.command !== 'COMMIT') throw new Error('the transaction was rolled back instead of committed');
  }

  async rollback(because: unknown): Promise<void> {
    if (because instanceof CommitOutcomeUnknown || isConnectionLost(because))
      this.#broken ??= because as Error;
    if (!this.#broken) await this.run('ROLLBACK').catch((error) => this.#onError(error));
  }

  release(): void {
    this.client.off('error', this.#onError);
    this.client.release(this.#broken);
  }

  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (isConnectionLost(error)) this.#broken ??= error as Error;
      throw error;
    }
  }
}
