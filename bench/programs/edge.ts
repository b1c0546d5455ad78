/** The empty route of the notes room: bare, through the whole edge, or with one part of the edge added or left out. */
import fastJsonStringify from 'fast-json-stringify';
import fastify, { type FastifyInstance } from 'fastify';
import type { Caller } from '../../src/caller.js';
import type { Authenticator } from '../../src/http/authenticator.js';
import { Metrics } from '../../src/http/monitoring/metrics.js';
import { edgeProblems } from '../../src/http/problems/edge-problems.js';
import { createServer, type ServerOptions } from '../../src/http/server.js';
import { RateLimiter } from '../../src/http/traffic/rate-limit.js';
import { Shedder } from '../../src/http/traffic/shedding.js';
import { createLog } from '../../src/log.js';
import { noApprovals } from '../../test/harness/no-approvals.js';
import { notesRoutes, plainTokens } from '../../test/rooms/notes.js';
import { report } from '../parts/child.js';

const path = '/notes/empty';
const routes = notesRoutes();
const answer = routes.find((route) => route.path === path)?.answer as object;

/** As the authenticator of the service does: a token that was read once is known from then on. */
function remembering(authenticator: Authenticator): Authenticator {
  const known = new Map<string, Caller>();
  return {
    ...authenticator,
    async authenticate(token) {
      const caller = known.get(token) ?? (await authenticator.authenticate(token));
      if (caller) known.set(token, caller);
      return caller;
    },
  };
}

/** What a service is built of, as `app.ts` does it; the rate limit is raised out of the way. */
function edgeParts(): ServerOptions {
  const shedder = new Shedder({ requestsInFlight: 1_000, eventLoopDelayMs: 250 });
  const rateLimiter = new RateLimiter([{ name: 'requests', requests: 1_000_000_000, windowSeconds: 60 }]);
  const metrics = new Metrics({
    poolUse: () => ({ total: 0, idle: 0, waiting: 0 }),
    requestsInFlight: () => shedder.inFlight,
    queueAges: async () => new Map(),
  });
  const edge = {
    database: {} as never,
    authenticator: remembering(plainTokens),
    rateLimiter,
    approvals: noApprovals,
    fingerprintKey: Buffer.alloc(32),
    answerKey: Buffer.alloc(32),
  };
  const { log } = createLog({ level: 'info' });
  return {
    routes,
    edge,
    problems: edgeProblems,
    baseUrl: () => '',
    log,
    metrics,
    shedder,
    trustProxy: false,
    live: false,
  };
}

type Parts = ReturnType<typeof edgeParts>;
const idle = () => undefined;

const withoutPart: Record<string, (parts: Parts) => Partial<Parts>> = {
  log: () => ({ log: { info: idle } as never }),
  metrics: () => ({ metrics: { observeRequest: idle, countDropped: idle, watchTraffic: idle } as never }),
  shedding: () => ({ shedder: { reasonToRefuse: idle, enter: idle, leave: idle } as never }),
  'rate limit': ({ edge }) => ({ edge: { ...edge, rateLimiter: { counterOf: idle } as never } }),
  'authenticator and rate limit': () => ({
    routes: routes.map((route) => (route.path === path ? { ...route, access: { token: 'none' } } : route)),
  }),
};

function edge(without?: string): FastifyInstance {
  const parts = edgeParts();
  const replaced = without === undefined ? {} : withoutPart[without]?.(parts);
  return createServer({ ...parts, ...replaced }).fastify;
}

const standing = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** What is fixed in the edge and can't be left out, added to the bare route instead. */
const withPart: Record<string, (server: FastifyInstance) => void> = {
  'six standing headers': (server) =>
    server.addHook('onRequest', (request, reply, done) => {
      reply.headers(standing).header('x-request-id', request.id);
      done();
    }),
  'an async hook': (server) => server.addHook('onRequest', async () => {}),
  'a listener for the end': (server) =>
    server.addHook('onRequest', (_request, reply, done) => {
      reply.raw.once('close', idle);
      done();
    }),
};

function bare(withIt?: string): FastifyInstance {
  const server = fastify({ logger: false });
  if (withIt !== undefined) withPart[withIt]?.(server);
  if (withIt === 'the own serialiser') {
    const encode = fastJsonStringify(answer);
    server.get(path, async (_request, reply) => {
      reply.header('content-type', 'application/json; charset=utf-8');
      return reply.send(encode({ id: 1, text: 'nothing' }));
    });
  } else {
    server.get(path, { schema: { response: { 200: answer } } }, async () => ({ id: 1, text: 'nothing' }));
  }
  return server;
}

const [kind, part] = process.argv.slice(2);
const server = kind === 'edge' ? edge(part) : bare(part);
report(await server.listen({ host: '127.0.0.1', port: 0 }));
