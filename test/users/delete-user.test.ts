/** DELETE /user */
import { describe, expect, it } from 'vitest';
import { auditRows } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';
import { ana, type MadeUser, newUser, told, userToken } from '../harness/users.js';

const users = useRemesa();

function erase(user: MadeUser, token = users.acme.token) {
  return users.api.call('DELETE', `/user?userId=${user.id}`, { token });
}

describe('DELETE /user 200', () => {
  it('answers an empty body, by either kind of token', async () => {
    const [one, two] = [await newUser(users, users.acme), await newUser(users, users.acme)];
    const token = await userToken(users, users.acme, two);
    for (const answer of [await erase(one), await users.api.call('DELETE', '/user', { token })]) {
      expect([answer.status, answer.text]).toEqual([200, '']);
      expect(answer.headers.get('content-length')).toBe('0');
      expect(answer.headers.get('content-type')).toBeNull();
    }
  });

  it('leaves only the id and a date of the user, no key and no profile', async () => {
    const user = await newUser(users, users.acme);
    await erase(user);
    const { rows } = await users.sql.query(
      `SELECT status, profile, retained_profile, e.erased_at IS NOT NULL AS is_erased, e.retained_until
         FROM users JOIN erasures AS e USING (merchant_id, user_id) WHERE user_id = $1`,
      [user.id],
    );
    expect(rows).toEqual([
      { status: 'deleted', profile: null, retained_profile: null, is_erased: true, retained_until: null },
    ]);
    const keys = await users.sql.query('SELECT 1 FROM user_keys WHERE user_id = $1', [user.id]);
    expect(keys.rows).toEqual([]);
  });

  it('ends the tokens of that user at once, also cached ones, and no others', async () => {
    const [user, other] = [await newUser(users, users.acme), await newUser(users, users.acme)];
    const tokens = [await userToken(users, users.acme, user), await userToken(users, users.acme, user)];
    const ofOther = await userToken(users, users.acme, other);
    const ask = async () =>
      Promise.all([...tokens, ofOther].map(async (token) => (await users.api.get('/user', { token })).status));
    expect(await ask()).toEqual([200, 200, 200]);
    expect((await erase(user)).status).toBe(200);
    expect(await ask()).toEqual([401, 401, 200]);
  });

  it('records the caller in the audit log, and no personal data', async () => {
    const user = await newUser(users, users.acme);
    await erase(user);
    const entries = (await auditRows(users.sql, 'user.erased')).filter((entry) => entry.subject === `user:${user.id}`);
    expect(entries).toMatchObject([{ actor: `merchant:${users.acme.merchant}`, details: { isRetained: false } }]);
  });

  it('never gives either id to another user', async () => {
    const user = await newUser(users, users.acme);
    await erase(user);
    const next = await newUser(users, users.acme);
    expect(next.id).toBeGreaterThan(user.id);
    expect(next.externalClientId).not.toBe(user.externalClientId);
  });

  it('erases once when many requests arrive at the same moment', async () => {
    const user = await newUser(users, users.acme);
    const answers = await Promise.all(Array.from({ length: 8 }, () => erase(user)));
    expect(answers.map(told).sort()).toEqual([[200, ''], ...Array.from({ length: 7 }, () => [404, 'user_not_found'])]);
  });

  it('leaves no profile when a PATCH arrives at the same moment, whichever comes first', async () => {
    for (let round = 0; round < 10; round += 1) {
      const user = await newUser(users, users.acme);
      const path = `/user?userId=${user.id}`;
      const change = users.api.call('PATCH', path, { token: users.acme.token, body: { city: 'Alicante' } });
      const [patched, erased] = await Promise.all([change, erase(user)]);
      expect(erased.status).toBe(200);
      expect([200, 404]).toContain(patched.status);
      const { rows } = await users.sql.query('SELECT status, profile FROM users WHERE user_id = $1', [user.id]);
      expect(rows).toEqual([{ status: 'deleted', profile: null }]);
    }
  });
});

describe('DELETE /user 404', () => {
  it('the second time', async () => {
    const user = await newUser(users, users.acme);
    expect((await erase(user)).status).toBe(200);
    expect(told(await erase(user))).toEqual([404, 'user_not_found']);
  });

  it('answers 404 for another merchant, and the user stays', async () => {
    const user = await newUser(users, users.acme);
    expect(told(await erase(user, users.rival.token))).toEqual([404, 'user_not_found']);
    const details = await users.api.get(`/user/details?userId=${user.id}`, { token: users.acme.token });
    expect(details.json).toEqual(ana);
  });
});
