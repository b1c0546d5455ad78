/** Answers 405 when an address is served, but not with this method. The answer names the allowed methods. */
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { RemesaError } from '../errors.js';
import type { Route } from './route.js';
import { fastifyPath } from './serve-route.js';

const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

/** A path that routes declare, and the methods with which it is served, as the field Allow names them. */
export interface ServedPath {
  readonly path: string;
  readonly allow: string;
  /** One of its routes. Errors have the format of this route. */
  readonly route: Route;
}

/** Finds the path of a request that no route takes. Routes for every other method would make a start a sixth slower. */
export class ServedPaths {
  #patterns: readonly { readonly pattern: RegExp; readonly served: ServedPath }[] | undefined;

  constructor(readonly routes: readonly Route[]) {}

  /** Undefined when nothing is served at this address. */
  find(url: string): ServedPath | undefined {
    const [path = ''] = url.split('?');
    this.#patterns ??= [...byPath(this.routes)].map(([declared, routes]) => ({
      pattern: patternOf(declared),
      served: { path: fastifyPath(declared), allow: methodsOf(routes).join(', '), route: routes[0] as Route },
    }));
    return this.#patterns.find(({ pattern }) => pattern.test(path))?.served;
  }
}

/** The router would serve GET /orders/preflight as GET /orders/{id}. */
export function refuseMethodsOfWiderPaths(server: FastifyInstance, all: readonly Route[]): void {
  const paths = [...byPath(all)];
  const wider = paths
    .filter(([path]) => parametersOf(path) > 0)
    .map(([path, routes]) => ({ path, pattern: patternOf(path), methods: methodsOf(routes) }));
  for (const [path, routes] of paths) {
    const others = wider.filter((other) => other.path !== path && other.pattern.test(path));
    const allowed = methodsOf(routes);
    const methods = new Set(others.flatMap((other) => other.methods));
    for (const method of allowed) methods.delete(method);
    if (methods.size === 0) continue;
    const allow = allowed.join(', ');
    server.route({
      method: [...methods],
      url: fastifyPath(path),
      config: { route: routes[0] as Route },
      onRequest: async (_request, reply) => {
        reply.header('allow', allow);
        throw methodNotAllowed(allow);
      },
      handler: () => undefined,
    });
  }
}

export function methodNotAllowed(allow: string): RemesaError {
  return new RemesaError('method_not_allowed', 'method_not_allowed', `This address allows ${allow}.`);
}

/** Those with the fewest parameters first: they win over those that match more. */
function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const found = new Map<string, Route[]>();
  for (const route of routes.toSorted((left, right) => parametersOf(left.path) - parametersOf(right.path)))
    found.set(route.path, [...(found.get(route.path) ?? []), route]);
  return found;
}

function parametersOf(path: string): number {
  return path.split('{').length - 1;
}

function methodsOf(routes: readonly Route[]): HTTPMethods[] {
  const taken = new Set<string>(routes.map(({ method }) => method));
  if (taken.has('GET')) taken.add('HEAD');
  return everyMethod.filter((method) => taken.has(method));
}

function patternOf(path: string): RegExp {
  const literals = path.split(/\{\w+\}/).map((text) => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('[^/]+')}$`);
}
