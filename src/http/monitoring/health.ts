/** Probes (liveness, readiness) and metrics. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Queryable } from '../../postgres/statement.js';
import { statement } from '../../postgres/statement.js';
import { type Route, raw } from '../route.js';
import type { Metrics } from './metrics.js';

const findSchemaVersion = statement(
  'health.find-schema-version',
  'SELECT max(version) AS version FROM schema_migrations',
).rows<{ version: number }>();
const databaseWithinMs = 500;
const leastFreeBytes = 100 * 1024 * 1024;

export interface HealthOptions {
  readonly database: Queryable;
  readonly schemaVersion: number;
  /** Whether merchants lie on several database machines. */
  readonly isDistributed: boolean;
  readonly dataDirectory: string;
  readonly isStopping: () => boolean;
  /** Codes of what an operator should look at although the process can serve. */
  readonly warnings?: () => string[];
  readonly metrics: Metrics;
  /** Undefined: anyone may read the metrics in the sandbox, nobody in live mode. */
  readonly metricsToken: string | undefined;
  readonly live: boolean;
}

const Alive = Type.Object(
  { status: Type.Literal('alive', { description: 'Always `alive`.' }) },
  { title: 'Alive', examples: [{ status: 'alive' }] },
);
const Readiness = Type.Object(
  {
    status: Type.Enum(['ready', 'not_ready'], { description: 'Whether all checks pass.' }),
    checks: Type.Object(
      {
        database: Type.Boolean({ description: 'The database answers within 500 ms.' }),
        migrations: Type.Boolean({
          description: 'The schema is at least the version that this process needs.',
        }),
        disk: Type.Boolean({ description: 'At least 100 MB are free.' }),
        accepting: Type.Boolean({ description: 'The process is not stopping.' }),
      },
      { description: 'The checks, one by one.' },
    ),
    distributed: Type.Optional(
      Type.Literal(true, {
        description: 'Citus spreads the merchants over several database machines. Else absent.',
      }),
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'What an operator should look at although the process is ready: `screening_lists_unusable` (a list is missing or too ' +
          'old, so nobody is cleared automatically), `screening_list_refused` (the files of a list are damaged; the version ' +
          'before stays in use), `ledger_fault` (a merchant’s ledger was changed or is not complete, so its new orders, payouts ' +
          'and refunds are stopped), `sending_held` (this is a copy of a database, or sending was held by hand). Absent when ' +
          'there is nothing.',
      }),
    ),
  },
  {
    title: 'Readiness',
    examples: [
      { status: 'ready', checks: { database: true, migrations: true, disk: true, accepting: true } },
      { status: 'not_ready', checks: { database: false, migrations: false, disk: true, accepting: true } },
    ],
  },
);

export function healthRoutes(options: HealthOptions): Route[] {
  const described = { method: 'GET', access: { token: 'none' }, tag: 'Operations' } as const;
  return [
    raw({
      ...described,
      path: '/livez',
      operationId: 'getLiveness',
      summary: 'Check whether the process is alive',
      returns: 'The process is alive.',
      answer: Alive,
      run: () => ({ status: 'alive' }),
    }),
    raw({
      ...described,
      path: '/readyz',
      operationId: 'getReadiness',
      summary: 'Check whether this process should get traffic',
      returns: 'The process is ready.',
      answer: Readiness,
      otherAnswers: {
        503: {
          description: 'Not ready: the database is unreachable, the disk is full or the process is stopping.',
          schema: Readiness,
        },
      },
      run: (_request, reply) => answerReadiness(options, reply),
    }),
    raw({
      ...described,
      path: '/metrics',
      operationId: 'getMetrics',
      summary: 'Figures for Prometheus',
      hidden: true,
      run: (request, reply) => answerMetrics(options, request, reply),
    }),
  ];
}

export async function isReady(options: HealthOptions): Promise<boolean> {
  return Object.values(await readinessOf(options)).every(Boolean);
}

async function readinessOf(options: HealthOptions) {
  const [version, disk] = await Promise.all([schemaVersion(options.database), hasSpace(options.dataDirectory)]);
  return {
    database: version !== undefined,
    // A newer schema is fine: while nodes are upgraded one by one, the others keep serving.
    migrations: version !== undefined && version >= options.schemaVersion,
    disk,
    accepting: !options.isStopping(),
  };
}

async function answerReadiness(options: HealthOptions, reply: FastifyReply): Promise<object> {
  const checks = await readinessOf(options);
  const isGood = Object.values(checks).every(Boolean);
  reply.code(isGood ? 200 : 503);
  if (!isGood) reply.header('retry-after', '2');
  const warnings = options.warnings?.() ?? [];
  return {
    status: isGood ? 'ready' : 'not_ready',
    checks,
    ...(options.isDistributed && { distributed: true }),
    ...(warnings.length > 0 && { warnings }),
  };
}

async function schemaVersion(database: Queryable): Promise<number | undefined> {
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, databaseWithinMs, undefined).unref());
  const found = database.query(findSchemaVersion).then(
    ([row]) => row?.version,
    () => undefined,
  );
  return Promise.race([found, timeout]);
}

async function hasSpace(folder: string): Promise<boolean> {
  const space = await statfs(folder).catch(() => undefined);
  return space === undefined || space.bavail * space.bsize >= leastFreeBytes;
}

async function answerMetrics(
  options: HealthOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!mayReadMetrics(options, request.headers.authorization)) {
    reply.callNotFound();
    return reply;
  }
  const { registry } = options.metrics;
  return reply.header('content-type', registry.contentType).send(await registry.metrics());
}

function mayReadMetrics(options: HealthOptions, authorization: string | undefined): boolean {
  if (options.metricsToken === undefined) return !options.live;
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${options.metricsToken}`));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
