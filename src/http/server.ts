/** The HTTP server: limits for everything that arrives, one format for all errors, one log line for each request. */
import type { Server } from 'node:http';
import fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { RemesaError } from '../errors.js';
import type { Log } from '../log.js';
import { freshBytes } from '../random.js';
import { notFound } from './addresses.js';
import { formBounds } from './body/form.js';
import { acceptForms } from './body/form-body.js';
import { bodyBounds, parseJsonBody } from './body/json-body.js';
import type { RequestRecorder } from './monitoring/merchant-request.js';
import type { Metrics } from './monitoring/metrics.js';
import { RequestReport } from './monitoring/request-report.js';
import { acceptOauthForms, sendOauthError } from './oauth.js';
import { refuseMethodsOfWiderPaths, ServedPaths } from './other-methods.js';
import { sendFailure } from './page.js';
import { answerClientError, headerBytes } from './problems/client-error.js';
import { asRemesaError, problemAnswer } from './problems/problem.js';
import type { ProblemCatalogue } from './problems/problem-catalogue.js';
import type { Route } from './route.js';
import { type Edge, serveRoute } from './serve-route.js';
import { refuseAmbiguity } from './strict-requests.js';
import { type RequestBounds, requestBounds } from './traffic/request-bounds.js';
import type { Shedder } from './traffic/shedding.js';
import { networkOf } from './traffic/source-address.js';
import { Traffic, watchTraffic } from './traffic/traffic.js';

/** The headers that every answer has, unless its route sets them itself. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};
const transportSecurity = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

export interface ServerOptions {
  readonly routes: readonly Route[];
  readonly edge: Edge;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Undefined: merchants do not see their requests. */
  readonly recorder?: RequestRecorder | undefined;
  readonly shedder: Shedder;
  readonly trustProxy: boolean;
  readonly live: boolean;
  /** The explanations of all error codes. */
  readonly problems: ProblemCatalogue;
  /** The public address of the service, with which the `type` of a problem begins. Empty: `type` is a path. */
  readonly baseUrl: () => string;
  /** Overrides limits, for tests that cannot wait so long. */
  readonly bounds?: Partial<RequestBounds>;
}

export interface HttpServer {
  readonly fastify: FastifyInstance;
  /** From now on each answer asks the client to close its connection. */
  drain(): void;
  readonly traffic: Traffic;
}

export function createServer(options: ServerOptions): HttpServer {
  const bounds = { ...requestBounds, ...options.bounds };
  const { routes, edge } = options;
  const constant = { ...securityHeaders, ...(options.live ? transportSecurity : {}) };
  const answerError = errorAnswerer(options);
  const report = new RequestReport(options, edge.authenticator.loginOf);
  const state = { isDraining: false };
  const server = fastify({
    ...fastifyOptions(options, bounds),
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket, { ...constant, 'x-request-id': requestId(undefined) }, options),
    // What the router itself refuses, such as a path that cannot be decoded. Hooks do not run for it.
    frameworkErrors: (error, request, reply) => {
      const ended = report.begin(request, reply, networkOf(request.ip));
      reply.raw.on('close', () => ended('unknown', undefined));
      reply.headers(constant).header('x-request-id', request.id);
      answerError(error, request, reply);
    },
  });
  server.server.maxConnections = bounds.connections;
  server.setErrorHandler(answerError);
  server.setNotFoundHandler(() => {
    throw notFound();
  });
  readJsonBodies(server);
  const traffic = new Traffic(server, options.shedder, options.metrics, bounds);
  watchTraffic(server, traffic, { report, constant, paths: new ServedPaths(routes) });
  refuseAmbiguity(server);
  server.addHook('onSend', (request, reply, _payload, done) => {
    request.slot?.end();
    if (state.isDraining) reply.header('connection', 'close');
    done();
  });
  const isOauth = (route: Route) => route.protocol === 'oauth';
  const isForm = (route: Route) => route.kind === 'page' || route.kind === 'upload';
  const serve = (part: FastifyInstance, isOfPart: (route: Route) => boolean) => {
    for (const route of routes.filter(isOfPart)) serveRoute(part, edge, route);
  };
  serve(server, (route) => !isOauth(route) && !isForm(route));
  refuseMethodsOfWiderPaths(server, routes);
  server.register(async (part) => {
    acceptForms(part);
    serve(part, isForm);
  });
  server.register(async (part) => {
    acceptOauthForms(part);
    serve(part, isOauth);
  });
  return {
    fastify: server,
    drain: () => {
      state.isDraining = true;
      traffic.live.endAll();
    },
    traffic,
  };
}

function fastifyOptions({ trustProxy }: ServerOptions, bounds: RequestBounds): FastifyHttpOptions<Server> {
  return {
    logger: false,
    // Trusts one hop: the address that our proxy has seen. The caller may have written the rest of the header.
    trustProxy: trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    bodyLimit: bodyBounds.bytes,
    connectionTimeout: bounds.stallMs,
    // The longest time of all routes; `arrivals.ts` enforces the shorter ones.
    requestTimeout: Math.max(bounds.requestMs, formBounds.arrivesWithinMs),
    keepAliveTimeout: bounds.keepAliveMs,
    http: {
      headersTimeout: bounds.headersMs,
      connectionsCheckingInterval: bounds.checkEveryMs,
      maxHeaderSize: headerBytes,
    },
    genReqId: (request) => requestId(request.headers['x-request-id']),
    requestIdHeader: false,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // So long that the router refuses no path: `hasOverlongParameter` does, after our hooks.
    routerOptions: { maxParamLength: headerBytes },
  };
}

type AnswerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Answers in the format of the route: with a page, an OAuth error or a problem document. */
function errorAnswerer({ log, problems, baseUrl }: ServerOptions): AnswerError {
  return (error, request, reply) => {
    const { config, bodyLimit } = request.routeOptions;
    const route = config.route ?? request.served?.route;
    const known = asRemesaError(error, bodyLimit);
    request.errorCode = known?.code ?? 'internal_error';
    logError(log, error, known, request);
    if (route?.protocol === 'oauth') sendOauthError(reply, error);
    else if (route?.kind === 'page') sendFailure(request, reply, error, route.showFailure);
    else {
      const answer = problemAnswer(known ?? error, request.id, { problems, baseUrl });
      reply.code(answer.status).headers(answer.headers).send(answer.body);
    }
  };
}

function readJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.decorateRequest('caller', undefined);
  server.decorateRequest('errorCode', undefined);
  server.decorateRequest('jsonBody', undefined);
  server.decorateRequest('rawBody', undefined);
  server.decorateRequest('formBody', undefined);
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      request.rawBody = bytes as Buffer;
      request.jsonBody = parseJsonBody(bytes as Buffer, request.routeOptions.config.jsonReading);
      done(null, request.jsonBody.value);
    } catch (error) {
      done(error as Error);
    }
  });
}

function logError(
  log: Log,
  error: unknown,
  known: RemesaError | undefined,
  { id, routeOptions, raw }: FastifyRequest,
): void {
  const line = { requestId: id, route: routeOptions.url, err: error };
  // A caller that disconnects while sending is no error of ours; the log line of the request shows it.
  const isCallerGone = error === raw.errored || (raw.destroyed && routeOptions.config.route?.kind === 'page');
  if (!known && !isCallerGone) log.error(line, 'unexpected error');
  else if (known?.kind === 'unavailable' && known.details.cause) log.warn(line, known.code);
}

const safeId = /^[A-Za-z0-9._:-]{1,128}$/;

/** The id of a request in its answer and in the log: the one that the caller sent, if it is safe, or a random one. */
function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && safeId.test(sent) ? sent : `req_${freshBytes(12).toString('hex')}`;
}
