/** An id is unique and greater than earlier ones, and does not reveal how many users other merchants have. */
import { describe, expect, it } from 'vitest';
import { newPublicId, newUserId } from '../../src/ids.js';
import { addUser } from '../../src/users/store.js';
import { bySystem } from '../harness/access.js';
import { ana } from '../harness/users.js';
import { useUsersRoom } from './room.js';

const room = useUsersRoom();

describe('a new user id', () => {
  it('contains the milliseconds since 2025 and no count of users: ids of one moment differ only in 12 random bits', () => {
    const now = new Date('2026-11-15T10:00:00.123Z');
    const ids = Array.from({ length: 2000 }, () => newUserId(now));
    expect(new Set(ids.map((id) => Math.floor(id / 4096)))).toEqual(new Set([59_047_200_123]));
    expect(new Set(ids.map((id) => id % 4096)).size).toBeGreaterThan(1000);
    const steps = ids.slice(1).map((id, index) => Math.sign(id - (ids[index] as number)));
    expect(new Set(steps)).toContain(-1);
    expect(new Set(steps)).toContain(1);
  });

  it('is greater than every id of an earlier millisecond, and exact in JSON until 2094', () => {
    const at = Date.parse('2026-11-15T10:00:00.000Z');
    for (let ms = 0; ms < 100; ms += 1) {
      expect(newUserId(new Date(at + ms + 1))).toBeGreaterThan(newUserId(new Date(at + ms)));
    }
    expect(Number.isSafeInteger(newUserId(new Date('2094-09-01T00:00:00.000Z')))).toBe(true);
  });

  it('is drawn again when it is taken, so that all users of one millisecond are created', async () => {
    const number = 400;
    const users = room.service({}, { clock: { now: () => new Date('2026-11-15T10:00:00.000Z') } });
    const made = await room.database.transaction(async (tx) => {
      const ids: number[] = [];
      for (let n = 0; n < number; n += 1) ids.push((await users.create(tx, bySystem, room.acme.merchant, ana)).id);
      return ids;
    });
    expect(new Set(made).size).toBe(number);
    const { rows } = await room.sql.query(
      `SELECT count(*)::int AS users, (SELECT count(*)::int FROM user_keys WHERE merchant_id = $1) AS keys
         FROM users WHERE merchant_id = $1`,
      [room.acme.merchant],
    );
    expect(rows).toEqual([{ users: number, keys: 3 * number }]);
  });

  it('is given to one of several transactions that draw it at the same moment; the others find it taken', async () => {
    const sealedProfile = Buffer.alloc(300);
    const key = { purpose: 'profile', wrapped: Buffer.alloc(60), version: 1 } as const;
    for (let round = 0; round < 100; round += 1) {
      const id = newUserId(new Date());
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, () => {
          const user = { merchantId: room.rival.merchant, userId: id, externalClientId: newPublicId('cli') };
          return room.database.transaction((tx) => addUser(tx, { ...user, sealedProfile }, [key]));
        }),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
    }
  });

  it('does not come from a sequence, which would reveal the number of users', async () => {
    const { rows } = await room.sql.query(`SELECT pg_get_serial_sequence('users', 'user_id') AS sequence`);
    expect(rows).toEqual([{ sequence: null }]);
  });
});
