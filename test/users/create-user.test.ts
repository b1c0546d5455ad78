/** POST /user */
import { describe, expect, it } from 'vitest';
import { tokenOf } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';
import { ana, detailsOf, newUser, told, userToken } from '../harness/users.js';

const users = useRemesa();
const countUsers = async () =>
  (await users.sql.query('SELECT count(*)::int AS n FROM users WHERE merchant_id = $1', [users.acme.merchant])).rows[0]
    .n;

function create(body: unknown, ask: { token?: string; key?: string; headers?: Record<string, string> } = {}) {
  return users.api.post('/user', { token: users.acme.token, ...ask, body });
}

describe('POST /user 200', () => {
  it('answers exactly id and externalClientId, as in the contract', async () => {
    const answer = await create(ana);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(answer.json).sort()).toEqual(['externalClientId', 'id']);
    expect(Number.isSafeInteger(answer.json.id)).toBe(true);
    expect(answer.json.externalClientId).toMatch(/^cli_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('stores the eight fields as they were sent, without white space at the ends', async () => {
    const padded = Object.fromEntries(Object.entries(ana).map(([field, value]) => [field, ` \u3000\t${value}\n `]));
    const answer = await create(padded);
    expect(await detailsOf(users, users.acme, answer.json)).toEqual(ana);
  });

  it('creates two users from two equal requests without a key', async () => {
    const [one, two] = [await newUser(users, users.acme), await newUser(users, users.acme)];
    expect(one.id).not.toBe(two.id);
    expect(one.externalClientId).not.toBe(two.externalClientId);
  });

  it('ignores a user selector', async () => {
    const first = await newUser(users, users.acme);
    const answer = await users.api.post(`/user?userId=${first.id}`, { token: users.acme.token, body: ana });
    expect(answer.status).toBe(200);
    expect(answer.json.id).not.toBe(first.id);
  });
});

describe('POST /user with an Idempotency-Key', () => {
  it('creates one user and repeats its answer byte for byte', async () => {
    const before = await countUsers();
    const first = await create(ana, { key: 'create-1' });
    const second = await create(ana, { key: 'create-1' });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await countUsers()).toBe(before + 1);
  });

  it('creates one user also when many equal requests arrive at once', async () => {
    const before = await countUsers();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(ana, { key: 'crowd' })));
    const made = answers.filter((answer) => answer.status === 200);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map((answer) => answer.text)).size).toBe(1);
    const others = answers.filter((answer) => answer.status !== 200).map(told);
    expect(others).toEqual(others.map(() => [409, 'idempotency_in_progress']));
    expect(await countUsers()).toBe(before + 1);
  });

  it('refuses the key for another body, and creates no user', async () => {
    await create(ana, { key: 'create-2' });
    const before = await countUsers();
    const answer = await create({ ...ana, firstName: 'Eva' }, { key: 'create-2' });
    expect(told(answer)).toEqual([422, 'idempotency_key_reused']);
    expect(await countUsers()).toBe(before);
  });

  it('does not store a refusal: the corrected request succeeds with the same key', async () => {
    expect(told(await create({}, { key: 'create-3' }))).toEqual([400, 'invalid_fields']);
    expect((await create(ana, { key: 'create-3' })).status).toBe(200);
  });

  it('keeps the keys of merchants apart', async () => {
    const mine = await create(ana, { key: 'same-word' });
    const theirs = await create(ana, { key: 'same-word', token: users.rival.token });
    expect(theirs.headers.get('idempotent-replayed')).toBeNull();
    expect(theirs.json.id).not.toBe(mine.json.id);
  });
});

describe('POST /user 400', () => {
  const faults = async (body: unknown) => {
    const answer = await create(body);
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    const errors = answer.json.errors as { field: string }[];
    return errors.sort((one, other) => (one.field < other.field ? -1 : 1));
  };

  it('names every field that is missing', async () => {
    const fields = ['address', 'city', 'countryCode', 'email', 'firstName', 'lastName', 'postalCode', 'stateProvince'];
    expect(await faults({})).toEqual(fields.map((field) => ({ field, code: 'required', message: 'is required' })));
  });

  it('names every fault of every field at once, with its limits, and every unknown field', async () => {
    const before = await countUsers();
    const body = {
      firstName: ' \t ',
      lastName: 'x'.repeat(101),
      email: 'nobody',
      address: 5,
      city: 'Val\u0007encia',
      countryCode: 'XX',
      postalCode: null,
      nickname: 'Anita',
      phone: '+34',
    };
    expect(await faults(body)).toEqual([
      { field: 'address', code: 'wrong_type', message: 'must be a string', expected: 'string' },
      { field: 'city', code: 'wrong_format', message: 'must not contain control or invisible characters' },
      {
        field: 'countryCode',
        code: 'not_allowed',
        message: 'must be an ISO 3166-1 country code of two or three letters',
      },
      { field: 'email', code: 'wrong_format', message: 'must be an e-mail address' },
      { field: 'firstName', code: 'too_short', message: 'must not be empty', min: 1 },
      { field: 'lastName', code: 'too_long', message: 'must have at most 100 characters', max: 100 },
      { field: 'nickname', code: 'unknown_field', message: 'is not a field of this request' },
      { field: 'phone', code: 'unknown_field', message: 'is not a field of this request' },
      { field: 'postalCode', code: 'wrong_type', message: 'must be a string', expected: 'string' },
      { field: 'stateProvince', code: 'required', message: 'is required' },
    ]);
    expect(await countUsers()).toBe(before);
  });

  it.each([
    ['id', 1],
    ['userId', 1],
    ['user_id', 1],
    ['merchantId', 2],
    ['merchant_id', 2],
    ['status', 'deleted'],
    ['externalClientId', 'cli_00000000000000000000000000'],
    ['createdAt', '2020-01-01T00:00:00Z'],
    ['profile', 'x'],
    ['constructor', {}],
    ['toString', 'x'],
    ['FirstName', 'Ana'],
  ])('refuses a caller that tries to set %s', async (field, value) => {
    const before = await countUsers();
    expect(await faults({ ...ana, [field]: value })).toEqual([
      { field, code: 'unknown_field', message: 'is not a field of this request' },
    ]);
    expect(await countUsers()).toBe(before);
  });

  it('refuses __proto__, which the check for unknown fields would miss', async () => {
    const text = `${JSON.stringify(ana).slice(0, -1)},"__proto__":{"status":"deleted"}}`;
    expect(told(await users.api.post('/user', { token: users.acme.token, text }))).toEqual([400, 'malformed_body']);
  });

  it.each([
    ['an array', [ana]],
    ['a text', 'ana'],
    ['a number', 7],
    ['null', null],
    ['a list for a field', { ...ana, city: ['Valencia'] }],
    ['an object for a field', { ...ana, city: { toString: 'Valencia' } }],
    ['true for a field', { ...ana, city: true }],
  ])('refuses %s', async (_what, body) => {
    expect(told(await create(body))).toEqual([400, 'invalid_fields']);
  });

  it('refuses a repeated field, a malformed body and an empty one', async () => {
    const ask = (text: string) => users.api.post('/user', { token: users.acme.token, text });
    const twice = `${JSON.stringify(ana).slice(0, -1)},"city":"Alicante"}`;
    expect(told(await ask(twice))).toEqual([400, 'malformed_body']);
    expect(told(await ask('{"firstName":'))).toEqual([400, 'malformed_body']);
    expect(told(await ask(' '))).toEqual([400, 'malformed_body']);
  });
});

describe('POST /user 401, 403, 415', () => {
  it('refuses a call without a valid token', async () => {
    for (const token of ['', 'x', 'a.b.c']) {
      const answer = await create(ana, { token });
      expect(told(answer)).toEqual([401, 'unauthorized']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('refuses a user token', async () => {
    const user = await newUser(users, users.acme);
    const token = await userToken(users, users.acme, user);
    expect(told(await create(ana, { token }))).toEqual([403, 'merchant_token_required']);
  });

  it('refuses a token without the scope users', async () => {
    const token = await tokenOf(users, users.acme, { scope: 'kyc rates orders webhooks' });
    const answer = await create(ana, { token });
    expect(told(answer)).toEqual([403, 'scope_missing']);
    expect(answer.json.requiredScope).toBe('users');
  });

  it('accepts JSON only', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await users.api.post('/user', { token: users.acme.token, headers, text: 'firstName=Ana' });
    expect(told(answer)).toEqual([415, 'unsupported_media_type']);
  });
});
