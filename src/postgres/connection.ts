/** The settings that all connections share: time limits, and how values are parsed. */
import { type ClientConfig, type QueryConfig, types } from 'pg';
import { positionValues, type Statement, type ValuesOf } from './statement.js';

const int8 = 20;
const int8Array = 1016;
const textArray = 1009;

/** A request must be answered within 5 s even when the server hangs: 1.5 s to connect and 3 s for a statement. */
export const limits = {
  connectTimeoutMs: 1500,
  statementTimeoutMs: 2500,
  clientTimeoutMs: 3000,
  lockTimeoutMs: 2000,
  idleInTransactionTimeoutMs: 10_000,
} as const;

/** What stands between us and the server: nothing, or a pooler such as PgBouncer in one of its modes. */
export type Pooler = 'none' | 'session' | 'transaction';

export interface ServerAddress {
  readonly connectionString: string;
  readonly pooler: Pooler;
}

/** The limits that the server enforces, by the name of PostgreSQL's setting, in milliseconds. */
export const serverLimits = {
  statement_timeout: limits.statementTimeoutMs,
  lock_timeout: limits.lockTimeoutMs,
  idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
} as const;

export function connectionConfig(address: ServerAddress, applicationName: string): ClientConfig {
  return {
    connectionString: address.connectionString,
    application_name: applicationName,
    keepAlive: true,
    // The default of two hours would leave a connection to a dead machine open for as long.
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    query_timeout: limits.clientTimeoutMs,
    // A pooler refuses parameters at connect, or ignores them silently. Behind one the role must have the limits.
    ...(address.pooler === 'none' ? serverLimits : {}),
    types: { getTypeParser: parserOf as typeof types.getTypeParser },
  };
}

/**
 * In transaction mode each transaction may run on another server connection, which does not have the statements that
 * were prepared on the one before. There the name is left out, and the server parses the statement each time.
 */
export function queryConfig<Name extends string>(
  pooler: Pooler,
  statement: Statement<unknown, Name>,
  ...values: ValuesOf<Name>
): QueryConfig {
  const { name, text, isPlannedEachTime } = statement;
  const query = { text, values: positionValues(statement, values[0]) };
  return pooler === 'transaction' || isPlannedEachTime ? query : { name, ...query };
}

/** Parses 64-bit integers as bigint. Strings would be concatenated by `+`, and numbers could lose digits. */
function parserOf(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === int8) return BigInt;
  if (oid === int8Array) return parseBigints;
  return types.getTypeParser(oid, format as 'text') as (value: string) => unknown;
}

const parseTexts: (value: string) => (string | null)[] = types.getTypeParser(textArray as never);

function parseBigints(value: string): (bigint | null)[] {
  return parseTexts(value).map((text) => (text === null ? null : BigInt(text)));
}
