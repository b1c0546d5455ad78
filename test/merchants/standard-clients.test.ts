/** The libraries that merchants really use, openid-client and jose, with all their checks except TLS on loopback. */
import { createRemoteJWKSet, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  clientCredentialsGrant,
  discovery,
  tokenRevocation,
} from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, newMerchant, type Running, startNode, statusOf, stopNodesAfterAll } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { useTestDatabase } from '../harness/test-database.js';

stopNodesAfterAll();
const { url } = useTestDatabase();
let node: Running;
let acme: Client;

beforeAll(async () => {
  node = await startNode(url, { settings: { TOKENS_PER_MINUTE: '1000' } });
  acme = await newMerchant(node.service.database, 'acme');
});

const ways = [
  ['client_secret_basic', ClientSecretBasic],
  ['client_secret_post', ClientSecretPost],
] as const;

function discovered(way: typeof ClientSecretBasic): Promise<Configuration> {
  return discovery(new URL(node.service.url), acme.clientId, undefined, way(acme.clientSecret), {
    algorithm: 'oauth2',
    execute: [allowInsecureRequests],
  });
}

describe('openid-client', () => {
  it('finds everything by the metadata of RFC 8414', async () => {
    const metadata = (await discovered(ClientSecretBasic)).serverMetadata();
    const base = node.service.url;
    expect(metadata).toMatchObject({
      issuer: base,
      token_endpoint: `${base}/oauth/token`,
      revocation_endpoint: `${base}/oauth/revoke`,
      jwks_uri: `${base}/.well-known/jwks.json`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      scopes_supported: [
        ...['users', 'kyc', 'rates', 'orders', 'webhooks'],
        ...['users.read', 'kyc.read', 'rates.read', 'orders.read', 'webhooks.read'],
      ],
    });
  });

  it.each(ways)('gets a token by %s, and revokes it', async (_, way) => {
    const configuration = await discovered(way);
    const answer = await clientCredentialsGrant(configuration, { scope: 'users rates' });
    expect(answer).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'users rates' });
    expect(await statusOf(node, answer.access_token)).toBe(200);
    await tokenRevocation(configuration, answer.access_token);
    await eventually(async () => (await statusOf(node, answer.access_token)) === 401, { withinMs: 5_000 });
  });

  it('understands a refusal', async () => {
    const configuration = await discovery(
      new URL(node.service.url),
      acme.clientId,
      undefined,
      ClientSecretPost('not-the-secret'),
      { algorithm: 'oauth2', execute: [allowInsecureRequests] },
    );
    await expect(clientCredentialsGrant(configuration)).rejects.toMatchObject({
      code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
      status: 401,
      cause: [{ scheme: 'basic', parameters: { realm: 'remesa', charset: 'UTF-8' } }],
    });
  });
});

describe('jose', () => {
  it('verifies a token by the published keys', async () => {
    const configuration = await discovered(ClientSecretBasic);
    const { access_token: token } = await clientCredentialsGrant(configuration);
    const keys = createRemoteJWKSet(new URL(String(configuration.serverMetadata().jwks_uri)));
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: node.service.url,
      audience: node.service.url,
      typ: 'at+jwt',
      algorithms: ['EdDSA'],
      maxTokenAge: '1h',
      requiredClaims: ['sub', 'client_id', 'jti', 'scope', 'nbf'],
    });
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' });
    expect(payload).toMatchObject({ sub: `merchant:${acme.merchant}`, client_id: 'acme' });
  });

  it('finds public halves only, and may keep them for five minutes', async () => {
    const answer = await node.api.get('/.well-known/jwks.json');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.json).toEqual({
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: expect.stringMatching(/^[\w-]{43}$/),
          kid: expect.any(String),
          alg: 'EdDSA',
          use: 'sig',
        },
      ],
    });
  });
});
