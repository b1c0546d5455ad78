/** The lock that makes one service the owner of a database. */
import { Client, DatabaseError } from 'pg';
import { StartupRefused } from '../../errors.js';
import type { Cluster } from './launch.js';

/** PostgreSQL ties the lock to the session: it ends moments after its owner does, and a suspended owner keeps it. */
const ownerLock = 0x52656d65;
/** Longer than the server needs to notice that an owner was killed. */
const lockTimeout = '1s';

/**
 * Takes the lock, and creates the database of the service if it is missing. Returns undefined when the server is going
 * down or not up yet. Throws `StartupRefused` when a live service has the lock.
 */
export async function openOwnerSession(cluster: Cluster, port: number): Promise<Client | undefined> {
  const session = new Client({
    host: '127.0.0.1',
    port,
    user: 'remesa',
    password: cluster.password,
    // Not the database of the service, which can then be dropped and copied.
    database: 'postgres',
    application_name: `Remesa (process ${process.pid})`,
    connectionTimeoutMillis: 3_000,
    query_timeout: 30_000,
  });
  // Without a listener a lost connection would end the process.
  session.on('error', () => undefined);
  try {
    await session.connect();
    await session.query(`SET lock_timeout = '${lockTimeout}'`);
    await session.query('SELECT pg_advisory_lock($1)', [ownerLock]);
    const { rowCount } = await session.query(`SELECT FROM pg_database WHERE datname = 'remesa'`);
    if (rowCount === 0) await session.query('CREATE DATABASE remesa');
    return session;
  } catch (error) {
    const refusal = hasCode(error, /^55P03/) ? await refusalIn(session, cluster.dataDirectory) : undefined;
    await session.end().catch(() => undefined);
    if (refusal !== undefined) throw refusal;
    if (error instanceof DatabaseError && !hasCode(error, /^(57P|53300)/)) throw error;
    return undefined;
  }
}

function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof DatabaseError && codes.test(error.code ?? '');
}

async function refusalIn(session: Client, dataDirectory: string): Promise<StartupRefused> {
  const { rows } = await session.query(
    `SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)
      WHERE locktype = 'advisory' AND granted AND objid = $1`,
    [ownerLock],
  );
  const owner = rows[0]?.application_name || 'program';
  return new StartupRefused(`Another ${owner} is using ${dataDirectory}. Stop it, or set DATA_DIR to another folder.`);
}
