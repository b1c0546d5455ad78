import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { healthRoutes } from '../../src/http/monitoring/health.js';
import { Metrics } from '../../src/http/monitoring/metrics.js';
import type { Database } from '../../src/postgres/database.js';
import { readMigrations } from '../../src/postgres/migrate.js';
import { bareServer } from '../harness/bare-server.js';
import { eventually } from '../harness/eventually.js';
import { useNotesService } from './notes-service.js';

// The metrics of queues come from the jobs.
const notes = useNotesService({ settings: { ROLE: 'all' } });

describe('the probes', () => {
  it('report that the process is alive', async () => {
    const answer = await notes.api.get('/livez');
    expect([answer.status, answer.text]).toEqual([200, '{"status":"alive"}']);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('report that the process is ready, with each check', async () => {
    const answer = await notes.api.get('/readyz');
    expect(answer.json).toEqual({
      status: 'ready',
      checks: { database: true, migrations: true, disk: true, accepting: true },
    });
  });
});

/** A server with probes only, with the options of the test. */
function probe(options: {
  database?: Pick<Database, 'query'>;
  schemaVersion?: number;
  isStopping?: boolean;
  metricsToken?: string;
  live?: boolean;
}) {
  const metrics = new Metrics({
    poolUse: () => ({ total: 0, idle: 0, waiting: 0 }),
    requestsInFlight: () => 0,
    queueAges: async () => new Map(),
  });
  const { server, shedder } = bareServer({
    routes: healthRoutes({
      database: options.database ?? notes.database,
      isDistributed: false,
      schemaVersion: options.schemaVersion ?? readMigrations().length,
      dataDirectory: tmpdir(),
      isStopping: () => options.isStopping ?? false,
      metrics,
      metricsToken: options.metricsToken,
      live: options.live ?? false,
    }),
    metrics,
    live: options.live ?? false,
  });
  return async (url: string, authorization?: string) => {
    const answer = await server.fastify.inject({ url, headers: authorization ? { authorization } : {} });
    shedder.stop();
    return answer;
  };
}

describe('a process that is not ready', () => {
  const checks = { database: true, migrations: true, disk: true, accepting: true };

  it('reports it while it stops', async () => {
    const answer = await probe({ isStopping: true })('/readyz');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2']);
    expect(answer.json()).toEqual({ status: 'not_ready', checks: { ...checks, accepting: false } });
  });

  it('reports it on a schema of another version', async () => {
    const answer = await probe({ schemaVersion: 99 })('/readyz');
    expect(answer.json()).toEqual({ status: 'not_ready', checks: { ...checks, migrations: false } });
  });

  it.each([
    ['is away', { query: () => Promise.reject(new Error('away')) }],
    ['does not answer', { query: () => new Promise<never>(() => {}) }],
  ])('reports it soon when the database %s', async (_, database) => {
    const began = performance.now();
    const answer = await probe({ database })('/readyz');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({
      status: 'not_ready',
      checks: { ...checks, database: false, migrations: false },
    });
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('is still alive', async () => {
    const database = { query: () => Promise.reject(new Error('away')) };
    expect((await probe({ database, isStopping: true })('/livez')).statusCode).toBe(200);
  });
});

describe('the metrics', () => {
  it('contain the times of requests by route, the pool, the queues and the event loop', async () => {
    await notes.api.get('/notes?marker=1', { token: 'merchant-1' });
    await notes.api.get('/nowhere/at/all');
    const text = await eventually(async () => {
      const answer = await notes.anywhere.get('/metrics');
      expect(answer.text).toMatch(
        /^remesa_http_request_seconds_count\{method="GET",route="unknown",status="404"\} 1$/m,
      );
      return answer.text;
    });
    expect(text).toMatch(/^remesa_http_request_seconds_count\{method="GET",route="\/notes",status="200"\} 1$/m);
    expect(text).toMatch(
      /^remesa_http_request_seconds_bucket\{le="0\.1",method="GET",route="\/notes",status="200"\} [01]$/m,
    );
    expect(text).toMatch(/^remesa_database_connections\{state="idle"\} \d+$/m);
    expect(text).toMatch(/^remesa_database_connections\{state="busy"\} \d+$/m);
    expect(text).toMatch(/^remesa_database_connections\{state="waiting"\} 0$/m);
    expect(text).toMatch(/^remesa_http_requests_in_flight 0$/m);
    expect(text).toMatch(/^remesa_queue_age_seconds\{queue="changes\.number"\} [\d.]+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds [\d.e-]+$/m);
    expect(text).not.toContain('marker');
  });

  it('of the process are the same for all services in it, so that a service that has stopped leaves nothing behind', () => {
    const gauges = {
      poolUse: () => ({ total: 0, idle: 0, waiting: 0 }),
      requestsInFlight: () => 0,
      queueAges: async () => new Map(),
    };
    const [one, other] = [new Metrics(gauges).registry, new Metrics(gauges).registry];
    const collections = 'nodejs_gc_duration_seconds';
    expect(one.getSingleMetric(collections)).toBeDefined();
    expect(other.getSingleMetric(collections)).toBe(one.getSingleMetric(collections));
    const inFlight = 'remesa_http_requests_in_flight';
    expect(other.getSingleMetric(inFlight)).not.toBe(one.getSingleMetric(inFlight));
  });

  it('are public in the sandbox, and absent in live mode when no token is set', async () => {
    expect((await probe({})('/metrics')).statusCode).toBe(200);
    const hidden = await probe({ live: true })('/metrics');
    expect(hidden.statusCode).toBe(404);
    expect(hidden.json()).toMatchObject({ code: 'not_found', detail: 'There is nothing at this address.' });
    expect(hidden.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });

  it.each([true, false])('need the token when one is set (live: %s)', async (live) => {
    const metricsToken = 'a-token-of-24-characters';
    const ask = (authorization?: string) => probe({ metricsToken, live })('/metrics', authorization);
    expect((await ask()).statusCode).toBe(404);
    expect((await ask('Bearer another-token-of-24-chars')).statusCode).toBe(404);
    expect((await ask(metricsToken)).statusCode).toBe(404);
    expect((await ask(`Bearer ${metricsToken}`)).statusCode).toBe(200);
  });
});
