import { setTimeout as pause } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';

export interface Address {
  readonly port: number;
  readonly password: string;
}

const USER = 'remesa';
const DATABASE = 'remesa';
/** Sessions of the service's keeper are here, so that the service's own database can be dropped and copied. */
const KEEPERS_DATABASE = 'postgres';

export function connectionString({ port, password }: Address): string {
  return `postgres://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/** A session that names this process to those who look at the server's activity. */
export async function openSession({ port, password }: Address): Promise<Client> {
  const session = new Client({
    host: '127.0.0.1',
    port,
    user: USER,
    password,
    database: KEEPERS_DATABASE,
    ssl: false,
    application_name: `remesa pid ${process.pid}`,
    connectionTimeoutMillis: 3_000,
    query_timeout: 30_000,
    keepAlive: true,
  });
  // Without a listener a lost connection would end the process; whoever uses the session notices its end.
  session.on('error', () => undefined);
  try {
    await session.connect();
    return session;
  } catch (error) {
    await closeSession(session);
    throw error;
  }
}

/** Never waits long: a server that hangs does not answer a goodbye. */
export async function closeSession(session: Client): Promise<void> {
  await Promise.race([session.end().catch(() => undefined), pause(1_000, undefined, { ref: false })]);
}

/** The session is over (server going down, backend ended); the same question may be asked in a new one. */
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
  const found = await session.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (found.rowCount === 0) await session.query(`CREATE DATABASE ${DATABASE}`);
}
