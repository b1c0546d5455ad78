/** Erasure, depending on what other rooms answer: refused, with retained data, and the end of the retention. */

import { describe, expect, it } from 'vitest';
import type { By, SelectedUser } from '../../src/caller.js';
import type { PublicId, UserId } from '../../src/ids.js';
import { findUserKey } from '../../src/users/key-store.js';
import { openProfile } from '../../src/users/personal-data.js';
import { retentionJob } from '../../src/users/upkeep.js';
import type { Dependents, ProfileField } from '../../src/users/user.js';
import { type KeyPurpose, openUserKey } from '../../src/users/user-keys.js';
import { auditRows, type Client } from '../harness/access.js';
import { testMasterKey } from '../harness/master-key.js';
import { silentLog } from '../harness/silent-log.js';
import { ana } from '../harness/users.js';
import { openVault, useUsersRoom } from './room.js';

const room = useUsersRoom();

const must: Dependents['erase'] = async () => ({ hasOpenOrders: false, mustRetain: true });
const by = (client: Client): By => ({
  actor: { kind: 'merchant', merchantId: client.merchant, scopes: new Set(['users']) },
  requestId: 'req_1',
});
const ref = (client: Client, user: SelectedUser) => ({
  merchantId: client.merchant,
  userId: user.id,
  externalClientId: user.externalClientId as PublicId<'cli'>,
});

function create(client: Client): Promise<SelectedUser> {
  return room.database.transaction((tx) => room.service().create(tx, by(client), client.merchant, ana));
}

function erase(client: Client, user: SelectedUser, eraseElsewhere: Dependents['erase']): Promise<void> {
  const service = room.service({ erase: eraseElsewhere });
  return room.database.transaction((tx) => service.erase(tx, by(client), client.merchant, user));
}

async function everythingOf(user: SelectedUser) {
  const of = async (text: string, value: unknown) => (await room.sql.query(text, [value])).rows;
  return {
    row: await of('SELECT * FROM users WHERE user_id = $1', user.id),
    keys: await of('SELECT * FROM user_keys WHERE user_id = $1 ORDER BY purpose', user.id),
    erasures: await of('SELECT * FROM erasures WHERE user_id = $1', user.id),
    audit: await of('SELECT * FROM changes WHERE subject = $1', `user:${user.id}`),
  };
}

describe('the erasure of a user with open orders', () => {
  it('is refused with 409 user_has_open_orders, and nothing is changed', async () => {
    const user = await create(room.acme);
    const before = await everythingOf(user);
    const guard: Dependents['erase'] = async () => ({ hasOpenOrders: true, mustRetain: true });
    await expect(erase(room.acme, user, guard)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'user_has_open_orders',
    });
    expect(await everythingOf(user)).toEqual(before);
    expect(before.keys).toHaveLength(3);
  });

  it('asks about that user of that merchant, in the transaction of the erasure', async () => {
    const user = await create(room.acme);
    const asked: unknown[][] = [];
    const service = room.service({
      async erase(...question) {
        asked.push(question);
        return { hasOpenOrders: false, mustRetain: false };
      },
    });
    await room.database.transaction(async (tx) => {
      await service.erase(tx, by(room.acme), room.acme.merchant, user);
      expect(asked).toEqual([[tx, room.acme.merchant, user.id]]);
    });
  });

  it('changes nothing when the erasure guard fails', async () => {
    const user = await create(room.acme);
    const before = await everythingOf(user);
    await expect(erase(room.acme, user, () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    expect(await everythingOf(user)).toEqual(before);
  });
});

describe('the erasure of a user whose data must be retained', () => {
  it('destroys the profile and its key, and keeps the fields under the retained key only', async () => {
    const user = await create(room.acme);
    const place = ref(room.acme, user);
    const keyOf = async (purpose: KeyPurpose) => {
      const found = await findUserKey(room.database, place, purpose);
      return found && openUserKey(room.vault, found);
    };
    const destroyed = await keyOf('profile');
    await erase(room.acme, user, must);
    const { row, keys } = await everythingOf(user);
    expect(row).toMatchObject([{ status: 'deleted', profile: null }]);
    expect(keys.map((key) => key.purpose)).toEqual(['retained']);

    const retainedKey = await keyOf('retained');
    if (!retainedKey || !destroyed) throw new Error('a key is missing');
    const sealed = row[0].retained_profile;
    expect(openProfile(retainedKey, place, 'retained', sealed)).toEqual(ana);
    expect(() => openProfile(destroyed, place, 'retained', sealed)).toThrow();
    expect(() => openProfile(retainedKey, place, 'profile', sealed)).toThrow();
  });

  it.each([
    ['all of its keys', async () => ({ hasOpenOrders: false, mustRetain: false }), false],
    ['all but the retained key', must, true],
  ] as const)('takes %s from a node that has just read them', async (_keys, guard, isRetained) => {
    const user = await create(room.acme);
    const masters = { current: Buffer.from(testMasterKey, 'base64'), previous: undefined };
    const otherNode = room.service({}, { vault: await openVault(room.database, masters) });
    const seen = () =>
      Promise.all([
        otherNode.profile(room.database, room.acme.merchant, user.id as UserId),
        otherNode.beneficiaryKey(room.database, room.acme.merchant, user.id as UserId),
        otherNode.retainedKey(room.database, room.acme.merchant, user.id as UserId),
      ]);
    const before = await seen();
    expect(before).toEqual([ana, expect.any(Buffer), expect.any(Buffer)]);
    await erase(room.acme, user, guard);
    expect(await seen()).toEqual([undefined, undefined, isRetained ? before[2] : undefined]);
  });

  it('hides the user from every verb of the room', async () => {
    const user = await create(room.acme);
    await erase(room.acme, user, must);
    const service = room.service({ erase: must });
    const gone = { code: 'user_not_found' };
    await expect(service.details(room.database, room.acme.merchant, user)).rejects.toMatchObject(gone);
    await expect(
      room.database.transaction((tx) => service.update(tx, by(room.acme), room.acme.merchant, user, { city: 'X' })),
    ).rejects.toMatchObject(gone);
    await expect(erase(room.acme, user, must)).rejects.toMatchObject(gone);
  });

  it('is recorded with an end ten years later by the merchant’s clock, as Spain asks', async () => {
    await room.sql.query("INSERT INTO merchant_clocks VALUES ($1, '10 days')", [room.rival.merchant]);
    for (const [client, days] of [
      [room.acme, 0],
      [room.rival, 10],
    ] as const) {
      const user = await create(client);
      await erase(client, user, must);
      const { rows } = await room.sql.query(
        `SELECT extract(epoch FROM erased_at - clock_timestamp() - make_interval(days => $2))::float8 AS off_by,
                extract(epoch FROM retained_until - (erased_at + interval '10 years'))::float8 AS end_off_by,
                retention_ended_at
           FROM erasures WHERE user_id = $1`,
        [user.id, days],
      );
      expect(Math.abs(rows[0].off_by)).toBeLessThan(20);
      expect(Math.abs(rows[0].end_off_by)).toBeLessThan(1);
      expect(rows[0].retention_ended_at).toBeNull();
      expect((await auditRows(room.sql, 'user.erased')).at(-1)).toMatchObject({
        subject: `user:${user.id}`,
        details: { isRetained: true },
      });
    }
  });
});

describe('the end of retention', () => {
  const endRetention = () =>
    retentionJob({ database: room.database, users: room.service(), log: silentLog }).run(AbortSignal.timeout(60_000));
  const moveClock = (client: Client, ahead: string) =>
    room.sql.query(
      `INSERT INTO merchant_clocks VALUES ($1, $2::interval)
       ON CONFLICT (merchant_id) DO UPDATE SET ahead = excluded.ahead`,
      [client.merchant, ahead],
    );
  const isKept = async (user: SelectedUser) => {
    const { row, keys, erasures } = await everythingOf(user);
    return [row[0].retained_profile !== null, keys.length, erasures[0].retention_ended_at !== null];
  };

  it('is reached when the merchant’s clock has passed ten years, not a day before, and for that merchant only', async () => {
    const [user, other] = [await create(room.acme), await create(room.rival)];
    await erase(room.acme, user, must);
    await erase(room.rival, other, must);
    const active = await create(room.acme);

    await moveClock(room.acme, '10 years -1 day');
    expect(await endRetention()).toBe(0);
    expect(await isKept(user)).toEqual([true, 1, false]);

    await moveClock(room.acme, '10 years 1 day');
    expect(await endRetention()).toBeGreaterThan(0);
    expect(await isKept(user)).toEqual([false, 0, true]);
    expect(await isKept(other)).toEqual([true, 1, false]);
    expect((await everythingOf(active)).keys).toHaveLength(3);
    const ended = (await auditRows(room.sql, 'user.retention_ended')).filter(
      (entry) => entry.subject === `user:${user.id}`,
    );
    expect(ended).toMatchObject([{ actor: 'system:retention' }]);
    expect(await endRetention()).toBe(0);
  });

  it('is processed for the other users when it fails for one', async () => {
    const [bad, good] = [await create(room.acme), await create(room.acme)];
    for (const user of [bad, good]) await erase(room.acme, user, must);
    await moveClock(room.acme, '21 years');
    const users = room.service({
      async retentionEnded(_tx, _merchantId, userId) {
        if (userId === bad.id) throw new Error('broken');
      },
    });
    const job = retentionJob({ database: room.database, users, log: silentLog });
    await job.run(AbortSignal.timeout(60_000));
    expect(await isKept(bad)).toEqual([true, 1, false]);
    expect(await isKept(good)).toEqual([false, 0, true]);
    await endRetention();
    expect(await isKept(bad)).toEqual([false, 0, true]);
  });

  it('is processed in batches until nothing is due', async () => {
    for (let count = 0; count < 230; count += 1) await erase(room.acme, await create(room.acme), must);
    await moveClock(room.acme, '32 years');
    const done: number[] = [];
    for (;;) {
      const count = await endRetention();
      done.push(count);
      if (count === 0) break;
    }
    expect(done).toEqual([230, 0]);
    const { rows } = await room.sql.query(
      'SELECT count(*)::int AS n FROM users WHERE merchant_id = $1 AND retained_profile IS NOT NULL',
      [room.acme.merchant],
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('a change of an identity field', () => {
  async function changesTold(change: Partial<typeof ana>): Promise<unknown[]> {
    const user = await create(room.acme);
    const told: [number, number, readonly ProfileField[]][] = [];
    const service = room.service({
      async identityChanged(_tx, merchantId, userId, fields) {
        told.push([merchantId, userId, fields]);
      },
    });
    await room.database.transaction((tx) => service.update(tx, by(room.acme), room.acme.merchant, user, change));
    expect(told.every(([merchant, id]) => merchant === room.acme.merchant && id === user.id)).toBe(true);
    return told.map(([, , fields]) => fields);
  }

  it.each([
    [{ firstName: 'Eva' }, [['firstName']]],
    [{ lastName: 'Cruz' }, [['lastName']]],
    [{ address: '1 Plaza' }, [['address']]],
    [{ city: 'Alicante' }, [['city']]],
    [{ stateProvince: 'Alicante' }, [['stateProvince']]],
    [{ countryCode: 'FRA' }, [['countryCode']]],
    [{ postalCode: '03001' }, [['postalCode']]],
    [{ email: 'eva@example.org' }, []],
    [{ email: 'eva@example.org', city: 'Alicante', firstName: 'Ana' }, [['city']]],
    [{ countryCode: 'esp', city: ' Valencia ' }, []],
    [{}, []],
  ] as const)('%j tells of %j', async (change, expected) => {
    expect(await changesTold(change)).toEqual(expected);
  });

  it('is rolled back when the room that is notified fails', async () => {
    const user = await create(room.acme);
    const before = await everythingOf(user);
    const service = room.service({ identityChanged: () => Promise.reject(new Error('kyc is away')) });
    await expect(
      room.database.transaction((tx) =>
        service.update(tx, by(room.acme), room.acme.merchant, user, { city: 'Alicante' }),
      ),
    ).rejects.toThrow('kyc is away');
    expect(await everythingOf(user)).toEqual(before);
  });
});
