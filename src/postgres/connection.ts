/** The settings that all connections share: time limits, and how values are parsed. */
import { type ClientConfig, types } from 'pg';

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

export function connectionConfig(connectionString: string, applicationName: string): ClientConfig {
  return {
    connectionString,
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    statement_timeout: limits.statementTimeoutMs,
    query_timeout: limits.clientTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
    types: { getTypeParser: parserOf as typeof types.getTypeParser },
  };
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
