/** The cluster of all rounds, with a merchant's receiver, a superuser's connection for the checks, and the service. */
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { limits } from '../../src/postgres/connection.js';
import { eventually } from '../harness/eventually.js';
import { WebhookReceiver } from '../harness/receiver.js';
import { Cluster } from './cluster.js';
import { superuserPassword } from './machine.js';
import { accessToken, type Figures, type Setup } from './round.js';
import { type ServiceNode, startNode } from './service-node.js';
import { send } from './traffic.js';

export const rolePassword = 'role-of-the-test';
const haproxyPort = 5000;

export interface RunningSetup extends Setup {
  readonly urls: string[];
  readonly figures: Record<string, Figures>;
}

export function useSetup(): RunningSetup {
  const cluster = new Cluster();
  const receiver = new WebhookReceiver();
  const figures: Record<string, Figures> = {};
  const sql = new pg.Pool({ connectionString: urlOf('postgres', superuserPassword), max: 2 });
  sql.on('error', () => {});

  beforeAll(async () => {
    await Promise.all([cluster.start(), receiver.start()]);
    await createDatabase();
  }, 300_000);
  afterAll(async () => {
    console.table(figures);
    await sql.end();
    await receiver.stop();
    await cluster.stop();
  }, 60_000);
  return { cluster, receiver, urls: [], sql, figures, history: [] };
}

/** Two nodes with these settings for the tests of a `describe`. The name tells their logs apart. */
export function useNodes(setup: RunningSetup, name: string, settings: () => Record<string, string>): void {
  const nodes: ServiceNode[] = [];
  beforeAll(async () => {
    const { cluster, receiver, urls } = setup;
    for (const number of [1, 2]) nodes.push(await startNode(cluster.folder, `${name}-${number}`, settings()));
    urls.splice(0, urls.length, ...nodes.map(({ url }) => url));
    const [url = ''] = urls;
    const token = await accessToken(url);
    const endpoint = { url: receiver.url };
    await eventually(
      async () => (await send(`${url}/merchant/webhook/kyc-notification`, token, endpoint)).status === 200,
      { withinMs: 30_000, everyMs: 500, what: 'the registered receiver' },
    );
  }, 120_000);
  afterAll(() => Promise.all(nodes.map(({ daemon }) => daemon.end())), 60_000);
}

export function urlOf(user: string, password: string, port = haproxyPort, database = 'remesa'): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/** As docs/scaling.md tells an operator to do it. */
async function createDatabase(): Promise<void> {
  const client = new pg.Client(urlOf('postgres', superuserPassword, haproxyPort, 'postgres'));
  await client.connect();
  await client.query(`CREATE ROLE remesa LOGIN PASSWORD '${rolePassword}'`);
  await client.query('GRANT pg_read_all_stats TO remesa');
  await client.query(`ALTER ROLE remesa SET statement_timeout = ${limits.statementTimeoutMs}`);
  await client.query(`ALTER ROLE remesa SET lock_timeout = ${limits.lockTimeoutMs}`);
  await client.query(
    `ALTER ROLE remesa SET idle_in_transaction_session_timeout = ${limits.idleInTransactionTimeoutMs}`,
  );
  await client.query('CREATE DATABASE remesa OWNER remesa');
  await client.end();
}
