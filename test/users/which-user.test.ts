/** What GET, PATCH, DELETE /user and GET /user/details have in common: authorisation and the selected user. */
import { describe, expect, it } from 'vitest';
import { tokenOf } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';
import { ana, type MadeUser, newUser, told, userToken, withoutRequestId } from '../harness/users.js';

const users = useRemesa();

const operations = [
  { method: 'GET', path: '/user' },
  { method: 'PATCH', path: '/user', body: { city: 'Alicante' } },
  { method: 'DELETE', path: '/user' },
  { method: 'GET', path: '/user/details' },
] as const;

type Operation = (typeof operations)[number];

function call(operation: Operation, token: string, query = '') {
  const body = 'body' in operation ? { body: operation.body } : {};
  return users.api.call(operation.method, `${operation.path}${query}`, { token, ...body });
}

/** What each operation answers with 200. */
function expected({ method, path }: Operation, user: MadeUser): unknown {
  if (method === 'DELETE') return '';
  return path === '/user/details' ? ana : user;
}

const external = (user: MadeUser) => `?externalClientId=${user.externalClientId}`;
const byId = (user: MadeUser) => `?userId=${user.id}`;

describe.each(operations)('$method $path 200', (operation) => {
  const waysToSelect: [string, (user: MadeUser) => Promise<[string, string]>][] = [
    ['a merchant token and userId', async (user) => [users.acme.token, byId(user)]],
    ['a merchant token and externalClientId', async (user) => [users.acme.token, external(user)]],
    [
      'a merchant token and both, which agree',
      async (user) => [users.acme.token, `${byId(user)}&${external(user).slice(1)}`],
    ],
    ['a user token asked by user_id', async (user) => [await userToken(users, users.acme, user), '']],
    [
      'a user token asked by external_client_id',
      async (user) => [await tokenOf(users, users.acme, { external_client_id: user.externalClientId }), ''],
    ],
    ['a user token and a selector that agrees', async (user) => [await userToken(users, users.acme, user), byId(user)]],
    [
      'a user token with no scope but users',
      async (user) => [await userToken(users, users.acme, user, { scope: 'users' }), ''],
    ],
  ];

  it.each(waysToSelect)('answers 200 by %s', async (_way, select) => {
    const user = await newUser(users, users.acme);
    const answer = await call(operation, ...(await select(user)));
    expect(answer.status).toBe(200);
    expect(answer.text === '' ? '' : answer.json).toEqual(expected(operation, user));
  });
});

describe.each(operations)('$method $path 400', (operation) => {
  it('answers 400 when no user is selected', async () => {
    await newUser(users, users.rival);
    expect(told(await call(operation, users.rival.token))).toEqual([400, 'user_not_selected']);
  });

  it('answers 400 when two users are named, whichever way', async () => {
    const [one, two] = [await newUser(users, users.acme), await newUser(users, users.acme)];
    const ofOne = await userToken(users, users.acme, one);
    const conflict = [400, 'user_selector_conflict'];
    expect(told(await call(operation, users.acme.token, `${byId(one)}&${external(two).slice(1)}`))).toEqual(conflict);
    expect(told(await call(operation, ofOne, byId(two)))).toEqual(conflict);
    expect(told(await call(operation, ofOne, external(two)))).toEqual(conflict);
    expect((await users.api.get(`/user${byId(two)}`, { token: users.acme.token })).json).toEqual(two);
  });

  it.each([
    ['userId', '?userId='],
    ['userId', '?userId=0'],
    ['userId', '?userId=-1'],
    ['userId', '?userId=+1'],
    ['userId', '?userId=01'],
    ['userId', '?userId=1.5'],
    ['userId', '?userId=1e3'],
    ['userId', '?userId=0x1'],
    ['userId', '?userId=1%20OR%201=1'],
    ['userId', '?userId=9007199254740993'],
    ['userId', '?userId=99999999999999999999'],
    ['userId', '?userId=1&userId=2'],
    ['externalClientId', '?externalClientId='],
    ['externalClientId', '?externalClientId=%00'],
    ['externalClientId', '?externalClientId=a&externalClientId=b'],
  ])('answers 400 when %s is malformed or repeated: %s', async (field, query) => {
    const answer = await call(operation, users.acme.token, query);
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    expect(answer.json.errors).toMatchObject([{ field, code: 'wrong_format' }]);
  });
});

describe.each(operations)('$method $path 401', (operation) => {
  it('answers 401 without a valid token, with the same body for all causes', async () => {
    const user = await newUser(users, users.acme);
    const gone = await userToken(users, users.acme, user);
    await users.api.call('DELETE', '/user', { token: gone });
    const answers = await Promise.all(['', 'garbage', gone].map((token) => call(operation, token, byId(user))));
    for (const answer of answers) {
      expect(told(answer)).toEqual([401, 'unauthorized']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] as (typeof answers)[0]));
    }
  });

  it('answers 401 also when the token of a deleted user lacks the scope', async () => {
    const user = await newUser(users, users.acme);
    const token = await userToken(users, users.acme, user, { scope: 'rates' });
    expect(told(await call(operation, token))).toEqual([403, 'scope_missing']);
    await users.api.call('DELETE', `/user${byId(user)}`, { token: users.acme.token });
    expect(told(await call(operation, token))).toEqual([401, 'unauthorized']);
  });
});

describe.each(operations)('$method $path 403', (operation) => {
  it('answers 403 for a token without the scope users, of a merchant or of a user', async () => {
    const user = await newUser(users, users.acme);
    const scope = 'kyc rates orders webhooks';
    for (const token of [
      await tokenOf(users, users.acme, { scope }),
      await userToken(users, users.acme, user, { scope }),
    ]) {
      const answer = await call(operation, token, byId(user));
      expect(told(answer)).toEqual([403, 'scope_missing']);
      expect(answer.json.requiredScope).toBe('users');
    }
    expect((await users.api.get(`/user${byId(user)}`, { token: users.acme.token })).status).toBe(200);
  });
});

describe.each(operations)('$method $path 404', (operation) => {
  it('is the same for an unknown user, a deleted one and one of another merchant, by either selector', async () => {
    const [foreign, deleted] = [await newUser(users, users.rival), await newUser(users, users.acme)];
    await users.api.call('DELETE', `/user${byId(deleted)}`, { token: users.acme.token });
    const unknown = { id: 9_007_199_254_740_991, externalClientId: 'cli_00000000000000000000000000' };
    const answers = await Promise.all(
      [unknown, foreign, deleted].flatMap((user) =>
        [byId(user), external(user)].map((query) => call(operation, users.acme.token, query)),
      ),
    );
    for (const answer of answers) {
      expect(withoutRequestId(answer)).toEqual({
        httpStatus: 404,
        type: `${users.api.baseUrl}/docs/errors#user_not_found`,
        title: 'No such user',
        status: 404,
        detail: 'There is no such user.',
        code: 'user_not_found',
      });
    }
    const untouched = await users.api.get(`/user/details${byId(foreign)}`, { token: users.rival.token });
    expect(untouched.json).toEqual(ana);
  });

  it('hides another merchant’s user also from a user token', async () => {
    const [mine, foreign] = [await newUser(users, users.acme), await newUser(users, users.rival)];
    const token = await userToken(users, users.acme, mine);
    expect(told(await call(operation, token, byId(foreign)))).toEqual([404, 'user_not_found']);
    expect(told(await call(operation, token, external(foreign)))).toEqual([404, 'user_not_found']);
  });
});

describe('the token of a deleted user', () => {
  it('gets 401 also on routes that accept no user token', async () => {
    const user = await newUser(users, users.acme);
    const token = await userToken(users, users.acme, user);
    const ask = async () => [
      told(await users.api.post('/user', { token, body: ana })),
      told(await users.api.get('/merchant/users', { token })),
    ];
    expect(await ask()).toEqual([
      [403, 'merchant_token_required'],
      [403, 'merchant_token_required'],
    ]);
    await users.api.call('DELETE', '/user', { token });
    expect(await ask()).toEqual([
      [401, 'unauthorized'],
      [401, 'unauthorized'],
    ]);
  });

  it('cannot be issued any more', async () => {
    const user = await newUser(users, users.acme);
    await users.api.call('DELETE', `/user${byId(user)}`, { token: users.acme.token });
    await expect(userToken(users, users.acme, user)).rejects.toThrow('invalid_request');
    const byExternalId = tokenOf(users, users.acme, { external_client_id: user.externalClientId });
    await expect(byExternalId).rejects.toThrow('invalid_request');
  });
});
