/** Opens single connections to the embedded server. Requests use the pool of `database.ts` instead. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';

export interface Address {
  readonly port: number;
  readonly password: string;
}

const databaseUser = 'remesa';
const databaseName = 'remesa';
/** The owner's session uses this database, so that the service's own database can be dropped and copied. */
const maintenanceDatabase = 'postgres';

export function connectionString({ port, password }: Address): string {
  return `postgres://${databaseUser}:${password}@127.0.0.1:${port}/${databaseName}`;
}

/** Opens a session whose application name holds this process id, by which other services find the owner. */
export async function openSession({ port, password }: Address): Promise<Client> {
  const session = new Client({
    host: '127.0.0.1',
    port,
    user: databaseUser,
    password,
    database: maintenanceDatabase,
    ssl: false,
    application_name: `remesa pid ${process.pid}`,
    connectionTimeoutMillis: 3_000,
    query_timeout: 30_000,
    keepAlive: true,
  });
  // Without a listener a lost connection would end the process. The user of the session sees its end.
  session.on('error', () => undefined);
  try {
    await session.connect();
    return session;
  } catch (error) {
    await closeSession(session);
    throw error;
  }
}

/** Waits one second at most, because a server that hangs does not confirm the end. */
export async function closeSession(session: Client): Promise<void> {
  await Promise.race([session.end().catch(() => undefined), pause(1_000, undefined, { ref: false })]);
}

/** Returns whether only the session ended, so that the same statement may succeed in a new one. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(57P|08|53300)/.test(error.code ?? '');
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    /^(ECONN|EPIPE|ETIMEDOUT)/.test(code ?? '') || /connection|not queryable|timeout expired/i.test(message)
  );
}

export function isWrongPassword(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '28P01';
}

export async function ensureDatabase(session: Client): Promise<void> {
  const existing = await session.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
  if (existing.rowCount === 0) await session.query(`CREATE DATABASE ${databaseName}`);
}
