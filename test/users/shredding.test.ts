/** The table of user keys is rewritten, so that no byte of a destroyed key stays in its file. */
import { expect, it } from 'vitest';
import type { By } from '../../src/caller.js';
import { shredJob } from '../../src/users/upkeep.js';
import { ana } from '../harness/users.js';
import { useUsersRoom } from './room.js';

const room = useUsersRoom();

/** Whether the job rewrote the table: PostgreSQL then gives it another file. */
async function isRewritten(): Promise<boolean> {
  const file = async () =>
    (await room.sql.query(`SELECT pg_relation_filenode('user_keys') AS file`)).rows[0].file;
  const before = await file();
  await shredJob(room.database).run(AbortSignal.timeout(60_000));
  return (await file()) !== before;
}

it('rewrites the keys again when a user was erased up to an hour before the last rewrite, and not later', async () => {
  expect(await isRewritten()).toBe(false);
  const { merchant } = room.acme;
  const by: By = {
    actor: { kind: 'merchant', merchantId: merchant, scopes: new Set(['users']) },
    requestId: 'req_1',
  };
  const user = await room.database.transaction((tx) => room.service().create(tx, merchant, ana));
  await room.database.transaction((tx) => room.service().erase(tx, by, merchant, user));
  expect(await isRewritten()).toBe(true);
  expect(await isRewritten()).toBe(true);
  await room.sql.query(`UPDATE instance SET keys_shredded_at = keys_shredded_at + interval '1 hour'`);
  expect(await isRewritten()).toBe(false);
});
