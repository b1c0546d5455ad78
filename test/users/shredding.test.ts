/** What was destroyed stays destroyed: the key that wrapped a destroyed key is replaced, and nobody else notices. */
import { expect, it } from 'vitest';
import type { By } from '../../src/caller.js';
import { newPublicId, type UserId, userId } from '../../src/ids.js';
import { addGroupKey, listMarkedGroups } from '../../src/users/keys/group-key-store.js';
import { shredJob } from '../../src/users/keys/shredding.js';
import { newUserKey, openUserKey } from '../../src/users/keys/user-key.js';
import { newGroupKey, UserKeyWrapper } from '../../src/users/keys/wrapping.js';
import { addUser } from '../../src/users/new-user-store.js';
import { sealProfile } from '../../src/users/personal-data.js';
import { listUserKeys } from '../../src/users/store.js';
import type { UserRef } from '../../src/users/user.js';
import { silentLog } from '../harness/silent-log.js';
import { ana } from '../harness/users.js';
import { useUsersRoom } from './room.js';

const room = useUsersRoom();
let number = 0;

/** Adds a user of the group. */
async function userOf(group: number): Promise<UserRef> {
  number += 1;
  const user: UserRef = {
    merchantId: room.acme.merchant,
    userId: userId(256 * number + group),
    externalClientId: newPublicId('cli'),
  };
  await room.database.transaction((tx) => add(tx, user));
  return user;
}

async function add(tx: Parameters<typeof addUser>[0], user: UserRef): Promise<void> {
  const keys = [newUserKey(user, 'profile'), newUserKey(user, 'retained')] as const;
  const wrapped = await new UserKeyWrapper(tx, room.vault).wrap(user, keys);
  await addUser(tx, { ...user, sealedProfile: sealProfile(keys[0].key, user, 'profile', ana) }, wrapped);
}

async function erase({ merchantId, userId: id, externalClientId }: UserRef): Promise<void> {
  const by: By = {
    actor: { kind: 'merchant', merchantId, scopes: new Set(['users']) },
    requestId: 'req_1',
  };
  await room.database.transaction((tx) => room.service().erase(tx, by, merchantId, { id, externalClientId }));
}

const shred = () =>
  shredJob({ database: room.database, vault: room.vault, log: silentLog }).run(AbortSignal.timeout(60_000));
const profileOf = (id: UserId) => room.service().profile(room.database, room.acme.merchant, id);
const rowsOf = async (text: string, ...values: unknown[]) => (await room.sql.query(text, values)).rows;
const generationsOf = (group: number) =>
  rowsOf('SELECT generation, must_be_replaced FROM group_keys WHERE key_group = $1 ORDER BY 1', group);
/** PostgreSQL gives a rewritten table another file. */
const fileOf = async (table: string) =>
  (await rowsOf('SELECT pg_relation_filenode($1) AS file', table))[0]?.file as number;

async function bytesOnDisk(table: string): Promise<Buffer> {
  await room.sql.query('CHECKPOINT');
  const [row] = await rowsOf('SELECT pg_read_binary_file(pg_relation_filepath($1)) AS bytes', table);
  return row?.bytes;
}

it('nothing is written anew when nobody was erased', async () => {
  await userOf(1);
  const before = [await fileOf('group_keys'), await fileOf('user_keys')];
  expect(await shred()).toBe(0);
  expect([await fileOf('group_keys'), await fileOf('user_keys')]).toEqual(before);
  expect(await generationsOf(1)).toEqual([{ generation: 1, must_be_replaced: false }]);
});

it('the key that wrapped a destroyed key is on no page afterwards, and everybody else can be read', async () => {
  const [gone, stays, elsewhere] = [await userOf(2), await userOf(2), await userOf(3)];
  const [key] = await listUserKeys(room.database, gone);
  if (!key || !('generation' in key.by)) throw new Error('no key of a group');
  const above = key.by.wrapped;
  await erase(gone);
  expect(await generationsOf(2)).toEqual([{ generation: 1, must_be_replaced: true }]);
  expect((await bytesOnDisk('group_keys')).includes(above)).toBe(true);
  const before = await fileOf('user_keys');

  // Repeated: an upkeep of the server may still see the deleted row, and a rewrite keeps it then.
  const isLeft = () => shred().then(async () => (await bytesOnDisk('group_keys')).includes(above));
  await expect.poll(isLeft, { timeout: 60_000 }).toBe(false);
  expect(await generationsOf(2)).toEqual([{ generation: 2, must_be_replaced: false }]);
  expect(await generationsOf(3)).toEqual([{ generation: 1, must_be_replaced: false }]);
  expect(await fileOf('user_keys')).toBe(before);
  // The bytes of the deleted row need the key above them, and only what was noted down before has it.
  expect(openUserKey(room.vault, gone, key)).toHaveLength(32);
  for (const user of [stays, elsewhere]) expect(await profileOf(user.userId)).toEqual(ana);
  expect(await profileOf(gone.userId)).toBeUndefined();
});

it('a rewrite is repeated for an hour, because an old transaction may have kept what was deleted', async () => {
  await erase(await userOf(4));
  await shred();
  const file = await fileOf('group_keys');
  await shred();
  const again = await fileOf('group_keys');
  expect(again).not.toBe(file);
  await room.sql.query(`UPDATE instance SET keys_shredded_at = keys_shredded_at + interval '1 hour'`);
  await shred();
  expect(await fileOf('group_keys')).toBe(again);
});

it('an interrupted replacement is continued, not begun again', async () => {
  const [gone, stays] = [await userOf(5), await userOf(5)];
  await erase(gone);
  const place = { merchant: room.acme.merchant, group: 5 };
  await room.database.transaction(async (tx) =>
    addGroupKey(tx, place, await newGroupKey(tx, room.vault, place, 2)),
  );
  expect(await profileOf((await userOf(5)).userId)).toEqual(ana);
  await shred();
  expect(await generationsOf(5)).toEqual([{ generation: 2, must_be_replaced: false }]);
  expect(await profileOf(stays.userId)).toEqual(ana);
});

it('a user who is being created under the previous key is waited for, and can be read', async () => {
  const gone = await userOf(6);
  const late: UserRef = { ...gone, userId: userId(6 + 256 * 9000), externalClientId: newPublicId('cli') };
  let shredding: Promise<unknown> = Promise.resolve();
  await room.database.transaction(async (tx) => {
    await add(tx, late);
    await erase(gone);
    shredding = shred();
    await expect.poll(() => generationsOf(6), { timeout: 60_000 }).toHaveLength(2);
  });
  await shredding;
  await shred();
  expect(await generationsOf(6)).toEqual([{ generation: 2, must_be_replaced: false }]);
  expect(await profileOf(late.userId)).toEqual(ana);
});

it('a key that was changed keeps what wraps it, and the keys of other groups are replaced', async () => {
  const [gone, changed, stays] = [await userOf(7), await userOf(7), await userOf(7)];
  await room.sql.query(
    `UPDATE user_keys SET wrapped_key = wrapped_key || '\\x00' WHERE external_client_id = $1`,
    [changed.externalClientId],
  );
  await erase(gone);
  await erase(await userOf(8));
  await shred();
  expect(await listMarkedGroups(room.database, 10)).toEqual([{ merchant: room.acme.merchant, group: 7 }]);
  expect(await generationsOf(8)).toEqual([{ generation: 2, must_be_replaced: false }]);
  expect(await profileOf(stays.userId)).toEqual(ana);
  await expect(profileOf(changed.userId)).rejects.toThrow('changed, moved or restored');
  await room.sql.query('UPDATE group_keys SET must_be_replaced = false');
});

it('keys from before there were groups stay as they are for a day, then move, and the table is rewritten once', async () => {
  await room.sql.query(
    `UPDATE instance SET group_keys_from = now() + interval '1 day', must_rewrite_user_keys = true`,
  );
  const users = [await userOf(9), await userOf(9), await userOf(10)];
  const early = () => rowsOf('SELECT 1 FROM user_keys WHERE master_key_version = 1');
  const file = await fileOf('user_keys');
  await shred();
  expect(await early()).toHaveLength(2 * users.length);

  await room.sql.query(`UPDATE instance SET group_keys_from = now()`);
  await shred();
  expect(await early()).toHaveLength(0);
  expect(await fileOf('user_keys')).toBe(file);
  await shred();
  const rewritten = await fileOf('user_keys');
  expect(rewritten).not.toBe(file);
  await shred();
  expect(await fileOf('user_keys')).toBe(rewritten);
  for (const user of users) expect(await profileOf(user.userId)).toEqual(ana);
});
