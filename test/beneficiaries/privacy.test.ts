/** Beneficiaries are sealed under a key of their user, and go with the user. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BeneficiaryService } from '../../src/beneficiaries/service.js';
import { systemClock } from '../../src/clock.js';
import { userId } from '../../src/ids.js';
import { KeyVault } from '../../src/keys/vault.js';
import { rewrapKeys } from '../../src/users/rewrapping.js';
import { UserService } from '../../src/users/service.js';
import { testMasterKey } from '../harness/master-key.js';
import { useRemesa } from '../harness/remesa.js';
import { type MadeUser, newUser, told } from '../harness/users.js';
import { openVault } from '../users/room.js';
import { bakery, find, list, maria, remove, save, wanjiku } from './people.js';

const running = useRemesa();
const { sql, database } = running;

async function userWith(...bodies: readonly unknown[]): Promise<{ user: MadeUser; ids: string[] }> {
  const user = await newUser(running, running.acme);
  const ids: string[] = [];
  for (const body of bodies) ids.push((await save(running, running.acme, user, body)).json.id);
  return { user, ids };
}

const purposesOf = async (user: MadeUser) =>
  (await sql.query('SELECT purpose FROM user_keys WHERE user_id = $1 ORDER BY purpose', [user.id])).rows.map(
    ({ purpose }) => purpose,
  );
const rowsOf = async (user: MadeUser) =>
  (await sql.query('SELECT * FROM beneficiaries WHERE user_id = $1 ORDER BY created_at', [user.id])).rows;

describe('a stored beneficiary', () => {
  it('contains nothing readable', async () => {
    const { user } = await userWith(maria);
    // Ids are random, and may contain any digits.
    const [{ user_id: _, beneficiary_id: __, ...row }] = await rowsOf(user);
    const text = Object.values(row)
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
      .join(' ');
    expect(text).not.toMatch(/Mar|Guadalajara|0321|9719|MXN|bank/);
  });

  it('is in no line of the log', () => {
    expect(running.logText()).toContain('/beneficiaries');
    expect(running.logText()).not.toMatch(/María|Brien|032180000118359719|Guadalajara/);
  });

  it('stays readable when the profile changes, which replaces the profile key', async () => {
    const { user, ids } = await userWith(maria);
    const { token } = running.acme;
    const change = await running.api.call('PATCH', `/user?userId=${user.id}`, {
      token,
      body: { city: 'Alicante' },
    });
    expect(change.status).toBe(200);
    expect((await find(running, running.acme, user, ids[0] as string)).json).toMatchObject(maria);
  });

  it.each([
    ['to another user', 'UPDATE beneficiaries SET user_id = $2 WHERE beneficiary_id = $1', 'other'],
    ['to another version', 'UPDATE beneficiaries SET version = 2 WHERE beneficiary_id = $1', 'own'],
    ['to another account', "UPDATE beneficiaries SET account_hash = sha256('x') WHERE beneficiary_id = $1", 'own'],
  ])('does not open after it was moved %s', async (_where, statement, reader) => {
    const { user, ids } = await userWith(maria);
    const { user: other } = await userWith(wanjiku);
    await sql.query(statement, statement.includes('$2') ? [ids[0], other.id] : [ids[0]]);
    const answer = await find(running, running.acme, reader === 'own' ? user : other, ids[0] as string);
    expect(told(answer)).toEqual([500, 'internal_error']);
  });

  it('does not open with the content of another row', async () => {
    const { user, ids } = await userWith(maria, bakery);
    await sql.query(
      `UPDATE beneficiaries AS b SET sealed_details = other.sealed_details FROM beneficiaries AS other
        WHERE b.merchant_id = $3 AND b.beneficiary_id = $1 AND other.merchant_id = $3 AND other.beneficiary_id = $2`,
      [...ids, running.acme.merchant],
    );
    expect((await find(running, running.acme, user, ids[0] as string)).status).toBe(500);
    expect((await find(running, running.acme, user, ids[1] as string)).status).toBe(200);
  });

  it('is read for an order by its own user only', async () => {
    const { user, ids } = await userWith(maria);
    const { user: other } = await userWith(wanjiku);
    const service = new BeneficiaryService(await usersOf(await currentVault()));
    const read = (whose: MadeUser) =>
      database.transaction((tx) =>
        service.beneficiaryForOrder(tx, running.acme.merchant, userId(whose.id), ids[0] as string),
      );
    expect(await read(user)).toEqual(maria);
    await expect(read(other)).rejects.toMatchObject({ code: 'beneficiary_not_found' });
  });
});

describe('a beneficiary within an order', () => {
  it('is read like one of its own, and its faults name their place', async () => {
    const service = new BeneficiaryService(await usersOf(await currentVault()));
    expect(service.inlineBeneficiary(maria)).toEqual(maria);
    const wrong = { ...maria, lastName: '', account: { clabe: '1' } };
    expect(() => service.inlineBeneficiary(wrong)).toThrow(
      expect.objectContaining({
        code: 'invalid_fields',
        details: {
          errors: [
            expect.objectContaining({ field: 'beneficiary.lastName', code: 'too_short' }),
            expect.objectContaining({ field: 'beneficiary.account.clabe', code: 'too_short' }),
          ],
        },
      }),
    );
  });
});

describe('the erasure of a user', () => {
  const erase = (user: MadeUser) =>
    running.api.call('DELETE', `/user?userId=${user.id}`, { token: running.acme.token });

  it('deletes the beneficiaries and their key in one transaction', async () => {
    const { user, ids } = await userWith(maria, bakery);
    expect(await purposesOf(user)).toEqual(['beneficiaries', 'profile', 'retained']);
    expect((await erase(user)).status).toBe(200);
    expect(await rowsOf(user)).toEqual([]);
    expect(await purposesOf(user)).toEqual([]);
    expect(told(await find(running, running.acme, user, ids[0] as string))).toEqual([404, 'user_not_found']);
  });

  it('leaves the beneficiaries of others alone', async () => {
    const { user } = await userWith(maria);
    const { user: other } = await userWith(maria);
    await erase(user);
    expect((await list(running, running.acme, other)).json).toHaveLength(1);
  });

  it('leaves nothing behind when beneficiaries are added at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { user } = await userWith(maria);
      const [erased, ...added] = await Promise.all([
        erase(user),
        save(running, running.acme, user, bakery),
        save(running, running.acme, user, wanjiku),
      ]);
      expect(erased.status).toBe(200);
      for (const answer of added) expect([200, 404]).toContain(answer.status);
      expect(await rowsOf(user)).toEqual([]);
      expect(await purposesOf(user)).toEqual([]);
    }
  });

  it('is not needed to delete one: the key of the others stays', async () => {
    const { user, ids } = await userWith(maria, bakery);
    await remove(running, running.acme, user, ids[0] as string);
    expect((await find(running, running.acme, user, ids[1] as string)).json.companyName).toBe(bakery.companyName);
  });
});

// Last, because it changes the master key of the file's database.
describe('a new master key', () => {
  it('wraps the keys of beneficiaries, and every beneficiary opens under it', async () => {
    const { user, ids } = await userWith(maria);
    const previous = Buffer.from(testMasterKey, 'base64');
    const vault = await openVault(database, { current: randomBytes(32), previous });
    await rewrapKeys(database, vault, () => {});
    const { rows } = await sql.query(
      `SELECT master_key_version FROM user_keys WHERE user_id = $1 AND purpose = 'beneficiaries'`,
      [user.id],
    );
    expect(rows).toEqual([{ master_key_version: 2 }]);
    const service = new BeneficiaryService(await usersOf(await KeyVault.open(database, vault.masters)));
    const owner = { merchantId: running.acme.merchant, userId: userId(user.id) };
    expect((await service.find(database, owner, ids[0] as string)).details).toEqual(maria);
  });
});

function currentVault(): Promise<KeyVault> {
  return openVault(database, { current: Buffer.from(testMasterKey, 'base64'), previous: undefined });
}

async function usersOf(vault: KeyVault): Promise<UserService> {
  return new UserService({
    vault,
    clock: systemClock,
    retentionYears: 5,
  });
}
