/** Puts a declared route on the server: authenticate → limit → select the user → check the fields → run → answer. */
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Caller, SelectedUser } from '../caller.js';
import { RemesaError } from '../errors.js';
import type { Database } from '../postgres/database.js';
import { hasOverlongParameter, notFound } from './addresses.js';
import { JsonText, ListPage } from './answer.js';
import { type AnswerHeaders, replayedHeader, senderOf } from './answer-headers.js';
import { type Authenticator, admit, selectUser } from './authenticator.js';
import { type Check, checkerOf, invalidFields } from './body/field-faults.js';
import { formBounds } from './body/form.js';
import type { JsonBody, JsonReading } from './body/json-body.js';
import { literalPointers } from './body/literal-pointers.js';
import { faultsOfNul, readQueryValues } from './body/query-values.js';
import { runChange, runCommand } from './command.js';
import { fingerprintOf, type KeyClaim, readKey, scopeHash } from './idempotency.js';
import { clientRequestOf } from './oauth.js';
import { postedOf, sendPage, visitOf } from './page.js';
import type { Call, Idempotency, Route } from './route.js';
import { sendStream, sendText } from './stream.js';
import { type Lane, laneOf } from './traffic/lanes.js';
import type { RateLimiter } from './traffic/rate-limit.js';
import { sourceAddress } from './traffic/source-address.js';

export interface Edge {
  readonly database: Database;
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
  readonly fingerprintKey: Buffer;
  /** Encrypts stored answers that contain a secret. */
  readonly answerKey: Buffer;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    jsonBody: JsonBody | undefined;
    rawBody: Buffer | undefined;
  }
  interface FastifyContextConfig {
    /** Overrides the time that every request has to arrive. */
    readonly arrivesWithinMs?: number;
    readonly jsonReading?: JsonReading;
    /** Undefined for probes. */
    readonly lane?: Lane | undefined;
  }
}

type AnyCall = Call<never, unknown, unknown, unknown>;

export function serveRoute(server: FastifyInstance, edge: Edge, fields: AnswerHeaders, route: Route): void {
  server.route({
    method: route.method,
    url: fastifyPath(route.path),
    exposeHeadRoute: route.method === 'GET',
    config: configOf(route),
    ...(route.bodyBounds ? { bodyLimit: route.bodyBounds.bytes } : {}),
    // Runs before the body is read, so that only authorised callers can send one.
    onRequest: (request, _reply, done) => {
      const enter = (caller: Caller | undefined) => {
        request.caller = caller;
        request.rateLimit = caller && edge.rateLimiter.count(caller, route);
        done(request.rateLimit?.refusal ?? (hasOverlongParameter(request.params) ? notFound() : undefined));
      };
      const caller = admit(edge.authenticator, route.access, request.headers.authorization);
      // A cached token costs no turn of the event loop.
      if (caller instanceof Promise) caller.then(enter).catch(done);
      else enter(caller);
    },
    handler: handlerOf(edge, fields, route),
  });
}

function configOf(route: Route): FastifyContextConfig {
  const literals = literalPointers(route.literals ?? []);
  return {
    lane: laneOf(route),
    // A form may contain photographs, which take long to upload.
    ...(isForm(route) ? { arrivesWithinMs: formBounds.arrivesWithinMs } : {}),
    jsonReading: {
      ...(literals ? { literals } : {}),
      ...(route.bodyBounds ? { fields: route.bodyBounds.fields } : {}),
    },
  };
}

function isForm(route: Route): boolean {
  return route.kind === 'page' && route.method !== 'GET';
}

export function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

function handlerOf(edge: Edge, fields: AnswerHeaders, route: Route): Handler {
  if (route.kind === 'raw') return route.run;
  const readCall = route.protocol === 'oauth' ? oauthCallReader(edge, route) : callReader(edge, route);
  if (route.kind === 'page' || route.kind === 'document') return pageHandler(edge, route, readCall);
  if (route.kind === 'stream') {
    return async (request, reply) => {
      const call = await readCall(request);
      request.server.traffic.streams.begin(request, reply);
      return sendStream(request, reply, await route.run(call, edge.database.bulk));
    };
  }
  const encode = encoderOf(route);
  const send = senderOf(fields, route.answerType ?? 'application/json; charset=utf-8');
  if (route.kind === 'read') {
    const { run } = route;
    return (request, reply) => {
      const call = readCall(request);
      const answer =
        call instanceof Promise ? call.then((read) => run(read, edge.database)) : run(call, edge.database);
      answer
        .then((value): unknown => {
          if (!(value instanceof ListPage)) return send(request, reply, encode(value));
          return sendText(request, reply, encode(value.items), value.headers);
        })
        .catch((error) => reply.send(error));
    };
  }
  return async (request, reply) => {
    const call = await readCall(request);
    const key = keyClaimOf(edge, route.idempotency, request, call);
    if (!key && route.runKeyless) return send(request, reply, encode(await route.runKeyless(call)));
    const prepared = await route.prepare?.(call);
    const verb = async (tx: Parameters<typeof route.run>[1]) => encode(await route.run(call, tx, prepared));
    const answer = await runCommand(edge.database, verb, key).catch((error) =>
      recordRefusal(edge, route, call, error),
    );
    await route.afterCommit?.(call, edge.database);
    send(request, reply, answer.body, answer.replayed ? replayedHeader : []);
  };
}

/** Throws the given error again, after the route has recorded the refusal. */
async function recordRefusal(
  { database }: Edge,
  { onRefused }: Extract<Route, { kind: 'command' }>,
  call: AnyCall,
  error: unknown,
): Promise<never> {
  if (onRefused && error instanceof RemesaError) {
    await database.transaction((tx) => onRefused(call, error, tx));
  }
  throw error;
}

function pageHandler(
  edge: Edge,
  route: Extract<Route, { kind: 'page' | 'document' }>,
  readCall: CallReader,
): Handler {
  const { database } = edge;
  if (route.kind === 'page') {
    return async (request, reply) => {
      const visit = route.method === 'GET' ? visitOf(request) : postedOf(request, database);
      return sendPage(reply, await route.run(Object.assign(await readCall(request), visit), database));
    };
  }
  return async (request, reply) => {
    const call = Object.assign(await readCall(request), visitOf(request));
    // HEAD must not create anything.
    if (request.method === 'HEAD') return sendPage(reply, { html: '' });
    return sendPage(reply, await runChange(database, (tx) => route.run(call, tx)));
  };
}

function encoderOf(route: Route): (answer: unknown) => string {
  if (!route.answer) return () => '';
  const stringify = fastJsonStringify(route.answer as object) as (answer: unknown) => string;
  return (answer) => (answer instanceof JsonText ? answer.text : stringify(answer));
}

type CallReader = (request: FastifyRequest) => AnyCall | Promise<AnyCall>;

function oauthCallReader(edge: Edge, route: Route): CallReader {
  const readCall = callReader(edge, route);
  return async (request) => Object.assign(await readCall(request), clientRequestOf(request));
}

function callReader(edge: Edge, route: Route): CallReader {
  const access = route.access;
  const selector = 'user' in access ? access.user : 'none';
  const checkFields = fieldReader(route);
  const callOf = (request: FastifyRequest, user: SelectedUser | undefined): AnyCall => {
    const rawQuery = request.query as Record<string, unknown>;
    const { params, query, body } = checkFields(
      request,
      selector === 'none' ? rawQuery : withoutSelectors(rawQuery),
    );
    return {
      caller: request.caller as never,
      by: (request.caller && { actor: request.caller, requestId: request.id }) as never,
      user: user as never,
      params,
      query,
      body,
      literal: (pointer) => request.jsonBody?.literals.get(pointer),
      requestId: request.id,
      address: sourceAddress(request.ip),
    };
  };
  return (request) => {
    const { caller } = request;
    const isAboutNoUser = selector === 'none' && caller?.kind === 'merchant';
    if (caller === undefined || caller.kind === 'operator' || isAboutNoUser)
      return callOf(request, undefined);
    const query = request.query as Record<string, unknown>;
    return selectUser(edge.authenticator, selector, caller, query).then((user) => callOf(request, user));
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

/** Reports the faults of path, query and body together, so that the caller can correct them all at once. */
function fieldReader(route: Route): (request: FastifyRequest, query: Record<string, unknown>) => Fields {
  const readParams = parameterReader(route.params);
  const readQuery = parameterReader(route.query);
  const checkBody = bodyChecker(route);
  return (request, rawQuery) => {
    const path = readParams(request.params as Record<string, unknown>);
    const query = readQuery(rawQuery);
    const body = request.jsonBody?.value;
    const bodyFaults = checkBody(body);
    if (path.faults.length + query.faults.length + bodyFaults.length > 0)
      throw invalidFields([...path.faults, ...query.faults, ...bodyFaults]);
    return { params: path.values, query: query.values, body };
  };
}

function bodyChecker({ body, inspect, protocol }: Route): Check {
  if (!body || protocol === 'oauth') return () => nothingRead.faults;
  const checkShape = checkerOf(body);
  if (!inspect) return checkShape;
  return (value) => {
    const faults = checkShape(value);
    const faulty = new Set(faults.map((fault) => fault.field));
    return [...faults, ...inspect(value).filter((fault) => !faulty.has(fault.field))];
  };
}

const nothingRead = { values: undefined, faults: [] } as const;

type ParameterReader = (raw: Record<string, unknown>) => { values: unknown; faults: ReturnType<Check> };

function parameterReader(schema: TObject | undefined): ParameterReader {
  if (!schema) return () => nothingRead;
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
  if (header === undefined || !idempotency || !caller) return undefined;
  const key = readKey(String(header));
  const merchantId = caller.kind === 'operator' ? 0 : caller.merchantId;
  const owner = caller.kind === 'operator' ? `operator ${caller.operatorId}` : merchantId;
  return {
    merchantId,
    scopeHash: scopeHash([owner, request.method, request.url, call.user?.id ?? 0, key]),
    fingerprint: fingerprintOf(edge.fingerprintKey, request.rawBody),
    keepForHours: idempotency.keepForHours,
    sealingKey: idempotency.isSecret ? edge.answerKey : undefined,
  };
}
