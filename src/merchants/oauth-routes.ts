/** The routes of OAuth 2.0: tokens, revocation, public keys and server metadata. */
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { grantableScopes, scopes } from '../caller.js';
import { formType, type OauthCall, oauthCommand, oauthRefusals } from '../http/oauth.js';
import { type Route, raw } from '../http/route.js';
import { sourceAddress } from '../http/traffic/source-address.js';
import type { TokenAuthority } from '../tokens/authority.js';
import { revokeToken } from '../tokens/service.js';
import type { TokenEndpoint } from './token-endpoint.js';
import { readClient, readFields } from './token-request.js';

const TokenRequest = Type.Object(
  {
    grant_type: Type.Literal('client_credentials', { description: 'Always `client_credentials`.' }),
    client_id: Type.Optional(Type.String({ description: 'Your client id, unless you send it by HTTP Basic.' })),
    client_secret: Type.Optional(Type.String({ description: 'Your secret, unless you send it by HTTP Basic.' })),
    scope: Type.Optional(
      Type.String({
        description: `The scopes, separated by spaces: ${scopes.join(' ')}. With \`.read\` at its end, as in \`orders.read\`, a scope allows only GET. Absent: all that the secret has.`,
      }),
    ),
    user_id: Type.Optional(Type.Integer({ description: 'For a user token: the id of the user.' })),
    external_client_id: Type.Optional(
      Type.String({
        description: 'For a user token: the `externalClientId` of the user, instead of `user_id`.',
      }),
    ),
  },
  {
    title: 'TokenRequest',
    examples: [{ grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' }],
  },
);
const TokenResponse = Type.Object(
  {
    access_token: Type.String({ description: 'The token. Send it as `Authorization: Bearer …`.' }),
    token_type: Type.Literal('Bearer', { description: 'Always `Bearer`.' }),
    expires_in: Type.Integer({ description: 'Its lifetime in seconds: 3600, or 900 for a user token.' }),
    scope: Type.String({ description: 'The scopes that it has, separated by spaces.' }),
  },
  {
    title: 'TokenResponse',
    examples: [{ access_token: 'eyJhbGciOiJFZERTQSIs…', token_type: 'Bearer', expires_in: 3600, scope: 'users kyc' }],
  },
);
const RevocationRequest = Type.Object(
  {
    token: Type.String({ description: 'The access token to revoke.' }),
    token_type_hint: Type.Optional(Type.String({ description: 'Ignored; there is one type of token.' })),
    client_id: Type.Optional(Type.String({ description: 'Your client id, unless you send it by HTTP Basic.' })),
    client_secret: Type.Optional(Type.String({ description: 'Your secret, unless you send it by HTTP Basic.' })),
  },
  { title: 'RevocationRequest', examples: [{ token: 'eyJhbGciOiJFZERTQSIs…' }] },
);
const KeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({ kid: Type.String({ description: 'The id of the key.' }) }, { additionalProperties: true }),
      { description: 'The keys, as JSON Web Keys.' },
    ),
  },
  {
    title: 'KeySet',
    examples: [{ keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'a1b2c3', x: '11qYAYKx…', alg: 'EdDSA', use: 'sig' }] }],
  },
);
const ServerMetadata = Type.Object(
  {
    issuer: Type.String({ description: 'The issuer of the tokens: the public address of this service.' }),
    token_endpoint: Type.String({ description: 'Where to get a token.' }),
    jwks_uri: Type.String({ description: 'Where the public keys are.' }),
  },
  {
    title: 'ServerMetadata',
    additionalProperties: true,
    examples: [
      {
        issuer: 'https://pay.example.com',
        token_endpoint: 'https://pay.example.com/oauth/token',
        jwks_uri: 'https://pay.example.com/.well-known/jwks.json',
      },
    ],
  },
);

export interface OauthOptions {
  readonly endpoint: TokenEndpoint;
  readonly authority: TokenAuthority;
  readonly issuer: () => string;
}

export function oauthRoutes(options: OauthOptions): Route[] {
  const described = { tag: 'Tokens', access: { token: 'none' } } as const;
  const oauth = {
    ...described,
    method: 'POST',
    protocol: 'oauth',
    bodyTypes: [formType, 'application/json'],
    otherAnswers: oauthRefusals,
  } as const;
  return [
    raw({
      ...oauth,
      path: '/oauth/token',
      operationId: 'createToken',
      summary: 'Get an access token',
      description:
        'OAuth 2.0 client credentials (RFC 6749 §4.4). With `user_id` or `external_client_id` you get a user token, which works for that user only.',
      returns: 'The token.',
      body: TokenRequest,
      answer: TokenResponse,
      run: (request) => answerToken(options, request),
    }),
    oauthCommand({
      ...oauth,
      path: '/oauth/revoke',
      operationId: 'revokeToken',
      summary: 'Revoke an access token',
      description:
        'RFC 7009. Answers 200 whether or not the token existed. Takes effect on every node within 5 seconds.',
      returns: 'The token is revoked, or there was none.',
      body: RevocationRequest,
      prepare: (call) => findRevocable(options, call),
      async run(_call, tx, revocable) {
        if (revocable) await revokeToken(tx, revocable.claims, revocable.actor);
      },
    }),
    raw({
      ...described,
      method: 'GET',
      path: '/.well-known/jwks.json',
      operationId: 'getSigningKeys',
      summary: 'Get the public keys of access tokens',
      returns: 'A JSON Web Key Set.',
      answer: KeySet,
      run: (_request, reply) => {
        reply.header('cache-control', 'public, max-age=300');
        return { keys: options.authority.publicKeys() };
      },
    }),
    raw({
      ...described,
      method: 'GET',
      path: '/.well-known/oauth-authorization-server',
      operationId: 'getServerMetadata',
      summary: 'Get the OAuth server metadata (RFC 8414)',
      returns: 'The metadata.',
      answer: ServerMetadata,
      run: () => metadata(options.issuer()),
    }),
  ];
}

async function answerToken({ endpoint }: OauthOptions, request: FastifyRequest): Promise<object> {
  const fields = readFields(request.formBody, request.jsonBody?.value);
  const credentials = readClient(request.headers.authorization, fields);
  const client = await endpoint.authenticateClient(credentials, sourceAddress(request.ip));
  return endpoint.issue(credentials.clientId, client, fields);
}

/** Undefined when the token is unknown or belongs to another client. Throws `invalid_client` or `invalid_request`. */
async function findRevocable({ endpoint }: OauthOptions, { authorization, form, body, address }: OauthCall) {
  const fields = readFields(form, body);
  const client = await endpoint.authenticateClient(readClient(authorization, fields), address);
  const claims = await endpoint.revocable(client, fields);
  const actor = { kind: 'merchant', merchantId: client.merchantId, scopes: new Set<never>() } as const;
  return claims && { claims, actor };
}

function metadata(issuer: string): object {
  const methods = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    scopes_supported: grantableScopes,
    service_documentation: `${issuer}/docs`,
  };
}
