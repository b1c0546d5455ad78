/**
 * Sends writes whose loss does no harm through one shared connection that does not wait for the disk. A power cut or a
 * failover may undo the last of them. Behind a pooler in transaction mode a session has no settings; there they wait.
 */
import type { ClientBase } from 'pg';
import { limits, type ServerAddress } from './connection.js';
import { asUnavailable, PipelinedConnection } from './pipelined-connection.js';
import type { Statement, ValuesOf } from './statement.js';

export class RelaxedWriter {
  readonly #connection: PipelinedConnection;

  constructor(address: ServerAddress) {
    const setUp = address.pooler === 'transaction' ? {} : { setUp: relax };
    this.#connection = new PipelinedConnection({ address, applicationName: 'remesa relaxed', ...setUp });
  }

  /** A write that got no answer is not repeated: it may have been made. Throws like `Database.write`. */
  async write<Row, Name extends string>(
    statement: Statement<Row, Name>,
    ...values: ValuesOf<Name>
  ): Promise<Row[]> {
    try {
      return await this.#connection.run(statement, ...values);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

function relax(client: ClientBase): Promise<unknown> {
  return client.query(`SET synchronous_commit = off; SET lock_timeout = ${limits.relaxedLockTimeoutMs}`);
}
