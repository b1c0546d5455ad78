/** A caller that waited too long for a connection: the connection that comes too late is not lost. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Database } from '../../src/postgres/database.js';
import { statement } from '../../src/postgres/statement.js';
import { FaultProxy } from '../harness/proxy.js';
import { useTestDatabase } from '../harness/test-database.js';

const { url } = useTestDatabase();
const findOne = statement('test.find-one', 'SELECT 1 AS one').rows<{ one: number }>();

it('a connection whose caller gave up meanwhile serves the next one, and does not delay the close', async () => {
  const proxy = new FaultProxy(url);
  const database = new Database(await proxy.listen(), { poolSize: 1 });
  const holder = database.transaction(async (tx) => {
    await tx.query(findOne);
    // The check of the next connection takes so long that its caller, who waits for 1.5 s, has given up.
    proxy.dropAnswer = (chunk, client) => {
      // The server also names this setting in its greeting, together with its version.
      if (!chunk.includes('in_hot_standby') || chunk.includes('server_version')) return false;
      setTimeout(() => client.write(chunk), 1_000);
      return true;
    };
    await pause(1_000);
    proxy.cutAll();
    await tx.query(findOne);
  });
  const waiting = database.transaction((tx) => tx.query(findOne));
  await expect(holder).rejects.toMatchObject({ code: 'database_unavailable' });
  await expect(waiting).rejects.toMatchObject({ code: 'database_unavailable' });
  proxy.dropAnswer = () => false;
  await expect.poll(() => database.transaction((tx) => tx.query(findOne)).catch(() => 'away')).toEqual([{ one: 1 }]);
  await database.close();
  await proxy.close();
});
