import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/http/openapi/document.js';
import { command, type Route, raw, read } from '../../src/http/route.js';
import { serviceProblems } from '../../src/problems.js';

// biome-ignore lint/suspicious/noExplicitAny: a document is a tree of anything; the tests look at its leaves.
type Tree = any;

const described = { tag: 'Things', summary: 'A thing', operationId: 'things' } as const;
const merchant = { token: 'merchant', scope: 'orders', user: 'none' } as const;
const Name = Type.String({ title: 'Name', maxLength: 10 });
const Thing = Type.Object(
  { name: Name, kind: Type.Optional(Type.Enum(['a', 'b'])) },
  { title: 'Thing', examples: [{ name: 'x', title: 'Example' }] },
);
const run = () => Promise.reject(new Error('never called'));

function get(more: Partial<Parameters<typeof read>[0]> = {}): Route {
  return read({ ...described, method: 'GET', path: '/t', access: merchant, run, ...more });
}

function post(more: Partial<Parameters<typeof command>[0]> = {}): Route {
  return command({ ...described, method: 'POST', path: '/t', access: merchant, run, ...more } as never);
}

function page(more: Partial<Parameters<typeof raw>[0]> = {}): Route {
  return raw({ ...described, method: 'GET', path: '/t', access: { token: 'none' }, run, ...more });
}

function documentOf(...routes: Route[]): Tree {
  return openApiDocument({
    problems: serviceProblems(),
    routes,
    version: '1.2.3',
    baseUrl: () => 'https://pay.example.com/remesa',
  });
}

function onlyOperation(route: Route): Tree {
  return documentOf(route).paths[route.path][route.method.toLowerCase()];
}

const refused = ['401', '403', '429', '500', '503'];
const sent = ['400', '401', '403', '408', '413', '415', '429', '500', '503'];
const operator = { token: 'operator', role: 'viewer' } as const;

describe('the statuses follow from the declaration', () => {
  it.each<[string, Route, string[]]>([
    ['a public probe', page(), ['500', '503']],
    ['a read of the merchant without fields', get(), refused],
    ['a read about a selected user', get({ access: { ...merchant, user: 'required' } }), ['400', '404', ...refused]],
    ['a read for any operator', get({ access: operator }), ['401', '429', '500', '503']],
    ['a read for some operators', get({ access: { ...operator, role: 'admin' } }), refused],
    ['a command with a key', post({ body: Thing }), ['409', '422', ...sent]],
    ['a command without a key', post({ idempotency: false }), sent],
    [
      'a command of an operator',
      post({ access: operator, subject: 'instance' }),
      ['400', '401', '408', '409', '413', '415', '422', '429', '500', '503'],
    ],
    ['a refusal of its own', get({ refusals: ['user_not_found'] }), ['404', ...refused]],
  ])('%s', (_, route, statuses) => {
    expect(Object.keys(onlyOperation(route).responses)).toEqual(['200', ...statuses].sort());
  });
});

it('an answer of its own replaces the problem of the same status', () => {
  const route = page({ otherAnswers: { 503: { description: 'Not now.', schema: Thing } } });
  const answer = onlyOperation(route).responses[503];
  expect(answer.description).toBe('Not now.');
  expect(Object.keys(answer.content)).toEqual(['application/json']);
});

it('a refusal lists its codes, with an example of each', () => {
  const route = get();
  const document = documentOf(route);
  expect(document.paths['/t'].get.responses[403]).toEqual({
    $ref: '#/components/responses/ScopeMissingOrMerchantTokenRequired',
  });
  const refusal = document.components.responses.ScopeMissingOrMerchantTokenRequired;
  expect(refusal.description).toContain('The token lacks a scope (`scope_missing`).');
  expect(refusal.description).toContain('(`merchant_token_required`)');
  expect(refusal.content['application/problem+json'].schema.allOf).toEqual([
    { $ref: '#/components/schemas/Problem' },
    {
      type: 'object',
      properties: {
        code: {
          type: 'string',
          enum: ['merchant_token_required', 'scope_missing'],
          description: 'The codes of this response.',
        },
      },
    },
  ]);
  expect(document.components.examples.ScopeMissing.value).toMatchObject({
    type: 'https://pay.example.com/remesa/docs/errors#scope_missing',
    status: 403,
    code: 'scope_missing',
    requiredScope: 'orders',
  });
});

it('a schema with a title is written once and referred to, inside others too', () => {
  const document = documentOf(post({ body: Thing, answer: Type.Array(Thing) }));
  const operation = document.paths['/t'].post;
  const reference = { $ref: '#/components/schemas/Thing' };
  expect(operation.requestBody.content['application/json'].schema).toEqual(reference);
  expect(operation.responses[200].content['application/json'].schema).toEqual({
    type: 'array',
    items: reference,
  });
  expect(operation.responses[200].content['application/json'].example).toEqual([{ name: 'x', title: 'Example' }]);
  expect(document.components.schemas.Thing.properties.name).toEqual({ $ref: '#/components/schemas/Name' });
  expect(document.components.schemas.Thing.examples).toEqual([{ name: 'x', title: 'Example' }]);
  expect(document.components.schemas.Name).toEqual({ type: 'string', title: 'Name', maxLength: 10 });
});

it('a choice between texts is told as one list', () => {
  const Choice = Type.Union([Type.Literal('a'), Type.Literal('b')]);
  const mixed = Type.Union([Type.Literal('a'), Type.Null()]);
  const answer = Type.Object({ choice: Choice, listed: Type.Enum(['a', 'b']), mixed });
  const route = get({ answer });
  const { properties } = onlyOperation(route).responses[200].content['application/json'].schema;
  expect(properties.choice).toEqual({ type: 'string', enum: ['a', 'b'] });
  expect(properties.listed).toEqual({ type: 'string', enum: ['a', 'b'] });
  expect(properties.mixed).toEqual({ anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }] });
});

it('two different schemas of one title are an error', () => {
  const Other = Type.Object({ name: Type.Integer() }, { title: 'Thing' });
  const route = post({ body: Thing, answer: Other });
  expect(() => documentOf(route)).toThrow('Two different schemas are called Thing.');
});

it('a refusal that is not in the catalogue is an error', () => {
  const route = get({ refusals: ['no_such_code'] });
  expect(() => documentOf(route)).toThrow('no_such_code');
});

it('a path whose parameters are not declared is an error', () => {
  const route = get({ path: '/t/{id}' });
  expect(() => documentOf(route)).toThrow('the parameters of the path');
});

it('parameters come from the path, the query, the selected user and the idempotency key', () => {
  const route = post({
    path: '/t/{id}',
    access: { ...merchant, user: 'optional' },
    params: Type.Object({ id: Type.Integer({ description: 'Which one.' }) }),
    query: Type.Object({ limit: Type.Optional(Type.Integer()) }),
  });
  expect(onlyOperation(route).parameters).toEqual([
    { name: 'id', in: 'path', description: 'Which one.', required: true, schema: { type: 'integer' } },
    { $ref: '#/components/parameters/UserId' },
    { $ref: '#/components/parameters/ExternalClientId' },
    { name: 'limit', in: 'query', schema: { type: 'integer' } },
    { $ref: '#/components/parameters/IdempotencyKey' },
  ]);
});

it('says which token opens an operation', () => {
  const opened = (route: Route) => onlyOperation(route).security;
  expect(opened(get())).toEqual([{ merchantToken: ['orders'] }]);
  expect(opened(get({ access: operator }))).toEqual([{ operatorToken: [] }]);
  expect(opened(page())).toEqual([]);
});

it('leaves hidden routes out', () => {
  const route = page({ hidden: true });
  expect(documentOf(route).paths).toEqual({});
});
