/** Tests once whether notifications arrive, on a channel of its own, the way that wake-ups go. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connectionConfig } from '../postgres/connection.js';
import type { Database } from '../postgres/database.js';
import { statement } from '../postgres/statement.js';

const withinMs = 3_000;
const notify = statement('listen-check.notify', 'SELECT pg_notify($channel, $payload)');

/** Listens on the direct address and notifies through the pool. Throws when either cannot connect. */
export async function receivesNotifications(database: Database): Promise<boolean> {
  const channel = `remesa_test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client(connectionConfig(database.directAddress, 'remesa listen check'));
  client.on('error', () => {});
  await client.connect();
  try {
    const received = new Promise<boolean>((resolve) => {
      client.once('notification', () => resolve(true));
      setTimeout(resolve, withinMs, false).unref();
    });
    await client.query(`LISTEN ${channel}`);
    await database.query(notify, { channel, payload: '' });
    return await received;
  } finally {
    await client.end().catch(() => {});
  }
}
