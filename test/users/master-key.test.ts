/**
 * A change of the master key wraps every key of a user again, and ends only when the previous one opens nothing any
 * more.
 */
import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { StartupRefused } from '../../src/errors.js';
import type { MerchantId, UserId } from '../../src/ids.js';
import { BrokenSeal } from '../../src/keys/sealing.js';
import type { KeyVault } from '../../src/keys/vault.js';
import { findUserKey } from '../../src/users/key-store.js';
import { rewrapKeys } from '../../src/users/rewrapping.js';
import { UserService } from '../../src/users/service.js';
import { openUserKey } from '../../src/users/user-keys.js';
import { bySystem, newMerchant } from '../harness/access.js';
import { useTestDatabase } from '../harness/test-database.js';
import { ana } from '../harness/users.js';
import { openVault } from './room.js';

const { database, sql } = useTestDatabase();
/** The active master key, and the vault of a node that knows no other. */
let current: Buffer = randomBytes(32);
database.masterKey = current;
let node: KeyVault;
let merchant: MerchantId;

beforeAll(async () => {
  node = await vaultOf(current);
  merchant = (await newMerchant(database, 'acme')).merchant;
});

const vaultOf = (key: Buffer, previous?: Buffer) => openVault(database, { current: key, previous });
const usersOf = (vault: KeyVault) =>
  new UserService({
    vault,
    clock: systemClock,
    retentionYears: 5,
  });
const profileOf = (vault: KeyVault, id: UserId) => usersOf(vault).profile(database, merchant, id);
const rewrap = (vault: KeyVault) => rewrapKeys(database, vault, () => {});

async function create(vault: KeyVault): Promise<UserId> {
  return (await database.transaction((tx) => usersOf(vault).create(tx, bySystem, merchant, ana))).id;
}

/** The vault of a node that has the next key too, with which the key can be changed. */
async function withNextKey(): Promise<{ vault: KeyVault; next: Buffer }> {
  const next = randomBytes(32);
  return { vault: await vaultOf(next, current), next };
}

async function finish(vault: KeyVault, next: Buffer): Promise<void> {
  await rewrap(vault);
  current = next;
  node = await vaultOf(current);
}

const versions = async () =>
  (await sql.query('SELECT version FROM master_keys ORDER BY version')).rows.map((row) => row.version);

it('nodes that start at once on a new database use one root key', async () => {
  const vaults = await Promise.all(Array.from({ length: 6 }, () => vaultOf(current)));
  for (const vault of vaults) expect(vault.rootKey).toEqual(node.rootKey);
});

it('a wrong master key is refused, and so is a root key that was changed', async () => {
  await expect(vaultOf(randomBytes(32))).rejects.toThrow(StartupRefused);
  await expect(vaultOf(randomBytes(32))).rejects.toThrow('The master key is not the one');
  const turn = `UPDATE master_keys SET sealed_root_key = set_byte(sealed_root_key, 40, 255 - get_byte(sealed_root_key, 40))`;
  await sql.query(turn);
  await expect(vaultOf(current)).rejects.toThrow(BrokenSeal);
  await sql.query(turn);
});

it('a user who is created under the previous key meanwhile is waited for, wrapped again and readable', async () => {
  const { vault, next } = await withNextKey();
  const before = await create(node);
  let changing: Promise<unknown> = Promise.resolve();
  const late = await database.transaction(async (tx) => {
    const { id } = await usersOf(node).create(tx, bySystem, merchant, ana);
    changing = finish(vault, next);
    await expect.poll(async () => (await vaultOf(next, current)).activeVersion(database)).toBe(2);
    expect(await versions()).toEqual([1, 2]);
    return id;
  });
  await changing;
  expect(await versions()).toEqual([2]);
  for (const id of [before, late, await create(vault), await create(node)])
    expect(await profileOf(node, id)).toEqual(ana);
});

it('a node with both keys wraps by the one that is active', async () => {
  const { vault, next } = await withNextKey();
  const versionOf = async (userId: UserId) =>
    (await findUserKey(database, { merchantId: merchant, userId }, 'profile'))?.version;
  expect(await versionOf(await create(vault))).toBe(2);
  await finish(vault, next);
  expect(await versionOf(await create(vault))).toBe(3);
});

it('a deleted key that was left in a file is opened by the previous master key only', async () => {
  const id = await create(node);
  const left = await findUserKey(database, { merchantId: merchant, userId: id }, 'profile');
  if (!left) throw new Error('there is no key');
  const beforeChange = node;
  await sql.query('DELETE FROM user_keys WHERE user_id = $1', [id]);
  const { vault, next } = await withNextKey();
  await finish(vault, next);
  expect(openUserKey(beforeChange, left)).toHaveLength(32);
  expect(() => openUserKey(node, left)).toThrow(BrokenSeal);
});

it('a key that was changed keeps the previous master key, until it is repaired', async () => {
  const [changed, good] = [await create(node), await create(node)];
  const { rows } = await sql.query(
    `UPDATE user_keys AS now SET wrapped_key = '\\x00' FROM user_keys AS was
      WHERE now.user_id = $1 AND was.user_id = $1 AND now.purpose = 'profile' AND was.purpose = 'profile'
      RETURNING was.wrapped_key`,
    [changed],
  );
  const { vault, next } = await withNextKey();
  await expect(rewrap(vault)).rejects.toThrow(`"user_keys",${merchant},${changed},"profile"`);
  expect(await versions()).toHaveLength(2);
  await expect(vaultOf(next)).rejects.toThrow('MASTER_KEY_PREVIOUS');
  await sql.query(`UPDATE user_keys SET wrapped_key = $2 WHERE user_id = $1 AND purpose = 'profile'`, [
    changed,
    rows[0].wrapped_key,
  ]);
  await finish(vault, next);
  for (const id of [changed, good]) expect(await profileOf(node, id)).toEqual(ana);
});

it('the database itself refuses to forget a master key that wraps a key', async () => {
  await expect(sql.query('DELETE FROM master_keys')).rejects.toMatchObject({ code: '23503' });
});

it('activates only one of two different new keys', async () => {
  const [one, other] = [await withNextKey(), await withNextKey()];
  await finish(one.vault, one.next);
  await expect(rewrap(other.vault)).rejects.toThrow('The master key is not the one');
  await expect(create(other.vault)).rejects.toThrow('The master key is not the one');
  expect(await profileOf(node, await create(node))).toEqual(ana);
});
