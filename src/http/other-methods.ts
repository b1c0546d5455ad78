/**
 * Answers 405 when an address is served, but not with this method. The answer names the allowed methods. The path is looked
 * up when the router finds no route. Registering every other method of every path took a sixth of a start.
 */
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { RemesaError } from '../errors.js';
import type { Route } from './route.js';
import { fastifyPath } from './serve-route.js';

const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

/** A path that routes declare, and the methods with which it is served, as the field Allow names them. */
export interface ServedPath {
  readonly path: string;
  readonly allow: string;
}

export class ServedPaths {
  #patterns: readonly { readonly pattern: RegExp; readonly served: ServedPath }[] | undefined;

  constructor(readonly routes: readonly Route[]) {}

  /** Undefined when nothing is served at this address. */
  find(url: string): ServedPath | undefined {
    const [path = ''] = url.split('?');
    this.#patterns ??= pathsOf(this.routes).map((declared) => ({
      pattern: patternOf(declared),
      served: { path: fastifyPath(declared), allow: methodsOf(this.routes, declared).join(', ') },
    }));
    return this.#patterns.find(({ pattern }) => pattern.test(path))?.served;
  }
}

/** For routes with an error format of their own, which only their part of the server knows. */
export function refuseOtherMethods(server: FastifyInstance, routes: readonly Route[]): void {
  for (const path of pathsOf(routes)) {
    const allowed = methodsOf(routes, path);
    refuse(server, path, allowed, without(everyMethod, allowed));
  }
}

/** The router would serve GET /orders/preflight as GET /orders/{id}. */
export function refuseMethodsOfWiderPaths(server: FastifyInstance, routes: readonly Route[]): void {
  const paths = pathsOf(routes);
  const wider = paths.filter(hasParameters).map((path) => ({ path, pattern: patternOf(path) }));
  for (const path of paths) {
    const others = wider.filter((other) => other.path !== path && other.pattern.test(path));
    if (others.length === 0) continue;
    const allowed = methodsOf(routes, path);
    const methods = new Set(others.flatMap((other) => methodsOf(routes, other.path)));
    refuse(server, path, allowed, without([...methods], allowed));
  }
}

export function methodNotAllowed(allow: string): RemesaError {
  return new RemesaError('method_not_allowed', 'method_not_allowed', `This address allows ${allow}.`);
}

function refuse(
  server: FastifyInstance,
  path: string,
  allowed: readonly string[],
  methods: HTTPMethods[],
): void {
  if (methods.length === 0) return;
  const allow = allowed.join(', ');
  server.route({
    method: methods,
    url: fastifyPath(path),
    onRequest: (_request, reply, done) => {
      reply.header('allow', allow);
      done(methodNotAllowed(allow));
    },
    handler: () => undefined,
  });
}

/** Those without parameters first: they win over those that match anything. */
function pathsOf(routes: readonly Route[]): string[] {
  const paths = [...new Set(routes.map(({ path }) => path))];
  return [...paths.filter((path) => !hasParameters(path)), ...paths.filter(hasParameters)];
}

function hasParameters(path: string): boolean {
  return path.includes('{');
}

function methodsOf(routes: readonly Route[], path: string): HTTPMethods[] {
  const taken = new Set<string>(routes.filter((route) => route.path === path).map(({ method }) => method));
  if (taken.has('GET')) taken.add('HEAD');
  return everyMethod.filter((method) => taken.has(method));
}

function without(methods: readonly HTTPMethods[], others: readonly HTTPMethods[]): HTTPMethods[] {
  return methods.filter((method) => !others.includes(method));
}

function patternOf(path: string): RegExp {
  const literals = path.split(/\{\w+\}/).map((text) => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('[^/]+')}$`);
}
