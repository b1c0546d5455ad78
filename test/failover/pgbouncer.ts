/** PgBouncer between the nodes and HAProxy, in one of its modes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDaemon } from './daemon.js';
import { writeExample } from './examples.js';

export type PoolMode = 'session' | 'transaction';

export const pgbouncerPorts: Record<PoolMode, number> = { session: 6432, transaction: 6433 };

export function startPgbouncer(folder: string, mode: PoolMode, rolePassword: string): void {
  const users = join(folder, 'userlist.txt');
  writeFileSync(users, `"remesa" "${rolePassword}"\n`, { mode: 0o644 });
  const config = writeExample('pgbouncer.ini', join(folder, `pgbouncer-${mode}.ini`), {
    '/etc/pgbouncer/userlist.txt': users,
    'listen_port = 6432': `listen_port = ${pgbouncerPorts[mode]}`,
    'pool_mode = transaction': `pool_mode = ${mode}`,
  });
  const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];
  startDaemon(folder, `pgbouncer-${mode}`, [...asPostgres, 'pgbouncer', config]);
}
