/** The routes of OAuth 2.0: tokens, revocation, and what a client library reads to find them. */
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { scopes } from '../caller.js';
import { runCommand } from '../http/command.js';
import { formType, oauthRefusals } from '../http/oauth-dialect.js';
import { type Route, raw } from '../http/route.js';
import { sourceAddress } from '../http/source-address.js';
import type { Database } from '../postgres/database.js';
import type { TokenAuthority } from '../tokens/authority.js';
import { revokeToken } from '../tokens/service.js';
import type { TokenEndpoint } from './token-endpoint.js';
import { readClient, readFields } from './token-request.js';

const TokenRequest = Type.Object(
  {
    grant_type: Type.Literal('client_credentials'),
    client_id: Type.Optional(Type.String({ description: 'Unless the client is named by Basic.' })),
    client_secret: Type.Optional(Type.String()),
    scope: Type.Optional(Type.String({ description: `Some of: ${scopes.join(' ')}. Absent: all of them.` })),
    user_id: Type.Optional(Type.Integer({ description: 'For a token of one user, by its id.' })),
    external_client_id: Type.Optional(
      Type.String({ description: 'For a token of one user, by its other id.' }),
    ),
  },
  {
    title: 'TokenRequest',
    examples: [{ grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' }],
  },
);
const TokenResponse = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds: 3600, or 900 for a token of one user.' }),
    scope: Type.String(),
  },
  {
    title: 'TokenResponse',
    examples: [
      { access_token: 'eyJhbGciOiJFZERTQSIs…', token_type: 'Bearer', expires_in: 3600, scope: 'users kyc' },
    ],
  },
);
const RevocationRequest = Type.Object(
  {
    token: Type.String(),
    token_type_hint: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
  },
  { title: 'RevocationRequest', examples: [{ token: 'eyJhbGciOiJFZERTQSIs…' }] },
);
const KeySet = Type.Object(
  { keys: Type.Array(Type.Object({ kid: Type.String() }, { additionalProperties: true })) },
  {
    title: 'KeySet',
    examples: [
      { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'a1b2c3', x: '11qYAYKx…', alg: 'EdDSA', use: 'sig' }] },
    ],
  },
);
const ServerMetadata = Type.Object(
  { issuer: Type.String(), token_endpoint: Type.String(), jwks_uri: Type.String() },
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
  readonly database: Database;
  readonly endpoint: TokenEndpoint;
  readonly authority: TokenAuthority;
  readonly issuer: () => string;
}

export function oauthRoutes(options: OauthOptions): Route[] {
  const described = { tag: 'Tokens', access: { token: 'none' } } as const;
  const spoken = {
    ...described,
    method: 'POST',
    dialect: 'oauth',
    bodyTypes: [formType, 'application/json'],
    otherAnswers: oauthRefusals,
  } as const;
  return [
    raw({
      ...spoken,
      path: '/oauth/token',
      operationId: 'createToken',
      summary: 'Get an access token',
      description:
        'OAuth 2.0 client credentials (RFC 6749 §4.4). With a user, a token that is bound to that user.',
      body: TokenRequest,
      answer: TokenResponse,
      run: (request) => answerToken(options, request),
    }),
    raw({
      ...spoken,
      path: '/oauth/revoke',
      operationId: 'revokeToken',
      summary: 'Revoke an access token',
      description:
        'RFC 7009. Answers 200 whether or not there was such a token; it bites within 5 seconds everywhere.',
      body: RevocationRequest,
      run: async (request, reply) => {
        await revoke(options, request);
        return reply.send('');
      },
    }),
    raw({
      ...described,
      method: 'GET',
      path: '/.well-known/jwks.json',
      operationId: 'getSigningKeys',
      summary: 'The public keys of access tokens',
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
      summary: 'Where everything of OAuth is (RFC 8414)',
      answer: ServerMetadata,
      run: () => metadata(options.issuer()),
    }),
  ];
}

async function answerToken({ endpoint }: OauthOptions, request: FastifyRequest): Promise<object> {
  const fields = readFields(request.formBody, request.jsonBody?.value);
  const given = readClient(request.headers.authorization, fields);
  const client = await endpoint.authenticateClient(given, sourceAddress(request.ip));
  return endpoint.issue(given.clientId, client, fields);
}

async function revoke({ endpoint, database }: OauthOptions, request: FastifyRequest): Promise<void> {
  const fields = readFields(request.formBody, request.jsonBody?.value);
  const client = await endpoint.authenticateClient(
    readClient(request.headers.authorization, fields),
    sourceAddress(request.ip),
  );
  const claims = await endpoint.revocable(client, fields);
  if (!claims) return;
  const actor = { kind: 'merchant', merchantId: client.merchantId, scopes: new Set<never>() } as const;
  await runCommand(database, (tx) => revokeToken(tx, claims, actor).then(() => ''), undefined);
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
    scopes_supported: scopes,
    service_documentation: `${issuer}/docs`,
  };
}
