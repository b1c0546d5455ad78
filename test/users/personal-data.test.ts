/** No personal data in plain text anywhere, and no ciphertext that opens in another place. */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { merchantId, type PublicId, userId } from '../../src/ids.js';
import { BrokenSeal, open, seal } from '../../src/keys/sealing.js';
import type { KeyVault } from '../../src/keys/vault.js';
import { findUserKey } from '../../src/users/key-store.js';
import { openProfile, sealProfile } from '../../src/users/personal-data.js';
import type { Profile } from '../../src/users/user.js';
import { openUserKey } from '../../src/users/user-keys.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { useRemesa } from '../harness/remesa.js';
import { ana, detailsOf, type MadeUser, newUser, told } from '../harness/users.js';
import { openVault } from './room.js';

const users = useRemesa();

/** A profile with a word in every field that occurs nowhere else. */
function markedProfile(marker: string): Profile {
  return {
    firstName: `${marker}First`,
    lastName: `${marker}Last`,
    email: `${marker}mail@example.com`,
    address: `${marker}Street`,
    city: `${marker}City`,
    stateProvince: `${marker}State`,
    countryCode: 'ES',
    postalCode: `${marker}Post`,
  };
}

/** Returns every row of every table as text. */
async function wholeDatabase(sql: pg.Pool): Promise<string> {
  const { rows: tables } = await sql.query<{ name: string }>(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql.query(`SELECT t::text AS row FROM ${name} AS t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

describe('personal data', () => {
  it('is in no row, log line, figure, audit entry, stored answer or refusal', async () => {
    const marker = 'Zaphod42';
    const { token } = users.acme;
    const profile = markedProfile(marker);
    const made = await users.api.post('/user', { token, key: 'marked', body: profile });
    const path = `/user?userId=${made.json.id}`;
    const other = markedProfile(`${marker}x`);
    const bad = Object.fromEntries(Object.keys(ana).map((field) => [field, `${marker}\u0007`.repeat(60)]));
    const answers = [
      made,
      await users.api.post('/user', { token, key: 'marked', body: profile }),
      await users.api.post('/user', { token, key: 'marked', body: other }),
      await users.api.call('PATCH', path, { token, key: 'marked-patch', body: other }),
      await users.api.post('/user', { token, body: bad }),
      await users.api.post('/user', { token, body: { ...profile, email: marker, countryCode: marker } }),
      await users.api.post('/user', { token, text: `{"firstName":"${marker}` }),
      await users.api.call('PATCH', path, { token, body: { firstName: { name: marker } } }),
      await users.api.get(path, { token }),
      await users.api.get('/merchant/users', { token }),
      await users.api.call('DELETE', `${path}&note=${marker}`, { token }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 422, 200, 400, 400, 400, 400, 200, 200, 200]);
    for (const answer of answers) expect(`${answer.text}${[...answer.headers]}`).not.toContain(marker);

    const database = await wholeDatabase(users.sql);
    expect(database).toContain('user.updated');
    expect(database).toContain(made.json.externalClientId);
    expect(database).not.toContain(marker);
    expect(database).not.toContain(Buffer.from(marker).toString('hex'));
    await eventually(() => users.logText().split('"msg":"request"').length > answers.length);
    expect(users.logText()).not.toContain(marker);
    const metrics = await (await fetch(`${users.service.url}/metrics`)).text();
    expect(metrics).toContain('route="/user"');
    expect(metrics).not.toContain(marker);
  });
});

describe('the keys of a user', () => {
  it('are three different keys, each bound to the user, the purpose and the version of the master key', async () => {
    const user = await newUser(users, users.acme);
    const place = {
      merchantId: users.acme.merchant,
      userId: userId(user.id),
      externalClientId: user.externalClientId as PublicId<'cli'>,
    };
    const vault = await currentVault();
    const [profile, beneficiaries, retained] = await Promise.all(
      (['profile', 'beneficiaries', 'retained'] as const).map((purpose) => findUserKey(users.database, place, purpose)),
    );
    if (!profile || !beneficiaries || !retained) throw new Error('a key is missing');
    for (const change of [
      { merchantId: users.rival.merchant },
      { userId: userId(user.id + 1) },
      { purpose: 'retained' },
      { wrapped: retained.wrapped },
      { version: 2 },
    ] as const) {
      expect(() => openUserKey(vault, { ...profile, ...change })).toThrow(BrokenSeal);
    }
    const opened = [profile, beneficiaries, retained].map((key) => openUserKey(vault, key));
    expect(opened.map((key) => key.length)).toEqual([32, 32, 32]);
    expect(new Set(opened.map((key) => key.toString('hex'))).size).toBe(3);
    const { rows: stored } = await users.sql.query('SELECT profile FROM users WHERE user_id = $1', [user.id]);
    const [profileKey, , retainedKey] = opened as [Buffer, Buffer, Buffer];
    expect(openProfile(profileKey, place, 'profile', stored[0].profile)).toEqual(ana);
    expect(() => openProfile(retainedKey, place, 'profile', stored[0].profile)).toThrow();
  });

  it('belong to one user: the same person registered twice has six different keys and two different ciphertexts', async () => {
    const made = [await newUser(users, users.acme), await newUser(users, users.acme)];
    const { rows } = await users.sql.query(
      `SELECT wrapped_key AS bytes FROM user_keys WHERE user_id = ANY ($1)
       UNION ALL SELECT profile FROM users WHERE user_id = ANY ($1)`,
      [made.map((user) => user.id)],
    );
    expect(new Set(rows.map(({ bytes }) => bytes.toString('hex'))).size).toBe(8);
  });

  it('exist for a known user only: the database refuses others', async () => {
    const insert = users.sql.query(`INSERT INTO user_keys VALUES ($1, 1, 'profile', 1, '')`, [users.acme.merchant]);
    await expect(insert).rejects.toMatchObject({ code: '23503' });
  });
});

describe('a ciphertext that was moved', () => {
  const marker = 'Marvin99';

  /** Changes the rows by SQL, then requests the details of the user. */
  async function detailsAfter(tampering: string, values: unknown[], victim: MadeUser, merchant = users.acme) {
    const changed = await users.sql.query(tampering, values);
    expect(changed.rowCount).toBeGreaterThan(0);
    const headers = { 'x-request-id': `req-${randomBytes(6).toString('hex')}` };
    const answer = await users.api.get(`/user/details?userId=${victim.id}`, {
      token: merchant.token,
      headers,
    });
    expect(told(answer)).toEqual([500, 'internal_error']);
    expect(answer.text).not.toMatch(/Marvin|Ana|Reyes|Valencia|key|auth|cipher/i);
    const line = await eventually(() => faultOf(headers['x-request-id']));
    expect(line).toMatch(/changed, moved or restored|no master key of version/);
    expect(users.logText()).not.toMatch(/Marvin99|Reyes Núñez/);
  }

  /** Finds the log line with the reason why a request failed. */
  function faultOf(requestId: string): string | undefined {
    const lines = users.logText().split('\n');
    return lines.find((line) => line.includes(requestId) && line.includes('"err"'));
  }

  it('does not open after the user’s external id was replaced by that of another user', async () => {
    const [one, other] = [await newUser(users, users.acme, markedProfile(marker)), await newUser(users, users.acme)];
    await users.sql.query(`UPDATE users SET external_client_id = 'cli_aside' WHERE user_id = $1`, [one.id]);
    const swap = `UPDATE users AS u SET external_client_id = $3, profile = (SELECT profile FROM users WHERE user_id = $1)
       WHERE u.user_id = $2`;
    const { rows } = await users.sql.query('SELECT profile FROM users WHERE user_id = $1', [other.id]);
    await detailsAfter(swap, [one.id, other.id, one.externalClientId], other);
    const back = 'UPDATE users SET external_client_id = $3, profile = $2 WHERE user_id = $1';
    await detailsAfter(back, [one.id, rows[0].profile, other.externalClientId], one);
  });

  it('does not open when it is an earlier profile of the same user', async () => {
    const user = await newUser(users, users.acme, markedProfile(marker));
    const { rows } = await users.sql.query('SELECT profile FROM users WHERE user_id = $1', [user.id]);
    await patch(user, { city: 'Sevilla' });
    const { rows: after } = await users.sql.query('SELECT profile FROM users WHERE user_id = $1', [user.id]);
    await detailsAfter('UPDATE users SET profile = $2 WHERE user_id = $1', [user.id, rows[0].profile], user);
    await users.sql.query('UPDATE users SET profile = $2 WHERE user_id = $1', [user.id, after[0].profile]);
    expect(await detailsOf(users, users.acme, user)).toEqual({ ...markedProfile(marker), city: 'Sevilla' });
  });

  it('does not open when its key is an earlier key of the same user', async () => {
    const user = await newUser(users, users.acme, markedProfile(marker));
    const keyOf = `SELECT wrapped_key FROM user_keys WHERE user_id = $1 AND purpose = 'profile'`;
    const { rows } = await users.sql.query(keyOf, [user.id]);
    await patch(user, { city: 'Sevilla' });
    const text = `UPDATE user_keys SET wrapped_key = $2 WHERE user_id = $1 AND purpose = 'profile'`;
    await detailsAfter(text, [user.id, rows[0].wrapped_key], user);
  });

  async function patch(user: MadeUser, body: Partial<Profile>): Promise<void> {
    const { token } = users.acme;
    const answer = await users.api.call('PATCH', `/user?userId=${user.id}`, { token, body });
    expect(answer.status).toBe(200);
  }

  it('does not open in another row of the merchant', async () => {
    const [from, to] = [await newUser(users, users.acme, markedProfile(marker)), await newUser(users, users.acme)];
    const text = 'UPDATE users SET profile = (SELECT profile FROM users WHERE user_id = $1) WHERE user_id = $2';
    await detailsAfter(text, [from.id, to.id], to);
    expect(await detailsOf(users, users.acme, from)).toEqual(markedProfile(marker));
  });

  it('does not open in another row, even together with its key', async () => {
    const [from, to] = [await newUser(users, users.acme, markedProfile(marker)), await newUser(users, users.acme)];
    await users.sql.query(
      'UPDATE users SET profile = (SELECT profile FROM users WHERE user_id = $1) WHERE user_id = $2',
      [from.id, to.id],
    );
    const text = `UPDATE user_keys AS k SET wrapped_key = other.wrapped_key FROM user_keys AS other
       WHERE k.user_id = $2 AND other.user_id = $1 AND k.purpose = other.purpose`;
    await detailsAfter(text, [from.id, to.id], to);
  });

  it('does not open for another merchant, neither alone nor with its key nor with its external id', async () => {
    const [from, to] = [await newUser(users, users.acme, markedProfile(marker)), await newUser(users, users.rival)];
    const profile = 'UPDATE users SET profile = (SELECT profile FROM users WHERE user_id = $1) WHERE user_id = $2';
    await detailsAfter(profile, [from.id, to.id], to, users.rival);
    const keys = `UPDATE user_keys AS k SET wrapped_key = other.wrapped_key FROM user_keys AS other
       WHERE k.user_id = $2 AND other.user_id = $1 AND k.purpose = other.purpose`;
    await detailsAfter(keys, [from.id, to.id], to, users.rival);
    const names = 'UPDATE users SET external_client_id = $1 WHERE user_id = $2';
    await detailsAfter(names, [from.externalClientId, to.id], to, users.rival);
  });

  it('does not open under the other key of the same user', async () => {
    const user = await newUser(users, users.acme);
    const text = `UPDATE user_keys AS k SET wrapped_key = other.wrapped_key FROM user_keys AS other
       WHERE k.user_id = $1 AND other.user_id = $1 AND k.purpose = 'profile' AND other.purpose = 'retained'`;
    await detailsAfter(text, [user.id], user);
  });

  it('does not open when it was shortened or emptied', async () => {
    for (const bytes of ["''::bytea", 'substring(profile FROM 1 FOR 12)', 'substring(profile FROM 1 FOR 28)']) {
      const user = await newUser(users, users.acme);
      await detailsAfter(`UPDATE users SET profile = ${bytes} WHERE user_id = $1`, [user.id], user);
    }
  });

  it('makes a PATCH fail and leaves the user unchanged', async () => {
    const user = await newUser(users, users.acme);
    await users.sql.query("UPDATE users SET profile = profile || '\\x00' WHERE user_id = $1", [user.id]);
    const before = await users.sql.query('SELECT * FROM users WHERE user_id = $1', [user.id]);
    const answer = await users.api.call('PATCH', `/user?userId=${user.id}`, {
      token: users.acme.token,
      body: { city: 'X' },
    });
    expect(told(answer)).toEqual([500, 'internal_error']);
    expect((await users.sql.query('SELECT * FROM users WHERE user_id = $1', [user.id])).rows).toEqual(before.rows);
  });

  it('does not prevent the deletion of the user', async () => {
    const user = await newUser(users, users.acme);
    await users.sql.query("UPDATE users SET profile = '\\x00' WHERE user_id = $1", [user.id]);
    const answer = await users.api.call('DELETE', `/user?userId=${user.id}`, { token: users.acme.token });
    expect(answer.status).toBe(200);
  });
});

function currentVault(): Promise<KeyVault> {
  return openVault(users.database, { current: Buffer.from(testMasterKey, 'base64'), previous: undefined });
}

describe('a sealed text', () => {
  const place = {
    merchantId: merchantId(1),
    userId: userId(7),
    externalClientId: 'cli_00000000000000000000000000' as PublicId<'cli'>,
  };

  it('does not open when any single bit was changed', () => {
    const key = randomBytes(32);
    const sealed = sealProfile(key, place, 'profile', ana);
    expect(openProfile(key, place, 'profile', sealed)).toEqual(ana);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const turned = Buffer.from(sealed);
      turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => openProfile(key, place, 'profile', turned), `bit ${bit}`).toThrow();
    }
  });

  it('does not open with another key, in another column, row or merchant', () => {
    const key = randomBytes(32);
    const otherKey = randomBytes(32);
    const sealed = sealProfile(key, place, 'profile', ana);
    const elsewhere = [
      () => openProfile(otherKey, place, 'profile', sealed),
      () => openProfile(key, place, 'retained', sealed),
      () => openProfile(key, { ...place, merchantId: merchantId(2) }, 'profile', sealed),
      () => openProfile(key, { ...place, userId: userId(8) }, 'profile', sealed),
      () =>
        openProfile(
          key,
          { ...place, externalClientId: 'cli_00000000000000000000000001' as PublicId<'cli'> },
          'profile',
          sealed,
        ),
    ];
    for (const attempt of elsewhere) expect(attempt).toThrow();
  });

  it('does not open when any part of its end is missing', () => {
    const key = randomBytes(32);
    const sealed = seal(key, Buffer.from('secret'), 'here');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => open(key, sealed.subarray(0, length), 'here'), `${length} bytes`).toThrow();
    }
    expect(open(key, sealed, 'here').toString()).toBe('secret');
  });

  it('never begins with the same nonce twice', () => {
    const key = randomBytes(32);
    const nonces = Array.from({ length: 1000 }, () => seal(key, Buffer.from('x'), 'here').toString('hex', 0, 12));
    expect(new Set(nonces).size).toBe(1000);
  });
});
