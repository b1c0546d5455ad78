/** Puts a declared route on the server: admit → limit → select the user → check the fields → run → answer. */
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Caller, SelectedUser } from '../caller.js';
import type { Database } from '../postgres/database.js';
import { runCommand } from './command.js';
import { type Check, checkerOf, invalidFields } from './field-faults.js';
import { admit, type Gatekeeper, selectUser } from './gatekeeper.js';
import { fingerprintOf, type KeyClaim, readKey, scopeHash } from './idempotency.js';
import type { JsonBody } from './json-body.js';
import { faultsOfNul, readQueryValues } from './query-values.js';
import type { RateLimiter } from './rate-limit.js';
import type { Call, Idempotency, Route } from './route.js';
import { sendStream } from './stream.js';

export interface Edge {
  readonly database: Database;
  readonly gatekeeper: Gatekeeper;
  readonly rateLimiter: RateLimiter;
  readonly fingerprintKey: Buffer;
  /** Other than a minute, for tests that can not wait so long. */
  readonly readerStallMs?: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    jsonBody: JsonBody | undefined;
    rawBody: Buffer | undefined;
  }
}

type AnyCall = Call<never, unknown, unknown, unknown>;

export function serveRoute(server: FastifyInstance, edge: Edge, route: Route): void {
  server.route({
    method: route.method,
    url: fastifyPath(route.path),
    exposeHeadRoute: route.method === 'GET',
    // Before the body is read: who may not call does not get to send one.
    onRequest: (request, reply, done) => {
      const enter = (caller: Caller | undefined) => {
        request.caller = caller;
        if (caller) edge.rateLimiter.count(caller, route, reply);
      };
      const caller = admit(edge.gatekeeper, route.access, request.headers.authorization);
      // A token that is known costs no turn of the event loop.
      if (caller instanceof Promise) return void caller.then(enter).then(() => done(), done);
      enter(caller);
      done();
    },
    handler: handlerOf(edge, route),
  });
}

export function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

function handlerOf(edge: Edge, route: Route): Handler {
  if (route.kind === 'raw') return route.run;
  const readCall = callReader(edge, route);
  if (route.kind === 'stream') {
    return async (request, reply) =>
      sendStream(
        request,
        reply,
        await route.run(await readCall(request), edge.database.bulk),
        edge.readerStallMs,
      );
  }
  const encode = encoderOf(route);
  if (route.kind === 'read') {
    return async (request, reply) => {
      const answer = await route.run(await readCall(request), edge.database);
      return send(reply, encode(answer));
    };
  }
  return async (request, reply) => {
    const call = await readCall(request);
    const key = keyClaimOf(edge, route.idempotency, request, call);
    if (!key && route.runKeyless) return send(reply, encode(await route.runKeyless(call)));
    const verb = async (tx: Parameters<typeof route.run>[1]) => encode(await route.run(call, tx));
    const answer = await runCommand(edge.database, verb, key);
    if (answer.replayed) reply.header('idempotent-replayed', 'true');
    return send(reply, answer.body);
  };
}

function send(reply: FastifyReply, body: string): FastifyReply {
  // An empty text would be sent as one, with the type of a text.
  if (body === '') return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(body);
}

function encoderOf(route: Route): (answer: unknown) => string {
  if (route.encode) return route.encode as (answer: unknown) => string;
  if (!route.answer) return () => '';
  return fastJsonStringify(route.answer as object) as (answer: unknown) => string;
}

type CallReader = (request: FastifyRequest) => AnyCall | Promise<AnyCall>;

function callReader(edge: Edge, route: Route): CallReader {
  const access = route.access;
  const selector = 'user' in access ? access.user : 'none';
  const checkFields = fieldReader(route);
  const callOf = (request: FastifyRequest, user: SelectedUser | undefined): AnyCall => {
    const rawQuery = request.query as Record<string, unknown>;
    const fields = checkFields(request, selector === 'none' ? rawQuery : withoutSelectors(rawQuery));
    return {
      caller: request.caller as never,
      user: user as never,
      ...fields,
      literal: (pointer) => request.jsonBody?.literals.get(pointer),
      requestId: request.id,
      address: request.ip,
    };
  };
  return (request) => {
    const { caller } = request;
    const namesNobody = selector === 'none' && caller?.kind === 'merchant';
    if (caller === undefined || caller.kind === 'operator' || namesNobody) return callOf(request, undefined);
    const query = request.query as Record<string, unknown>;
    return selectUser(edge.gatekeeper, selector, caller, query).then((user) => callOf(request, user));
  };
}

function withoutSelectors(query: Record<string, unknown>): Record<string, unknown> {
  const { userId: _, externalClientId: __, ...others } = query;
  return others;
}

interface Fields {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** Every fault of path, query and body together, so that a caller mends them all at once. */
function fieldReader(route: Route): (request: FastifyRequest, query: Record<string, unknown>) => Fields {
  const nothing: TObject | undefined = undefined;
  const params = parameterReader(route.params ?? nothing);
  const query = parameterReader(route.query ?? nothing);
  const checkBody = bodyChecker(route);
  return (request, rawQuery) => {
    const path = params(request.params as Record<string, unknown>);
    const search = query(rawQuery);
    const body = request.jsonBody?.value;
    const faults = [...path.faults, ...search.faults, ...checkBody(body)];
    if (faults.length > 0) throw invalidFields(faults);
    return { params: path.values, query: search.values, body };
  };
}

function bodyChecker({ body, inspect }: Route): Check {
  if (!body) return () => [];
  const checkShape = checkerOf(body);
  if (!inspect) return checkShape;
  return (value) => {
    const faults = checkShape(value);
    const faulty = new Set(faults.map((fault) => fault.field));
    return [...faults, ...inspect(value).filter((fault) => !faulty.has(fault.field))];
  };
}

type ParameterReader = (raw: Record<string, unknown>) => { values: unknown; faults: ReturnType<Check> };

function parameterReader(schema: TObject | undefined): ParameterReader {
  if (!schema) return () => ({ values: undefined, faults: [] });
  const check = checkerOf(schema);
  return (raw) => {
    const values = readQueryValues(schema, raw);
    return { values, faults: [...check(values), ...faultsOfNul(values)] };
  };
}

function keyClaimOf(
  edge: Edge,
  idempotency: Idempotency | undefined,
  request: FastifyRequest,
  call: { readonly user: SelectedUser | undefined },
): KeyClaim | undefined {
  const header = request.headers['idempotency-key'];
  const caller = request.caller;
  if (header === undefined || !idempotency || !caller || caller.kind === 'operator') return undefined;
  const key = readKey(String(header));
  return {
    merchantId: caller.merchantId,
    scopeHash: scopeHash([caller.merchantId, request.method, request.url, call.user?.id ?? 0, key]),
    fingerprint: fingerprintOf(edge.fingerprintKey, request.rawBody),
    keepForHours: idempotency.keepForHours,
  };
}
