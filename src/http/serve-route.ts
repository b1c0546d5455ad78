/** Puts a declared route on the server: authenticate → limit → select the user → check the fields → run → answer. */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../caller.js';
import { tracedRequest } from '../tracing/tracing.js';
import { hasOverlongParameter, notFound } from './addresses.js';
import { HtmlPage, ListPage } from './answers/answer.js';
import { encoderOf } from './answers/encoder.js';
import { sendStream, sendText } from './answers/stream.js';
import { type Authenticator, identify, permit, selectUser } from './authenticator.js';
import { formBounds } from './body/form.js';
import type { JsonBody, JsonReading } from './body/json-body.js';
import { literalPointers } from './body/literal-pointers.js';
import { runChange } from './commands/command.js';
import { keyNotAccepted } from './commands/key-claim.js';
import { type CommandContext, commandServer } from './commands/serve-command.js';
import { fieldReader } from './fields.js';
import { clientRequestOf } from './oauth.js';
import { postedOf, sendPage, visitOf } from './page.js';
import type { AnyCall, Route } from './route.js';
import { type Lane, laneOf } from './traffic/lanes.js';
import type { RateLimiter, RateLimitFields } from './traffic/rate-limit.js';
import { sourceAddress } from './traffic/source-address.js';

export interface Edge extends CommandContext {
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    /** The code of the error that it is answered with. */
    errorCode: string | undefined;
    jsonBody: JsonBody | undefined;
    rawBody: Buffer | undefined;
  }
  interface FastifyContextConfig {
    /** Errors have the format of this route. */
    readonly route?: Route;
    /** Overrides the time that every request has to arrive. */
    readonly arrivesWithinMs?: number;
    readonly jsonReading?: JsonReading;
    /** Undefined for probes. */
    readonly lane?: Lane | undefined;
  }
}

export function serveRoute(server: FastifyInstance, edge: Edge, route: Route): void {
  const countRequest = edge.rateLimiter.counterOf(route);
  server.route({
    method: route.method,
    url: fastifyPath(route.path),
    exposeHeadRoute: route.method === 'GET',
    config: configOf(route),
    ...(route.bodyBounds ? { bodyLimit: route.bodyBounds.bytes } : {}),
    // Runs before the body is read, so that only authorised callers can send one.
    onRequest: async (request, reply) => {
      const caller = await identify(edge.authenticator, route.access, request.headers.authorization);
      // Set before the refusal, so that merchants see it among their requests.
      request.caller = caller;
      if (caller) await permit(edge.authenticator, route, caller);
      if (caller && countRequest) limit(countRequest(caller), reply);
      if (hasOverlongParameter(request.params)) throw notFound();
    },
    handler: tracedHandler(route, handlerOf(edge, route)),
  });
}

function limit({ policy, left, refusal }: RateLimitFields, reply: FastifyReply): void {
  reply.header('ratelimit-policy', policy).header('ratelimit', left);
  if (refusal) throw refusal;
}

function configOf(route: Route): FastifyContextConfig {
  const literals = literalPointers(route.literals ?? []);
  return {
    route,
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
  return route.kind === 'upload' || (route.kind === 'page' && route.method !== 'GET');
}

export function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Probes and the metrics are asked for all the time, and left out. */
function tracedHandler(route: Route, handle: Handler): Handler {
  if (route.kind === 'raw') return handle;
  const { method, path, operationId } = route;
  return (request, reply) => {
    const { id: requestId, headers } = request;
    const onClose = (close: (status: number) => void) => reply.raw.once('close', () => close(reply.statusCode));
    return tracedRequest(
      () => ({ method, path, operationId, requestId, headers, onClose }),
      () => handle(request, reply),
    );
  };
}

function handlerOf(edge: Edge, route: Route): Handler {
  if (route.kind === 'raw') return route.run;
  const readCall = route.protocol === 'oauth' ? oauthCallReader(edge, route) : callReader(edge, route);
  if (route.kind === 'page' || route.kind === 'document') return pageHandler(edge, route, readCall);
  if (route.kind === 'stream') {
    return async (request, reply) => {
      const call = await readCall(request);
      request.server.traffic.streams.begin(request, reply);
      const { look } = route;
      const looked = look && (await edge.database.transaction((tx) => look(call, tx)));
      return sendStream(request, reply, await route.run(call, edge.database.bulk, looked));
    };
  }
  if (route.kind === 'live') {
    return async (request, reply) => {
      const lastEventId = request.headers['last-event-id'];
      const visit = { lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined };
      const feed = await route.run(Object.assign(await readCall(request), visit), edge.database);
      // HEAD must not follow. A browser that gets a 204 does not connect again.
      if (request.method === 'HEAD' || !feed) return reply.code(204).send();
      if (request.server.traffic.live.begin(request, reply, feed)) return reply;
      return reply.code(204).send();
    };
  }
  const encode = encoderOf(route);
  const answerType = route.answerType ?? 'application/json; charset=utf-8';
  const send = (reply: FastifyReply, body: string) =>
    body === '' ? reply.send() : reply.header('content-type', answerType).send(body);
  if (route.kind === 'read') {
    return async (request, reply) => {
      const call = await readCall(request);
      if (route.isAlsoPage) Object.assign(call, visitOf(request));
      const answer = await route.run(call, edge.database);
      if (answer instanceof HtmlPage) return sendPage(reply, answer);
      if (!(answer instanceof ListPage)) return send(reply, encode(answer));
      return sendText(request, reply, encode(answer.items), answer.headers);
    };
  }
  if (route.kind === 'auditedRead') {
    return async (request, reply) => {
      const call = await readCall(request);
      const answer = await runChange(edge.database, (tx) => route.run(call, tx));
      if (!(answer instanceof ListPage)) return send(reply, encode(answer));
      return sendText(request, reply, encode(answer.items), answer.headers);
    };
  }
  if (route.kind === 'upload') {
    return async (request, reply) => {
      if (request.headers['idempotency-key'] !== undefined) throw keyNotAccepted();
      const call = Object.assign(await readCall(request), postedOf(request, edge.database));
      return send(reply, encode(await route.run(call)));
    };
  }
  const serve = commandServer(edge, route, encode);
  return async (request, reply) => {
    const answer = await serve({ request, call: await readCall(request) });
    if (answer.replayed) reply.header('idempotent-replayed', 'true');
    return send(reply.code(answer.status), answer.body);
  };
}

function pageHandler(edge: Edge, route: Extract<Route, { kind: 'page' | 'document' }>, readCall: CallReader): Handler {
  const { database } = edge;
  if (route.kind === 'page') {
    return async (request, reply) => {
      const visit = route.method === 'GET' ? visitOf(request) : postedOf(request, database);
      const answer = await route.run(Object.assign(await readCall(request), visit), database);
      return answer.stream ? sendStream(request, reply, answer.stream) : sendPage(reply, answer);
    };
  }
  return async (request, reply) => {
    const call = Object.assign(await readCall(request), visitOf(request));
    // HEAD must not create anything.
    if (request.method === 'HEAD') return sendPage(reply, { html: '' });
    return sendPage(reply, await runChange(database, (tx) => route.run(call, tx)));
  };
}

type CallReader = (request: FastifyRequest) => Promise<AnyCall>;

function oauthCallReader(edge: Edge, route: Route): CallReader {
  const readCall = callReader(edge, route);
  return async (request) => Object.assign(await readCall(request), clientRequestOf(request));
}

function callReader({ authenticator }: Edge, route: Route): CallReader {
  const { access } = route;
  const selector = 'user' in access ? access.user : 'none';
  const checkFields = fieldReader(route);
  return async (request) => {
    const { caller } = request;
    const allQuery = request.query as Record<string, unknown>;
    const isMerchants = caller !== undefined && caller.kind !== 'operator';
    const user = isMerchants ? await selectUser(authenticator, selector, caller, allQuery) : undefined;
    const { params, query, body } = checkFields({
      params: request.params as Record<string, unknown>,
      query: selector === 'none' ? allQuery : withoutSelectors(allQuery),
      body: request.jsonBody?.value,
    });
    return {
      caller,
      by: caller && { actor: caller, requestId: request.id },
      user,
      params,
      query,
      body,
      literal: (pointer) => request.jsonBody?.literals.get(pointer),
      requestId: request.id,
      address: sourceAddress(request.ip),
    };
  };
}

function withoutSelectors(query: Record<string, unknown>): Record<string, unknown> {
  const { userId: _, externalClientId: __, ...others } = query;
  return others;
}
