/** Sends single-statement reads through one shared connection, and repeats them when the connection is lost. */
import type { ServerAddress } from './connection.js';
import { isConnectionLost } from './failure.js';
import { asUnavailable, PipelinedConnection } from './pipelined-connection.js';
import type { Queryable, Statement, ValuesOf } from './statement.js';

export class PipelinedReader implements Queryable {
  readonly #connection: PipelinedConnection;

  constructor(address: ServerAddress) {
    this.#connection = new PipelinedConnection({ address, applicationName: 'remesa reads' });
  }

  /** Throws `database_unavailable` when the server cannot be reached. */
  async query<Row, Name extends string>(statement: Statement<Row, Name>, ...values: ValuesOf<Name>): Promise<Row[]> {
    try {
      return await this.#connection.run(statement, ...values);
    } catch (error) {
      if (!isConnectionLost(error) || isTimeout(error)) throw asUnavailable(error);
    }
    // A read changes nothing, so it is repeated once on a new connection.
    return await this.#connection.run(statement, ...values).catch((error) => {
      throw asUnavailable(error);
    });
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message);
}
