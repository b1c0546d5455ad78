import { beforeAll, describe, expect, it } from 'vitest';
import { RemesaError } from '../../src/errors.js';
import type { FindUser } from '../../src/merchants/token-endpoint.js';
import {
  askToken,
  basic,
  type Client,
  newMerchant,
  postForm,
  type Running,
  TestUsers,
  useNodes,
} from '../harness/access.js';
import { headerOf, payloadOf } from '../tokens/forge.js';

const users = new TestUsers();
/** The users 500 and 503 stand for what goes wrong inside. */
const findUser: FindUser = async (merchant, selector) => {
  if ('userId' in selector && selector.userId === 500) throw new Error('secret detail of SELECT');
  if ('userId' in selector && selector.userId === 503)
    throw new RemesaError('unavailable', 'database_unavailable', 'Not now.', { retryAfterSeconds: 2 });
  return users.find(merchant, selector);
};

const { sql, startNode } = useNodes();
let node: Running;
let acme: Client;
let other: Client;

beforeAll(async () => {
  node = await startNode({ findUser });
  acme = await newMerchant(node.service.database, 'acme');
  other = await newMerchant(node.service.database, 'other');
  users.all.push(
    { merchant: acme.merchant, id: 7, externalClientId: 'cli_ada' },
    { merchant: other.merchant, id: 8, externalClientId: 'cli_bob' },
  );
});

const grant = { grant_type: 'client_credentials' } as const;
const jsonToken = (body: unknown, headers: Record<string, string> = {}) =>
  node.api.post('/oauth/token', { body, headers });
const inBody = () => ({ client_id: acme.clientId, client_secret: acme.clientSecret });

describe('a client', () => {
  it.each([
    ['a form, client by Basic', () => postForm(node.api, '/oauth/token', grant, basic(acme))],
    ['a form, client in the body', () => postForm(node.api, '/oauth/token', { ...grant, ...inBody() })],
    ['JSON, client by Basic', () => jsonToken(grant, basic(acme))],
    ['JSON, client in the body', () => jsonToken({ ...grant, ...inBody() })],
    [
      'a form with a charset',
      () =>
        postForm(node.api, '/oauth/token', grant, {
          ...basic(acme),
          'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        }),
    ],
    [
      'Basic, and its own name once more in the body',
      () => postForm(node.api, '/oauth/token', { ...grant, client_id: 'acme' }, basic(acme)),
    ],
    [
      'Basic in lower case',
      () =>
        postForm(node.api, '/oauth/token', grant, {
          authorization: String(basic(acme).authorization).replace('Basic', 'basic'),
        }),
    ],
    [
      'Basic with both halves percent-encoded',
      () => {
        const encode = (text: string) =>
          [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
        const text = `${encode(acme.clientId)}:${encode(acme.clientSecret)}`;
        return postForm(node.api, '/oauth/token', grant, {
          authorization: `Basic ${Buffer.from(text).toString('base64')}`,
        });
      },
    ],
  ])('gets a token requested by %s', async (_, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'users kyc rates orders webhooks',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await node.api.get('/notes/empty', { token: answer.json.access_token })).status).toBe(200);
  });

  it('gets a token with exactly the documented claims of RFC 9068, valid for 3600 s', async () => {
    const before = Math.floor(Date.now() / 1000);
    const token = (await askToken(node, acme)).json.access_token;
    const { rows } = await sql.query('SELECT key_id FROM signing_keys');
    expect(headerOf(token)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: rows[0].key_id });
    const claims = payloadOf(token);
    expect(claims).toEqual({
      iss: 'http://remesa.example',
      aud: 'http://remesa.example',
      sub: `merchant:${acme.merchant}`,
      client_id: 'acme',
      scope: 'users kyc rates orders webhooks',
      iat: expect.any(Number),
      nbf: claims.iat,
      exp: Number(claims.iat) + 3600,
      jti: expect.stringMatching(/^[\w-]{22}$/),
    });
    expect(claims.iat).toBeGreaterThanOrEqual(before);
    expect(claims.iat).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
  });

  it('gets a token that differs every time', async () => {
    const [one, two] = await Promise.all([askToken(node, acme), askToken(node, acme)]);
    expect(payloadOf(one.json.access_token).jti).not.toBe(payloadOf(two.json.access_token).jti);
  });

  it.each([
    ['orders users', 'users orders'],
    ['rates', 'rates'],
    ['rates rates', 'rates'],
    ['  kyc   webhooks ', 'kyc webhooks'],
    ['', 'users kyc rates orders webhooks'],
  ])('gets a token with only the requested scope: %j', async (scope, granted) => {
    const answer = await askToken(node, acme, { scope });
    expect([answer.json.scope, payloadOf(answer.json.access_token).scope]).toEqual([granted, granted]);
  });

  it('is refused a token beyond its scope', async () => {
    const token = (await askToken(node, acme, { scope: 'rates' })).json.access_token;
    expect((await node.api.get('/notes/empty', { token })).json).toMatchObject({
      status: 403,
      code: 'scope_missing',
      requiredScope: 'users',
    });
  });
});

describe('a client with users', () => {
  it.each([
    ['user_id in a form', () => askToken(node, acme, { user_id: '7' })],
    ['external_client_id in a form', () => askToken(node, acme, { external_client_id: 'cli_ada' })],
    ['user_id as a number in JSON', () => jsonToken({ ...grant, ...inBody(), user_id: 7 })],
    ['user_id as text in JSON', () => jsonToken({ ...grant, ...inBody(), user_id: '7' })],
    ['external_client_id in JSON', () => jsonToken({ ...grant, ...inBody(), external_client_id: 'cli_ada' })],
  ])('gets a token of one of its users by %s: 900 s, bound to that user', async (_, ask) => {
    const answer = await ask();
    expect(answer.json).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    const claims = payloadOf(answer.json.access_token);
    expect(claims).toMatchObject({ sub: `merchant:${acme.merchant}`, client_id: 'acme', user_id: 7 });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
    const asked = await node.api.get('/notes/user', { token: answer.json.access_token });
    expect(asked.json).toEqual({ userId: 7 });
  });

  it.each([
    ['unknown', { user_id: '99' }],
    ['unknown, by a number of 16 digits', { user_id: '9007199254740991' }],
    ['another merchant’s, by number', { user_id: '8' }],
    ['another merchant’s, by name', { external_client_id: 'cli_bob' }],
    ['unknown, by name', { external_client_id: 'cli_nobody' }],
    ['nobody, by an empty name', { external_client_id: '' }],
  ])('gets no token of a user that is %s, always with the same answer', async (_, fields) => {
    const answer = await askToken(node, acme, fields as unknown as Record<string, string>);
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'There is no such user.' },
    ]);
  });

  it.each(['0', '-7', '7.0', '7e0', ' 7', '07', 'x', '9007199254740993', '1'.repeat(17), ''])(
    'gets no token for the malformed number %j',
    async (user_id) => {
      expect((await askToken(node, acme, { user_id })).json).toEqual({
        error: 'invalid_request',
        error_description: 'user_id must be a positive integer.',
      });
    },
  );

  it('gets no token when the user is named in two ways', async () => {
    const answer = await askToken(node, acme, { user_id: '7', external_client_id: 'cli_ada' });
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid_request']);
  });
});

describe('an invalid request', () => {
  const form = (text: string, headers: Record<string, string> = basic(acme)) =>
    node.anywhere.post('/oauth/token', {
      text,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  const raw = (method: string, path: string, text: string | undefined, contentType: string) =>
    node.anywhere.call(method, path, {
      ...(text === undefined ? {} : { text }),
      headers: contentType ? { 'content-type': contentType, ...basic(acme) } : basic(acme),
    });
  const both = () => `${new URLSearchParams({ ...grant, ...inBody() })}`;

  it.each<[string, () => ReturnType<typeof form>, number, string]>([
    ['secret by Basic and in the body', () => form(both()), 400, 'invalid_request'],
    ['two different clients', () => form('grant_type=client_credentials&client_id=x'), 400, 'invalid_request'],
    ['no client at all', () => form('grant_type=client_credentials', {}), 401, 'invalid_client'],
    ['a client without a secret', () => form('client_id=acme', {}), 401, 'invalid_client'],
    ['a bearer token as the client', () => form('', { authorization: 'Bearer x' }), 401, 'invalid_client'],
    ['Basic without a colon', () => form('', { authorization: 'Basic YWNtZQ==' }), 401, 'invalid_client'],
    ['Basic without a client', () => form('', { authorization: 'Basic OnNlY3JldA==' }), 401, 'invalid_client'],
    ['Basic that is not base64', () => form('', { authorization: 'Basic ä' }), 401, 'invalid_client'],
    [
      'Basic with a broken percent sign',
      () => form('', { authorization: `Basic ${btoa('ac%me:x')}` }),
      401,
      'invalid_client',
    ],
    ['a NUL in Basic', () => form('', { authorization: `Basic ${btoa('ac%00me:x')}` }), 401, 'invalid_client'],
    ['a NUL in the client id', () => form('client_id=%00&client_secret=x', {}), 400, 'invalid_request'],
    ['a NUL in a user’s name', () => form('external_client_id=%00'), 400, 'invalid_request'],
    ['no grant type', () => form(''), 400, 'invalid_request'],
    ['an empty grant type', () => form('grant_type='), 400, 'invalid_request'],
    ['another grant type', () => form('grant_type=password'), 400, 'unsupported_grant_type'],
    ['the grant type twice', () => form('grant_type=a&grant_type=a'), 400, 'invalid_request'],
    ['an unknown parameter twice', () => form('grant_type=client_credentials&x=1&x=2'), 400, 'invalid_request'],
    ['a parameter with a strange name twice', () => form('%C3%A4%22%0A=1&%C3%A4%22%0A=2'), 400, 'invalid_request'],
    ['an unknown scope', () => form('grant_type=client_credentials&scope=admin'), 400, 'invalid_scope'],
    ['a scope in capitals', () => form('grant_type=client_credentials&scope=USERS'), 400, 'invalid_scope'],
    ['an empty body', () => raw('POST', '/oauth/token', '', 'application/json'), 400, 'invalid_request'],
    ['malformed JSON', () => raw('POST', '/oauth/token', '{"a":', 'application/json'), 400, 'invalid_request'],
    ['a JSON array', () => raw('POST', '/oauth/token', '[]', 'application/json'), 400, 'invalid_request'],
    ['JSON null', () => raw('POST', '/oauth/token', 'null', 'application/json'), 400, 'invalid_request'],
    [
      'a field twice in JSON',
      () => raw('POST', '/oauth/token', '{"scope":"kyc","scope":"users"}', 'application/json'),
      400,
      'invalid_request',
    ],
    [
      'a number as the grant type',
      () => raw('POST', '/oauth/token', '{"grant_type":1}', 'application/json'),
      400,
      'invalid_request',
    ],
    ['no body and no type', () => raw('POST', '/oauth/token', undefined, ''), 400, 'invalid_request'],
    ['XML', () => raw('POST', '/oauth/token', '<a/>', 'application/xml'), 415, 'invalid_request'],
    ['a body too large', () => form(`x=${'y'.repeat(70_000)}`), 413, 'invalid_request'],
    ['GET', () => raw('GET', '/oauth/token', undefined, ''), 405, 'invalid_request'],
    ['PUT', () => raw('PUT', '/oauth/token', '{}', 'application/json'), 405, 'invalid_request'],
    ['DELETE of a revocation', () => raw('DELETE', '/oauth/revoke', undefined, ''), 405, 'invalid_request'],
    ['a revocation of nothing', () => raw('POST', '/oauth/revoke', '{}', 'application/json'), 400, 'invalid_request'],
    ['what nobody foresaw', () => form('grant_type=client_credentials&user_id=500'), 500, 'server_error'],
    [
      'what can not be done now',
      () => form('grant_type=client_credentials&user_id=503'),
      503,
      'temporarily_unavailable',
    ],
  ])('%s', async (_, ask, status, error) => {
    const answer = await ask();
    expect([answer.status, answer.json.error]).toEqual([status, error]);
    expect(Object.keys(answer.json)).toEqual(['error', 'error_description']);
    expect(answer.json.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const challenge = status === 401 ? 'Basic realm="remesa", charset="UTF-8"' : null;
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '2' : null);
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    expect(answer.text).not.toMatch(/SELECT|secret detail|pg_|node_modules/);
  });

  it.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=b'])(
    'says that the body must be form-encoded when it is %s',
    async (type) => {
      const answer = await raw('POST', '/oauth/token', 'grant_type=client_credentials', type);
      expect(answer.status).toBe(415);
      expect(answer.json).toEqual({
        error: 'invalid_request',
        error_description:
          'The body must be form-encoded (Content-Type: application/x-www-form-urlencoded); JSON is accepted too.',
      });
    },
  );

  it('refuses a form with more than 100 parameters', async () => {
    const parameters = Array.from({ length: 101 }, (_, index) => `p${index}=`).join('&');
    const answer = await form(`grant_type=client_credentials&${parameters}`);
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid_request']);
    expect(answer.json.error_description).toBe('The body has more than 100 parameters.');
  });

  it('logs neither a secret nor a token', async () => {
    const answer = await askToken(node, acme);
    await askToken(node, { ...acme, clientSecret: 'wrong-secret-in-the-open' });
    const log = node.logText();
    expect(log).toContain('/oauth/token');
    for (const secret of [acme.clientSecret, answer.json.access_token, 'wrong-secret-in-the-open'])
      expect(log).not.toContain(secret);
  });
});
