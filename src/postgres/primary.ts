/**
 * Makes sure that a connection leads to the primary. A primary that was replaced serves as a standby for a moment, and
 * still shows transactions that its successor never received, so nothing may be read there either.
 */
import type { ClientBase, QueryResult } from 'pg';
import { readOnlyServer } from './failure.js';

/**
 * Throws when the server is a standby. Asked once for each connection: a primary that becomes a standby closes them
 * all.
 */
export async function requirePrimary(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ in_hot_standby: string }>('SHOW in_hot_standby');
  if (rows[0]?.in_hot_standby !== 'off') throw readOnlyServer();
}

/**
 * Begins a transaction behind a pooler in transaction mode, where each one may reach another server. Throws when it is
 * read-only. One round trip.
 */
export async function beginOnPrimary(client: ClientBase): Promise<void> {
  const results: unknown = await client.query('BEGIN; SHOW transaction_read_only');
  const [, shown] = results as [QueryResult, QueryResult<{ transaction_read_only: string }>];
  if (shown.rows[0]?.transaction_read_only !== 'off') throw readOnlyServer();
}
