/** A service remembers the keys of groups for a minute. What it creates by them can always be read by the others. */
import { expect, it } from 'vitest';
import type { UserId } from '../../src/ids.js';
import type { Statement, Transaction } from '../../src/postgres/statement.js';
import { RecentGroupKeys } from '../../src/users/keys/recent-group-keys.js';
import { shredJob } from '../../src/users/keys/shredding.js';
import type { UserService } from '../../src/users/service.js';
import type { Client } from '../harness/access.js';
import { silentLog } from '../harness/silent-log.js';
import { ana } from '../harness/users.js';
import { useUsersRoom } from './room.js';

const room = useUsersRoom();

/** There are 256 groups, so that some of 120 users are in a group of 120 others. */
async function create(tx: Transaction, users: UserService, { merchant }: Client, number = 120) {
  const ids: UserId[] = [];
  for (let n = 0; n < number; n += 1) ids.push((await users.create(tx, merchant, ana)).id);
  return ids;
}

async function expectReadable({ merchant }: Client, ids: readonly UserId[]): Promise<void> {
  const other = room.service();
  for (const id of ids) expect(await other.profile(room.database, merchant, id)).toEqual(ana);
}

it('a key that was made in a transaction that was rolled back is not used', async () => {
  const [first, second] = [room.service(), room.service()];
  const rolledBack = room.database.transaction(async (tx) => {
    await create(tx, first, room.acme);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  const ids = await room.database.transaction((tx) => create(tx, second, room.acme));
  ids.push(...(await room.database.transaction((tx) => create(tx, first, room.acme))));
  await expectReadable(room.acme, ids);
});

it('a key that was replaced is not used', async () => {
  const users = room.service();
  await room.database.transaction((tx) => create(tx, users, room.rival));
  // Not all of them, because each takes a while to be replaced.
  await room.sql.query(
    'UPDATE group_keys SET must_be_replaced = true WHERE merchant_id = $1 AND key_group % 10 = 0',
    [room.rival.merchant],
  );
  const ids = await room.database.transaction((tx) => create(tx, users, room.rival));
  await shredJob({ database: room.database, vault: room.vault, log: silentLog }).run(
    AbortSignal.timeout(60_000),
  );
  const { rows } = await room.sql.query(
    `SELECT bool_or(must_be_replaced) AS is_any_marked, max(generation) AS newest FROM group_keys WHERE merchant_id = $1`,
    [room.rival.merchant],
  );
  expect(rows).toEqual([{ is_any_marked: false, newest: 2 }]);
  ids.push(...(await room.database.transaction((tx) => create(tx, users, room.rival))));
  await expectReadable(room.rival, ids);
});

it('a user of a group that was just used is created without reading the group key', async () => {
  const users = room.service();
  const names: string[] = [];
  await room.database.transaction(async (tx) => {
    await create(tx, users, room.acme, 2000);
    const recording: Transaction = Object.create(tx, {
      query: {
        value: <Row>(statement: Statement<Row>, values?: readonly unknown[]) => {
          names.push(statement.name);
          return tx.query(statement, values);
        },
      },
    });
    await create(recording, users, room.acme, 20);
  });
  // By chance, a user may be the first of its group, or an id may be taken.
  const countOf = (name: string) => names.filter((sent) => sent === name).length;
  expect(countOf('users.insert-under')).toBeGreaterThanOrEqual(17);
  expect(countOf('group-key-store.find-newest')).toBeLessThanOrEqual(9);
});

it('a key is forgotten after a minute, and the oldest when there are 10,000', () => {
  let time = new Date('2026-11-17T10:00:00.000Z');
  const keys = new RecentGroupKeys({ now: () => time });
  const userOf = (number: number) => ({
    merchantId: room.acme.merchant,
    userId: number as UserId,
    externalClientId: 'cli_1' as never,
  });
  const key = {
    group: 1,
    generation: 1,
    version: 1,
    wrapped: Buffer.alloc(60),
    opened: Buffer.alloc(32),
  };
  keys.remember(userOf(1), key);
  time = new Date(time.getTime() + 59_999);
  expect(keys.find(userOf(257))).toBe(key);
  expect(keys.find(userOf(2))).toBeUndefined();
  time = new Date(time.getTime() + 1);
  expect(keys.find(userOf(1))).toBeUndefined();

  const merchants = 10_000;
  for (let merchant = 1; merchant <= merchants; merchant += 1)
    keys.remember({ ...userOf(1), merchantId: merchant as never }, key);
  expect(keys.find({ ...userOf(1), merchantId: 1 as never })).toBeUndefined();
  expect(keys.find({ ...userOf(1), merchantId: merchants as never })).toBe(key);
});
