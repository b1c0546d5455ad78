/**
 * The only access to PostgreSQL at run time. Single reads use a pipelined connection; writes run in a transaction on a
 * pooled connection. A lost connection is reported as `database_unavailable`, and its client is never reused.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import type { TenantId } from '../ids.js';
import type { Sealer } from '../keys/sealer.js';
import { traced } from '../tracing/tracing.js';
import { connectionConfig, limits, type Pooler, queryConfig, type ServerAddress } from './connection.js';
import {
  CommitOutcomeUnknown,
  databaseUnavailable,
  isConnectionLost,
  isDatabaseAway,
  isTransactionAborted,
} from './failure.js';
import { PipelinedReader } from './pipelined-reader.js';
import { beginOnPrimary, requirePrimary } from './primary.js';
import type { Queryable, SealedQueryable, Statement, Transaction, ValuesOf } from './statement.js';

export interface PoolUse {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface DatabaseOptions {
  readonly poolSize: number;
  readonly pooler?: Pooler;
  /** Leads to the server itself. Undefined: the same address serves for everything. */
  readonly directUrl?: string | undefined;
}

export class Database implements SealedQueryable {
  /** For LISTEN and maintenance, which need one server connection for longer than a transaction. */
  readonly directAddress: ServerAddress;
  readonly #pooler: Pooler;
  readonly #pool: pg.Pool;
  readonly #reader: PipelinedReader;
  /** For long listings. They have their own connection, so that no short read waits behind them. */
  readonly bulk: Queryable & { close(): Promise<void> };
  /** Called after each commit with the jobs that the transaction wakes. */
  onWake: (jobs: ReadonlySet<string>) => void = () => {};
  /** Called after a transaction, also one that failed, with the first fault that it has found in rows of a merchant. */
  onFault: (merchantId: TenantId, fault: string) => void = () => {};
  /** Set once the keys of the instance are known. */
  seal: Sealer = () => {
    throw new Error('a row cannot be sealed before the keys of the instance are known');
  };

  constructor(
    readonly connectionString: string,
    { poolSize, pooler = 'none', directUrl }: DatabaseOptions,
  ) {
    const address: ServerAddress = { connectionString, pooler };
    this.directAddress = directUrl ? { connectionString: directUrl, pooler: 'none' } : address;
    this.#pooler = pooler;
    this.#pool = new pg.Pool({
      ...connectionConfig(address, 'remesa'),
      max: poolSize,
      // A verb may send statements that do not need one another's answers together, in one round trip.
      pipeline: true,
      connectionTimeoutMillis: limits.connectTimeoutMs,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: false,
      // Not `verify`: when the wait for a client times out meanwhile, that would lend the client to nobody, for ever.
      onConnect: requirePrimary,
    });
    // An idle client that loses its connection leaves the pool by itself. Without a listener the process would end.
    this.#pool.on('error', () => {});
    // The pool removes its listener before the session adds one. An error that arrives in between, in the same packet
    // as the server's greeting, would end the process.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
    this.#reader = new PipelinedReader(address);
    this.bulk = new PipelinedReader(address);
  }

  query<Row, Name extends string>(statement: Statement<Row, Name>, ...values: ValuesOf<Name>): Promise<Row[]> {
    return traced(spanOf(statement.name), () => this.#reader.query(statement, ...values));
  }

  /**
   * Runs the work between BEGIN and COMMIT. Throws `database_unavailable` when the server cannot be reached, and
   * `CommitOutcomeUnknown` when COMMIT got no answer.
   */
  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#withSession(async (session) => {
      const result = await work(session as unknown as Transaction);
      await session.commit();
      if (session.wakes.size > 0) this.onWake(session.wakes);
      return result;
    });
  }

  /**
   * Runs a single statement that commits by itself. Use it only where a lost write does no harm. Throws
   * `database_unavailable` when the server cannot be reached.
   */
  async write<Row, Name extends string>(statement: Statement<Row, Name>, ...values: ValuesOf<Name>): Promise<Row[]> {
    return this.#withSession((session) => session.queryAlone(statement, ...values));
  }

  async #withSession<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect().catch((error) => {
      throw databaseUnavailable(error);
    });
    const session = new Session(client, this.#pooler, this.seal);
    try {
      return await work(session);
    } catch (error) {
      await session.rollback(error);
      throw isDatabaseAway(error) ? databaseUnavailable(error) : error;
    } finally {
      session.release();
      for (const [merchantId, fault] of session.faults) this.onFault(merchantId, fault);
    }
  }

  reportFault(merchantId: TenantId, fault: string): void {
    this.onFault(merchantId, fault);
  }

  poolUse(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#reader.close(), this.bulk.close()]);
  }
}

/**
 * One checked-out client. It records whether the client can be returned to the pool. BEGIN goes out with the first
 * statement when that is a read. A write waits for the answer to BEGIN: after a BEGIN that failed, it would commit by
 * itself.
 */
class Session implements SealedQueryable {
  readonly wakes = new Set<string>();
  readonly faults = new Map<TenantId, string>();
  #broken: Error | undefined;
  /** Undefined before the first statement. */
  #begun: Promise<unknown> | undefined;
  #hasEnded = false;
  readonly #onError = (error: Error) => {
    this.#broken = error;
  };

  constructor(
    readonly client: pg.PoolClient,
    readonly pooler: Pooler,
    readonly seal: Sealer,
  ) {
    // The pool removes its listener from a client that it hands out, so the session must listen for a lost connection.
    client.on('error', this.#onError);
  }

  query<Row, Name extends string>(statement: Statement<Row, Name>, ...values: ValuesOf<Name>): Promise<Row[]> {
    return traced(spanOf(statement.name), () => this.#query(statement, ...values));
  }

  async #query<Row, Name extends string>(statement: Statement<Row, Name>, ...values: ValuesOf<Name>): Promise<Row[]> {
    const query = queryConfig(this.pooler, statement, ...values);
    if (!this.#begun && isRead(statement)) {
      const [, { rows }] = await Promise.all([this.#begin(), this.#dispatch(query)]);
      return rows;
    }
    await this.#begin();
    return (await this.#dispatch(query)).rows;
  }

  /** Outside of a transaction. */
  async queryAlone<Row, Name extends string>(
    statement: Statement<Row, Name>,
    ...values: ValuesOf<Name>
  ): Promise<Row[]> {
    const query = queryConfig(this.pooler, statement, ...values);
    return (await traced(spanOf(statement.name), () => this.#dispatch(query))).rows;
  }

  wake(job: string): void {
    this.wakes.add(job);
  }

  reportFault(merchantId: TenantId, fault: string): void {
    if (!this.faults.has(merchantId)) this.faults.set(merchantId, fault);
  }

  async rehearse(work: () => Promise<unknown>): Promise<void> {
    const wakesBefore = [...this.wakes];
    await this.#begin();
    await this.#dispatch('SAVEPOINT rehearsal');
    await work();
    await this.#dispatch('ROLLBACK TO SAVEPOINT rehearsal');
    this.wakes.clear();
    for (const job of wakesBefore) this.wakes.add(job);
  }

  async commit(): Promise<void> {
    if (!this.#begun) return;
    // Without a connection COMMIT is never sent, so nothing is committed.
    if (this.#broken) throw this.#broken;
    const { command } = await traced(spanOf('commit'), () => this.#end('COMMIT')).catch((error) => {
      throw isConnectionLost(error) ? new CommitOutcomeUnknown('no answer to COMMIT', { cause: error }) : error;
    });
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, not with an error.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back instead of committed');
  }

  async rollback(because: unknown): Promise<void> {
    if (because instanceof CommitOutcomeUnknown || isConnectionLost(because)) this.#broken ??= because as Error;
    if (this.#begun && !this.#hasEnded && !this.#broken)
      await this.#end('ROLLBACK').catch((error) => this.#onError(error));
  }

  release(): void {
    this.#hasEnded = true;
    this.client.off('error', this.#onError);
    this.client.release(this.#broken);
  }

  #begin(): Promise<unknown> {
    this.#begun ??=
      this.pooler === 'transaction'
        ? beginOnPrimary(this.client).catch((error) => this.#noteFailure(error))
        : this.#dispatch('BEGIN');
    return this.#begun;
  }

  /** What is sent after it would commit by itself, so it is refused. */
  #end(command: 'COMMIT' | 'ROLLBACK'): Promise<pg.QueryResult> {
    const ended = this.#dispatch(command);
    this.#hasEnded = true;
    return ended;
  }

  #dispatch(query: string | pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#hasEnded) throw new Error('a statement was sent after its transaction had ended');
    return this.client.query(query).catch((error) => this.#noteFailure(error));
  }

  async #noteFailure(error: unknown): Promise<never> {
    if (isConnectionLost(error)) this.#broken ??= error as Error;
    // The statement that failed before tells why. Its error may pass through verbs that make a clear answer of it.
    if (isTransactionAborted(error)) await nextTurn();
    throw error;
  }
}

function spanOf(name: string) {
  return () => ({ name, kind: 'client', attributes: { 'db.system.name': 'postgresql' } }) as const;
}

/** Statements that begin otherwise may write. */
function isRead({ text }: { text: string }): boolean {
  return /^SELECT\b/.test(text);
}
