/** The HTTP server: limits for everything that arrives, one format for all errors, one log line for each request. */
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { RemesaError } from '../errors.js';
import type { Log } from '../log.js';
import { notFound } from './addresses.js';
import { AnswerHeaders } from './answers/answer-headers.js';
import { formBounds } from './body/form.js';
import { acceptForms } from './body/form-body.js';
import { bodyBounds, parseJsonBody } from './body/json-body.js';
import type { Metrics } from './monitoring/metrics.js';
import { requestId } from './monitoring/request-id.js';
import { RequestReport } from './monitoring/request-report.js';
import { serveOauth } from './oauth.js';
import { refuseMethodsOfWiderPaths, refuseOtherMethods, ServedPaths } from './other-methods.js';
import { servePages } from './page.js';
import { answerClientError, headerBytes } from './problems/client-error.js';
import { asRemesaError, problemAnswer } from './problems/problem.js';
import type { ProblemCatalogue } from './problems/problem-catalogue.js';
import type { Route } from './route.js';
import { type Edge, serveRoute } from './serve-route.js';
import { refuseAmbiguity } from './strict-requests.js';
import { type RequestBounds, requestBounds } from './traffic/request-bounds.js';
import type { Shedder } from './traffic/shedding.js';
import { Traffic, watchTraffic } from './traffic/traffic.js';

export interface ServerOptions {
  readonly routes: readonly Route[];
  readonly edge: Edge;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly shedder: Shedder;
  readonly trustProxy: boolean;
  readonly live: boolean;
  /** The explanations of all error codes. */
  readonly problems: ProblemCatalogue;
  /** The public address of the service, with which the `type` of a problem begins. Absent: `type` is a path. */
  readonly baseUrl?: () => string;
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
  const fields = new AnswerHeaders({ live: options.live });
  const { problems, baseUrl = () => '' } = options;
  const sendProblem = (reply: FastifyReply, error: unknown, id: string): void => {
    const answer = problemAnswer(error, id, { problems, baseUrl });
    reply.code(answer.status).headers(answer.headers).send(answer.body);
  };
  const server = fastify({
    logger: false,
    // Trusts one hop: the address that our proxy has seen. The caller may have written the rest of the header.
    trustProxy: options.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    bodyLimit: bodyBounds.bytes,
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
    clientErrorHandler: (error, socket) =>
      answerClientError(
        error,
        socket,
        { ...fields.constant, 'x-request-id': requestId(undefined) },
        { problems, baseUrl },
      ),
    frameworkErrors: (error, request, reply) => {
      reportUnrouted(options, request, reply);
      fields.addTo(request, reply);
      if (!asRemesaError(error)) options.log.error({ requestId: request.id, err: error }, 'unexpected error');
      sendProblem(reply, error, request.id);
    },
  });
  readJsonBodies(server);
  const traffic = new Traffic(server, options.shedder, options.metrics, bounds);
  watchTraffic(server, traffic, new RequestReport(options), new ServedPaths(options.routes));
  refuseAmbiguity(server);
  server.addHook('onSend', (request, reply, _payload, done) => {
    request.slot?.end();
    fields.addTo(request, reply);
    done();
  });
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const known = asRemesaError(error, request.routeOptions.bodyLimit);
    logError(options.log, error, known, request);
    sendProblem(reply, known ?? error, request.id);
  });
  server.setNotFoundHandler(() => {
    throw notFound();
  });
  const { log, edge } = options;
  const [oauth, others] = partition(options.routes, (route) => route.protocol === 'oauth');
  const [pages, answering] = partition(others, (route) => route.kind === 'page');
  const [uploads, plain] = partition(answering, (route) => route.kind === 'upload');
  const serve = (part: FastifyInstance, routes: readonly Route[]) => {
    for (const route of routes) serveRoute(part, edge, fields, route);
  };
  serve(server, plain);
  refuseMethodsOfWiderPaths(server, answering);
  server.register(async (part) => {
    acceptForms(part);
    serve(part, uploads);
  });
  server.register(async (part) => {
    serveOauth(part, log);
    serve(part, oauth);
    refuseOtherMethods(part, oauth);
  });
  for (const showFailure of new Set(pages.map((route) => route.kind === 'page' && route.showFailure))) {
    if (!showFailure) continue;
    server.register(async (part) => {
      servePages(part, log, showFailure);
      const theirs = pages.filter((route) => route.kind === 'page' && route.showFailure === showFailure);
      serve(part, theirs);
      refuseOtherMethods(part, theirs);
    });
  }
  return {
    fastify: server,
    drain: () => fields.closeConnections(),
    traffic,
  };
}

function partition<T>(all: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((item) => !isFirst(item))];
}

function readJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.decorateRequest('caller', undefined);
  server.decorateRequest('jsonBody', undefined);
  server.decorateRequest('rawBody', undefined);
  server.decorateRequest('rateLimit', undefined);
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

/** Reports what the router itself refuses, such as a path that cannot be decoded. Hooks do not run for it. */
function reportUnrouted(options: ServerOptions, request: FastifyRequest, reply: FastifyReply): void {
  const began = performance.now();
  const report = new RequestReport(options);
  reply.raw.on('close', () => report.add('unknown', request, reply, performance.now() - began));
}

function logError(log: Log, error: unknown, known: RemesaError | undefined, request: FastifyRequest): void {
  const line = { requestId: request.id, route: request.routeOptions.url, err: error };
  // A caller that disconnects while sending is no error of ours; the log line of the request shows it.
  const isCallerGone = error === request.raw.errored;
  if (!known && !isCallerGone) log.error(line, 'unexpected error');
  else if (known?.kind === 'unavailable' && known.details.cause) log.warn(line, known.code);
}
