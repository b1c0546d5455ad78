/** PATCH /user and GET /user/details */
import { describe, expect, it } from 'vitest';
import { auditRows } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';
import { ana, detailsOf, type MadeUser, newUser, told, userToken } from '../harness/users.js';

const users = useRemesa();

function patch(user: MadeUser, body: unknown, ask: { key?: string; token?: string } = {}) {
  return users.api.call('PATCH', `/user?userId=${user.id}`, { token: users.acme.token, ...ask, body });
}

async function row(user: MadeUser) {
  const { rows } = await users.sql.query(
    'SELECT profile, updated_at::text AS updated_at FROM users WHERE user_id = $1',
    [user.id],
  );
  return rows[0];
}

const auditOf = async (user: MadeUser) =>
  (await auditRows(users.sql, 'user.updated')).filter((entry) => entry.subject === `user:${user.id}`);

describe('PATCH /user 200', () => {
  it.each([
    ['firstName', 'Eva'],
    ['lastName', 'de la Cruz'],
    ['email', 'eva@example.org'],
    ['address', '1 Plaza Mayor'],
    ['city', 'Alicante'],
    ['stateProvince', 'Alicante'],
    ['countryCode', 'FR'],
    ['postalCode', '03001'],
  ] as const)('changes %s and nothing else, and answers id and externalClientId', async (field, value) => {
    const user = await newUser(users, users.acme);
    const answer = await patch(user, { [field]: value });
    expect([answer.status, answer.json]).toEqual([200, user]);
    expect(await detailsOf(users, users.acme, user)).toEqual({ ...ana, [field]: value });
  });

  it('changes all eight fields at once', async () => {
    const other = {
      firstName: 'Eva',
      lastName: 'Cruz',
      email: 'eva@example.org',
      address: '1 Plaza',
      city: 'Lyon',
      stateProvince: 'Rhône',
      countryCode: 'FR',
      postalCode: '69001',
    };
    const user = await newUser(users, users.acme);
    expect((await patch(user, other)).status).toBe(200);
    expect(await detailsOf(users, users.acme, user)).toEqual(other);
  });

  it('changes nothing for an empty object, not even the time of the last change', async () => {
    const user = await newUser(users, users.acme);
    const before = await row(user);
    const answer = await patch(user, {});
    expect([answer.status, answer.json]).toEqual([200, user]);
    expect(await row(user)).toEqual(before);
    expect(await auditOf(user)).toEqual([]);
  });

  it('changes nothing for values that are the same after they are normalised', async () => {
    const user = await newUser(users, users.acme);
    const before = await row(user);
    const same = { firstName: '  Ana ', countryCode: 'esp', city: 'Valencia' };
    expect((await patch(user, same)).status).toBe(200);
    expect(await row(user)).toEqual(before);
    expect(await auditOf(user)).toEqual([]);
  });

  it('records the caller and the changed fields in the audit log, without values', async () => {
    const user = await newUser(users, users.acme);
    const token = await userToken(users, users.acme, user);
    await patch(user, { city: 'Alicante', firstName: 'Ana', postalCode: '03001' }, { token });
    const [entry, ...others] = await auditOf(user);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actor: `user:${user.id}`,
      action: 'user.updated',
      details: { fields: ['city', 'postalCode'] },
    });
  });

  it('seals the profile differently each time', async () => {
    const user = await newUser(users, users.acme);
    const sealed = [(await row(user)).profile.toString('hex')];
    for (const city of ['Alicante', 'Valencia']) {
      await patch(user, { city });
      sealed.push((await row(user)).profile.toString('hex'));
    }
    expect(new Set(sealed).size).toBe(3);
    expect(new Set(sealed.map((text) => text.slice(0, 24))).size).toBe(3);
  });

  it('keeps both of two changes that arrive at the same moment', async () => {
    const user = await newUser(users, users.acme);
    const changes = [{ city: 'Alicante' }, { firstName: 'Eva' }, { postalCode: '03001' }, { lastName: 'Cruz' }];
    const answers = await Promise.all(changes.map((change) => patch(user, change)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(await detailsOf(users, users.acme, user)).toEqual({
      ...ana,
      city: 'Alicante',
      firstName: 'Eva',
      postalCode: '03001',
      lastName: 'Cruz',
    });
  });
});

describe('PATCH /user with an Idempotency-Key', () => {
  it('changes once and repeats its answer byte for byte', async () => {
    const user = await newUser(users, users.acme);
    const first = await patch(user, { city: 'Alicante' }, { key: 'patch-1' });
    await patch(user, { city: 'Madrid' });
    const second = await patch(user, { city: 'Alicante' }, { key: 'patch-1' });
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await detailsOf(users, users.acme, user)).city).toBe('Madrid');
    expect(await auditOf(user)).toHaveLength(2);
  });

  it('keeps the keys of users apart, however the user was selected', async () => {
    const [one, two] = [await newUser(users, users.acme), await newUser(users, users.acme)];
    for (const user of [one, two]) {
      const token = await userToken(users, users.acme, user);
      const answer = await users.api.call('PATCH', '/user', {
        token,
        key: 'same',
        body: { city: 'Alicante' },
      });
      expect(answer.headers.get('idempotent-replayed')).toBeNull();
      expect(answer.json).toEqual(user);
    }
  });

  it('returns no stored answer for a user who was deleted meanwhile', async () => {
    const user = await newUser(users, users.acme);
    await patch(user, { city: 'Alicante' }, { key: 'patch-2' });
    await users.api.call('DELETE', `/user?userId=${user.id}`, { token: users.acme.token });
    expect(told(await patch(user, { city: 'Alicante' }, { key: 'patch-2' }))).toEqual([404, 'user_not_found']);
  });
});

describe('PATCH /user 400', () => {
  it('names every fault at once, and changes nothing when only one field is wrong', async () => {
    const user = await newUser(users, users.acme);
    const answer = await patch(user, {
      firstName: 'Eva',
      email: 'x',
      countryCode: 'Spain',
      city: null,
      age: 3,
    });
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    const codes = answer.json.errors.map(({ field, code }: { field: string; code: string }) => [field, code]);
    expect(codes.sort()).toEqual([
      ['age', 'unknown_field'],
      ['city', 'wrong_type'],
      ['countryCode', 'too_long'],
      ['email', 'wrong_format'],
    ]);
    expect(await detailsOf(users, users.acme, user)).toEqual(ana);
  });

  it.each(['id', 'merchantId', 'status', 'externalClientId', 'profile', 'constructor'])(
    'refuses a caller who would set %s',
    async (field) => {
      const user = await newUser(users, users.acme);
      const before = await row(user);
      const answer = await patch(user, { city: 'Alicante', [field]: 'x' });
      expect(answer.json.errors).toEqual([{ field, code: 'unknown_field', message: 'is not a field of this request' }]);
      expect(await row(user)).toEqual(before);
    },
  );

  it('refuses __proto__ and an empty body', async () => {
    const user = await newUser(users, users.acme);
    for (const text of ['{"__proto__":{"city":"Alicante"}}', '']) {
      const answer = await users.api.call('PATCH', `/user?userId=${user.id}`, {
        token: users.acme.token,
        text,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(400);
    }
    expect(await detailsOf(users, users.acme, user)).toEqual(ana);
  });
});

describe('GET /user/details 200', () => {
  it('returns exactly the eight fields, and forbids caching', async () => {
    const user = await newUser(users, users.acme);
    const answer = await users.api.get(`/user/details?userId=${user.id}`, { token: users.acme.token });
    expect(Object.keys(answer.json)).toEqual([
      'firstName',
      'lastName',
      'email',
      'address',
      'city',
      'stateProvince',
      'countryCode',
      'postalCode',
    ]);
    expect(answer.json).toEqual(ana);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});
