/** A server with routes and limits of the test, without the rest of the service. */
import { afterAll, beforeAll } from 'vitest';
import { Metrics } from '../../src/http/monitoring/metrics.js';
import { edgeProblems } from '../../src/http/problems/edge-problems.js';
import { createServer, type HttpServer, type ServerOptions } from '../../src/http/server.js';
import { RateLimiter } from '../../src/http/traffic/rate-limit.js';
import { Shedder } from '../../src/http/traffic/shedding.js';
import type { Database } from '../../src/postgres/database.js';
import { plainTokens } from '../rooms/notes.js';
import { noApprovals } from './no-approvals.js';
import { silentLog } from './silent-log.js';

type GivenOptions = Pick<ServerOptions, 'routes'> & Partial<Pick<ServerOptions, 'log' | 'metrics' | 'live' | 'bounds'>>;

export interface BareServerOptions extends GivenOptions {
  /** Replaces some parts of the edge. Without a database, no route may use one. */
  readonly edge?: Partial<ServerOptions['edge']>;
  readonly requestsInFlight?: number;
}

export interface BareServer {
  readonly server: HttpServer;
  readonly shedder: Shedder;
}

export function bareServer({ edge, requestsInFlight = 10, ...given }: BareServerOptions): BareServer {
  // A busy machine must not make it refuse requests.
  const shedder = new Shedder({ requestsInFlight, eventLoopDelayMs: 60_000 });
  const server = createServer({
    problems: edgeProblems,
    baseUrl: () => '',
    edge: {
      database: {} as Database,
      authenticator: plainTokens,
      rateLimiter: new RateLimiter([]),
      approvals: noApprovals,
      fingerprintKey: Buffer.alloc(32),
      answerKey: Buffer.alloc(32),
      ...edge,
    },
    log: silentLog,
    metrics: new Metrics({
      poolUse: () => ({ total: 0, idle: 0, waiting: 0 }),
      requestsInFlight: () => shedder.inFlight,
      queueAges: async () => new Map(),
    }),
    shedder,
    trustProxy: false,
    live: false,
    ...given,
  });
  return { server, shedder };
}

export function listen({ server }: BareServer): Promise<string> {
  return server.fastify.listen({ host: '127.0.0.1', port: 0 });
}

/** Listens from the first test to the last one. */
export function useBareServer(options: BareServerOptions): BareServer & { readonly url: string } {
  const bare = bareServer(options);
  let url = '';
  beforeAll(async () => {
    url = await listen(bare);
  });
  afterAll(async () => {
    bare.server.fastify.server.closeAllConnections();
    await bare.server.fastify.close();
    bare.shedder.stop();
  });
  return {
    ...bare,
    get url() {
      return url;
    },
  };
}
