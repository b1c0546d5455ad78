/** Makes a valid request for any declared route from its schemas, so that new routes are included automatically. */
import type { TObject, TSchema } from 'typebox';
import type { Route } from '../../src/http/route.js';

export interface RouteRequest {
  readonly method: string;
  /** With its parameters and the query that is required, without a user. */
  readonly path: string;
  readonly body: unknown;
}

interface Described {
  readonly type?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly anyOf?: readonly Described[];
}

export function requestFor(route: Route): RouteRequest {
  const params = valuesOf(route.params, 'path', route);
  const query = valuesOf(route.query, 'query', route);
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (!(name in params)) throw new Error(`${nameOf(route)} does not declare its parameter ${name}`);
    return encodeURIComponent(String(params[name]));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return {
    method: route.method,
    path: search.size > 0 ? `${path}?${search}` : path,
    body: route.body === undefined ? undefined : exampleOf(route.body, route),
  };
}

/** The body as it is sent: JSON, or a form with the fields of the body as files. */
export function sentBody(
  route: Route,
  body: unknown,
): { body?: unknown; text?: string; headers?: Record<string, string> } {
  if (body === undefined) return {};
  if (route.kind !== 'upload') return { body };
  const parts = Object.entries(body as Record<string, string>).map(
    ([name, content]) =>
      `--parts\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n${content}\r\n`,
  );
  return {
    text: `${parts.join('')}--parts--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=parts' },
  };
}

export function nameOf(route: Route): string {
  return `${route.method} ${route.path}`;
}

export function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

function exampleOf(schema: TSchema, route: Route): unknown {
  const [example] = (schema as Described).examples ?? [];
  if (example === undefined) throw new Error(`${nameOf(route)} has no example of its body`);
  return example;
}

function valuesOf(schema: TObject | undefined, where: string, route: Route): Record<string, unknown> {
  if (!schema) return {};
  const [example] = (schema as Described).examples ?? [];
  const given = (example ?? {}) as Record<string, unknown>;
  const required = (schema as { required?: readonly string[] }).required ?? [];
  return Object.fromEntries(
    required.map((name) => [
      name,
      given[name] ?? leastOf(schema.properties[name] as Described, `${name} in the ${where} of ${nameOf(route)}`),
    ]),
  );
}

/** Returns the simplest value that the schema allows. A value that cannot be derived must have an example. */
function leastOf(schema: Described, what: string): unknown {
  const [known] = [...(schema.examples ?? []), ...(schema.enum ?? [])];
  const fixed = known ?? schema.const ?? schema.default ?? schema.anyOf?.[0]?.const;
  if (fixed !== undefined) return fixed;
  if (schema.type === 'integer') return schema.minimum ?? 1;
  if (schema.type === 'string' && schema.pattern === undefined) return 'unknown';
  throw new Error(`there is no example of ${what}`);
}
