/**
 * Gives the database of most tests time, so that a build machine that stalls for some seconds does not look like a lost
 * database. The tests of the limits themselves keep them. Loaded before each test file.
 */
import { expect } from 'vitest';
import { limits, serverLimits } from '../../src/postgres/connection.js';

type Changeable<T> = { -readonly [Key in keyof T]: number };

const real = Symbol.for('remesa: limits of the database');
const kept = globalThis as { [real]?: { client: typeof limits; server: typeof serverLimits } };
kept[real] ??= { client: { ...limits }, server: { ...serverLimits } };
const { client, server } = kept[real];

const testsOfLimits = /\/test\/(faults|postgres|house)\/|\/(list-cut|doctor|idempotency-row|unknown-commit)\.test/;
const isTestOfLimits = testsOfLimits.test(expect.getState().testPath ?? '');
const factor = isTestOfLimits ? 1 : 24;
/** Smaller, because some tests wait until the limit of a lock has passed. */
const lockFactor = isTestOfLimits ? 1 : 4;

Object.assign(limits as Changeable<typeof limits>, {
  connectTimeoutMs: client.connectTimeoutMs * factor,
  statementTimeoutMs: client.statementTimeoutMs * factor,
  lockTimeoutMs: client.lockTimeoutMs * lockFactor,
  clientTimeoutMs: client.clientTimeoutMs * factor,
});
Object.assign(serverLimits as Changeable<typeof serverLimits>, {
  statement_timeout: server.statement_timeout * factor,
  lock_timeout: server.lock_timeout * lockFactor,
  idle_in_transaction_session_timeout: server.idle_in_transaction_session_timeout * factor,
});
