import Type from 'typebox';
import { expect, it } from 'vitest';
import { openApiDocument } from '../../src/http/openapi/document.js';
import { command, read } from '../../src/http/route.js';
import { serviceProblems } from '../../src/problems.js';
import { type OpenApiDocument, observeAnswer } from '../harness/openapi-observer.js';

const Thing = Type.Object(
  { id: Type.Integer(), at: Type.String({ format: 'date-time' }) },
  { title: 'Thing', additionalProperties: false, examples: [{ id: 1, at: '2026-01-01T00:00:00Z' }] },
);
const described = {
  tag: 'Things',
  summary: 'A thing',
  access: { token: 'merchant', scope: 'users', user: 'none' },
  run: async () => undefined as never,
} as const;
const params = Type.Object({ thingId: Type.Integer() });
const document = openApiDocument({
  problems: serviceProblems(),
  version: '1.0.0',
  baseUrl: () => 'https://pay.example.com',
  routes: [
    read({
      ...described,
      method: 'GET',
      path: '/things/{thingId}',
      operationId: 'getThing',
      params,
      answer: Thing,
    }),
    command({ ...described, method: 'DELETE', path: '/things', operationId: 'deleteThings' }),
  ],
}) as OpenApiDocument;

const right = {
  method: 'GET',
  path: '/things/7?x=1',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  bodyText: '{"id":7,"at":"2026-01-01T00:00:00Z"}',
};
const gone = { ...right, method: 'DELETE', path: '/things', contentType: '', bodyText: '' };
const problem = {
  type: 'https://pay.example.com/docs/errors#not_found',
  title: 'Not found',
  status: 404,
  detail: 'There is nothing at this address.',
  code: 'not_found',
  requestId: 'req_1',
};
const notFound = {
  ...right,
  path: '/nothing',
  status: 404,
  contentType: 'application/problem+json',
  bodyText: JSON.stringify(problem),
};

it.each([
  ['an answer of the right shape', right],
  ['the answer to HEAD, which has no body', { ...right, method: 'HEAD', bodyText: '' }],
  ['an empty body', gone],
  ['404 at an unknown path', notFound],
  ['a refusal of an operation', { ...notFound, path: '/things/7' }],
  ['405 for another method', { ...notFound, path: '/things', status: 405 }],
  ['400 for an address that cannot be decoded', { ...notFound, path: '/things/%zz', status: 400 }],
])('accepts %s', (_, answer) => {
  expect(() => observeAnswer(document, answer)).not.toThrow();
});

it.each([
  ['a status that is not documented', { ...right, status: 201 }, /foresees 200, 400, 401, 403/],
  ['a missing field', { ...right, bodyText: '{"id":7}' }, /required property 'at'/],
  ['a field too many', { ...right, bodyText: right.bodyText.replace('}', ',"x":1}') }, /additionalProperty":"x"/],
  ['a wrong format', { ...right, bodyText: '{"id":7,"at":"yesterday"}' }, /\/at must match format/],
  ['another content type', { ...right, contentType: 'text/plain' }, /text\/plain instead of application\/json/],
  ['a body that is not JSON', { ...right, bodyText: '{' }, /not JSON/],
  ['a body where none belongs', { ...gone, bodyText: '{}' }, /empty body/],
  ['a refusal that is no problem document', { ...right, status: 401 }, /instead of application\/problem/],
  ['a problem without a code', { ...notFound, bodyText: '{"status":404}' }, /required property 'code'/],
  ['an answer at an unknown path', { ...right, path: '/nothing' }, /404 is expected/],
  ['an answer to an unknown method', { ...right, method: 'PUT' }, /405 is expected/],
])('finds %s', (_, answer, message) => {
  expect(() => observeAnswer(document, answer)).toThrow(message);
});
