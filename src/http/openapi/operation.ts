/** Describes a route as an OpenAPI operation. */
import type { TObject, TSchema } from 'typebox';
import { maxNoteLength } from '../commands/approval-note.js';
import { RequestedApprovalShape } from '../four-eyes.js';
import { type Callback, isAudited, type Route, type Webhook } from '../route.js';
import type { Components, JsonObject } from './components.js';
import { headersOf } from './headers.js';
import {
  canNeedApproval,
  refusalResponses,
  requiresIdempotencyKey,
  selectsUser,
  takesIdempotencyKey,
} from './refusals.js';
import { describeAccess, securityOf } from './security.js';

const json = 'application/json';
const audited = 'Each request is recorded in the audit log.';

export function operationOf(route: Route, components: Components): JsonObject {
  const parameters = parametersOf(route, components);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...withText('description', [route.description, isAudited(route) ? audited : undefined, describeAccess(route)]),
    security: securityOf(route.access, components),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: requestBodyOf(route.body, route.bodyTypes ?? [json], components) } : {}),
    responses: responsesOf(route, components),
    ...(route.callback ? { callbacks: callbacksOf(route, route.callback, components) } : {}),
    ...(isAboutUser(route) ? { 'x-codeSamples': [sampleOf(route)] } : {}),
  };
}

function callbacksOf(route: Route, callback: Callback, components: Components): JsonObject {
  const post = receivedOperation(`${route.operationId}Callback`, route.tag, callback, components);
  return { notification: { '{$request.body#/url}': { post } } };
}

export function webhookOf(webhook: Webhook, components: Components): JsonObject {
  const name = webhook.name.replaceAll(/(?:^|[._])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return { post: receivedOperation(`on${name}`, webhook.tag, webhook, components) };
}

/** An operation that we call and the merchant answers. */
function receivedOperation(operationId: string, tag: string, callback: Callback, components: Components): JsonObject {
  return {
    operationId,
    tags: [tag],
    summary: callback.summary,
    description: callback.description,
    security: [],
    parameters: fieldsOf(callback.headers, 'header', components),
    requestBody: requestBodyOf(callback.body, [json], components),
    responses: Object.fromEntries(
      Object.entries(callback.answers).map(([status, description]) => [status, { description }]),
    ),
  };
}

function withText(name: string, paragraphs: readonly (string | undefined)[]): JsonObject {
  const text = paragraphs.filter(Boolean).join('\n\n');
  return text === '' ? {} : { [name]: text };
}

function parametersOf(route: Route, components: Components): JsonObject[] {
  return [
    ...pathParameters(route, components),
    ...(selectsUser(route) ? userSelectors(components) : []),
    ...(route.query ? fieldsOf(route.query, 'query', components) : []),
    ...(takesIdempotencyKey(route) ? [idempotencyKey(route, components)] : []),
    ...(canNeedApproval(route) ? [approvalNote(components)] : []),
  ];
}

function pathParameters(route: Route, components: Components): JsonObject[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const declared = Object.keys(route.params?.properties ?? {});
  if (inPath.toSorted().join() !== declared.toSorted().join()) {
    throw new Error(`${route.operationId}: the parameters of the path and of its schema differ.`);
  }
  return route.params ? fieldsOf(route.params, 'path', components) : [];
}

function fieldsOf(fields: TObject, place: 'path' | 'query' | 'header', components: Components): JsonObject[] {
  const required = new Set<string>(fields.required);
  return Object.entries(fields.properties).map(([name, field]) => {
    const { description, ...schema } = field as { description?: string };
    return {
      name,
      in: place,
      ...withText('description', [description]),
      ...(required.has(name) ? { required: true } : {}),
      schema: components.schema(schema),
    };
  });
}

function userSelectors(components: Components): JsonObject[] {
  return [
    components.refer('parameters', 'UserId', {
      name: 'userId',
      in: 'query',
      description: 'The id of the user that the call is about. Not needed with a user token.',
      schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      example: 241958564297829,
    }),
    components.refer('parameters', 'ExternalClientId', {
      name: 'externalClientId',
      in: 'query',
      description: 'The `externalClientId` of the user that the call is about, instead of `userId`.',
      schema: { type: 'string', minLength: 1 },
    }),
  ];
}

function isAboutUser({ access, kind }: Route): boolean {
  return 'user' in access && access.user === 'required' && kind !== 'upload';
}

/** Without a user the call is refused, so the sample names one, as the quick start does. */
function sampleOf({ method, path, body }: Route): JsonObject {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const example = body && exampleOf(body);
  const parts = [
    'curl',
    ...(method === (example === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    '-H "Authorization: Bearer $TOKEN"',
    ...(example === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(example).replaceAll("'", String.raw`'\\''`)}'`]),
    `"\${BASE_URL:-http://127.0.0.1:3000}${address}?userId=$USER_ID"`,
  ];
  return { lang: 'Shell', label: 'curl', source: parts.join(' ') };
}

function idempotencyKey(route: Route, components: Components): JsonObject {
  const isRequired = requiresIdempotencyKey(route);
  return components.refer('parameters', isRequired ? 'RequiredIdempotencyKey' : 'IdempotencyKey', {
    name: 'Idempotency-Key',
    in: 'header',
    ...(isRequired ? { required: true } : {}),
    description:
      'Makes a retry safe: the same key with the same body is carried out once, and every retry gets the first answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '3f0c9a52-7c1e-4d7b-9a55-0d6f5f3b8a11',
  });
}

function approvalNote(components: Components): JsonObject {
  return components.refer('parameters', 'ApprovalNote', {
    name: 'Approval-Note',
    in: 'header',
    description:
      'Why you ask, for the second operator, if the command needs one. UTF-8; escape with `%` what your client cannot send.',
    schema: { type: 'string', maxLength: maxNoteLength },
    example: 'Agreed with the bank on 12 November.',
  });
}

function requestBodyOf(body: TSchema, types: readonly string[], components: Components): JsonObject {
  const media = mediaOf(body, components);
  return { required: true, content: Object.fromEntries(types.map((type) => [type, media])) };
}

function responsesOf(route: Route, components: Components): JsonObject {
  const responses = new Map<number, JsonObject>([[200, successOf(route, components)]]);
  if (canNeedApproval(route)) responses.set(202, approvalOf(route, components));
  for (const [status, response] of refusalResponses(route, components)) responses.set(status, response);
  for (const [key, { description, schema }] of Object.entries(route.otherAnswers ?? {})) {
    const status = Number(key);
    const content = schema ? { content: { [json]: mediaOf(schema, components) } } : {};
    responses.set(status, { description, headers: headersOf(status, components), ...content });
  }
  return Object.fromEntries([...responses].sort(([left], [right]) => left - right));
}

function successOf(route: Route, components: Components): JsonObject {
  const headers = headersOf(200, components, [
    ...(route.access.token === 'none' ? [] : (['RateLimit', 'RateLimit-Policy'] as const)),
    ...(takesIdempotencyKey(route) ? (['Idempotent-Replayed'] as const) : []),
    ...(route.query?.properties.after ? (['Link'] as const) : []),
  ]);
  const description = route.returns ?? route.summary;
  if (!route.answer) return { description: `${description} The body is empty.`, headers };
  const media = mediaOf(route.answer, components);
  const types = route.answerTypes ?? [route.answerType ?? json];
  const content = Object.fromEntries(types.map((type) => [type, media]));
  const page = route.isAlsoPage ? { 'text/html': { schema: { type: 'string' } } } : {};
  return { description, headers, content: { ...content, ...page } };
}

/** The answer of a command that waits for a second person. */
function approvalOf(route: Route, components: Components): JsonObject {
  const headers = headersOf(202, components, [
    ...(['RateLimit', 'RateLimit-Policy'] as const),
    ...(takesIdempotencyKey(route) ? (['Idempotent-Replayed'] as const) : []),
  ]);
  const description =
    'Nothing has changed yet: a second operator must approve it (`POST /operator/approvals/{approvalId}/approve`).';
  return { description, headers, content: { [json]: mediaOf(RequestedApprovalShape, components) } };
}

function mediaOf(schema: TSchema, components: Components): JsonObject {
  const example = exampleOf(schema);
  return { schema: components.schema(schema), ...(example === undefined ? {} : { example }) };
}

/** Returns the first example of the schema. An array without one shows the example of its items. */
function exampleOf(schema: TSchema): unknown {
  const { examples, items } = schema as { examples?: readonly unknown[]; items?: TSchema };
  if (examples && examples.length > 0) return examples[0];
  const item = items && exampleOf(items);
  return item === undefined ? undefined : [item];
}
