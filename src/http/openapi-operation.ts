/** One route as an OpenAPI operation. */
import type { TObject, TSchema } from 'typebox';
import type { Components, JsonObject } from './openapi-components.js';
import { headersOf } from './openapi-headers.js';
import { refusalResponses, selectsUser, takesIdempotencyKey } from './openapi-refusals.js';
import { describeAccess, securityOf } from './openapi-security.js';
import type { Callback, Route } from './route.js';

const json = 'application/json';

export function operationOf(route: Route, components: Components): JsonObject {
  const parameters = parametersOf(route, components);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...withText('description', [route.description, describeAccess(route.access)]),
    security: securityOf(route.access, components),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: requestBodyOf(route.body, route.bodyTypes ?? [json], components) } : {}),
    responses: responsesOf(route, components),
    ...(route.callback ? { callbacks: callbacksOf(route, route.callback, components) } : {}),
  };
}

function callbacksOf(route: Route, callback: Callback, components: Components): JsonObject {
  const post = {
    operationId: `${route.operationId}Callback`,
    tags: [route.tag],
    summary: callback.summary,
    description: callback.description,
    security: [],
    parameters: fieldsOf(callback.headers, 'header', components),
    requestBody: requestBodyOf(callback.body, [json], components),
    responses: Object.fromEntries(
      Object.entries(callback.answers).map(([status, description]) => [status, { description }]),
    ),
  };
  return { notification: { '{$request.body#/url}': { post } } };
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
    ...(takesIdempotencyKey(route) ? [idempotencyKey(components)] : []),
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
      description: 'The user that the call is about, by its id. Not needed with a token of one user.',
      schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    }),
    components.refer('parameters', 'ExternalClientId', {
      name: 'externalClientId',
      in: 'query',
      description: 'The user that the call is about, by its `externalClientId`, instead of `userId`.',
      schema: { type: 'string', minLength: 1 },
    }),
  ];
}

function idempotencyKey(components: Components): JsonObject {
  return components.refer('parameters', 'IdempotencyKey', {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes it safe to send the request again: the same key with the same body gets the first answer, and nothing is done twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '3f0c9a52-7c1e-4d7b-9a55-0d6f5f3b8a11',
  });
}

function requestBodyOf(body: TSchema, types: readonly string[], components: Components): JsonObject {
  const media = mediaOf(body, components);
  return { required: true, content: Object.fromEntries(types.map((type) => [type, media])) };
}

function responsesOf(route: Route, components: Components): JsonObject {
  const responses = new Map<number, JsonObject>([[200, successOf(route, components)]]);
  for (const [status, response] of refusalResponses(route, components)) responses.set(status, response);
  for (const [key, { description, schema }] of Object.entries(route.otherAnswers ?? {})) {
    const status = Number(key);
    const content = schema ? { content: { [json]: mediaOf(schema, components) } } : {};
    responses.set(status, { description, headers: headersOf(status, components), ...content });
  }
  return Object.fromEntries([...responses].sort(([one], [other]) => one - other));
}

function successOf(route: Route, components: Components): JsonObject {
  const headers = headersOf(200, components, [
    ...(route.access.token === 'none' ? [] : (['RateLimit', 'RateLimit-Policy'] as const)),
    ...(takesIdempotencyKey(route) ? (['Idempotent-Replayed'] as const) : []),
  ]);
  if (!route.answer) return { description: 'Done; the body is empty.', headers };
  const media = mediaOf(route.answer, components);
  const types = route.answerTypes ?? [route.answerType ?? json];
  return { description: 'Done.', headers, content: Object.fromEntries(types.map((type) => [type, media])) };
}

function mediaOf(schema: TSchema, components: Components): JsonObject {
  const example = exampleOf(schema);
  return { schema: components.schema(schema), ...(example === undefined ? {} : { example }) };
}

/** The first of its own; a list without one shows one of what it lists. */
function exampleOf(schema: TSchema): unknown {
  const { examples, items } = schema as { examples?: readonly unknown[]; items?: TSchema };
  if (examples && examples.length > 0) return examples[0];
  const item = items && exampleOf(items);
  return item === undefined ? undefined : [item];
}
