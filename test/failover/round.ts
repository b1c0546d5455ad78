/** One round: traffic, harm, a new primary, healing, and what must hold afterwards. */
import type pg from 'pg';
import { expect } from 'vitest';
import { eventually } from '../harness/eventually.js';
import type { WebhookReceiver } from '../harness/receiver.js';
import type { Cluster } from './cluster.js';
import type { Fault } from './faults.js';
import { expectGuarantees } from './guarantees.js';
import { Traffic } from './traffic.js';

const backWithinMs = 15_000;
const hearsAgainWithinMs = 30_000;

export interface Setup {
  readonly cluster: Cluster;
  readonly urls: readonly string[];
  /** A superuser of the database, through HAProxy. */
  readonly sql: pg.Pool;
  readonly receiver: WebhookReceiver;
  readonly history: Traffic[];
}

export interface Figures {
  readonly fault: string;
  readonly newPrimaryMs: number;
  /** From the new primary until both nodes acknowledge writes. */
  readonly backMs: number;
  /** The longest time without an acknowledged write. */
  readonly silenceMs: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  readonly slowestAnswerMs: number;
}

export async function playRound(setup: Setup, fault: Fault): Promise<Figures> {
  const { cluster, urls, history } = setup;
  const primary = await cluster.untilWhole();
  const traffic = new Traffic(urls, await accessToken(urls[0] ?? ''));
  history.push(traffic);
  await eventually(() => traffic.acknowledged().length >= 60, { withinMs: 30_000, what: 'traffic' });

  const harmedAt = Date.now();
  await fault.harm(cluster, primary);
  await eventually(() => cluster.primary(primary), { withinMs: 90_000, everyMs: 50, what: 'a new primary' });
  const promotedAt = Date.now();
  const backAt = await Promise.all(urls.map((url) => firstWriteSince(traffic, url, promotedAt)));
  await untilAllListen(setup);
  await fault.heal(cluster, primary);
  await cluster.untilWhole();
  await traffic.stop();
  await untilAllListen(setup);
  await expectGuarantees(setup);

  const backMs = Math.max(...backAt) - promotedAt;
  expect(backMs, 'the service is back').toBeLessThan(backWithinMs);
  return { fault: fault.name, newPrimaryMs: promotedAt - harmedAt, backMs, ...countAnswers(traffic) };
}

function countAnswers(traffic: Traffic) {
  const times = traffic
    .acknowledged()
    .map(({ endedAt }) => endedAt)
    .sort((left, right) => left - right);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const refused = traffic.outcomes.filter(({ status }) => status === 503);
  return {
    silenceMs: Math.max(...pauses),
    acknowledged: traffic.acknowledged().length,
    refused: refused.length,
    unknown: refused.filter(({ problem }) => problem === 'outcome_unknown').length,
    slowestAnswerMs: Math.max(...traffic.outcomes.map(({ startedAt, endedAt }) => endedAt - startedAt)),
  };
}

async function firstWriteSince(traffic: Traffic, url: string, since: number): Promise<number> {
  const first = () => traffic.acknowledged(url).find(({ startedAt, endedAt }) => startedAt >= since && endedAt);
  return (await eventually(first, { withinMs: 60_000, what: `${url} being back` })).endedAt;
}

/** Each node has a listener on the primary of now. */
async function untilAllListen({ sql, urls }: Setup): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await sql.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'remesa wake-ups' AND query LIKE 'LISTEN%'`,
      );
      return rows.length === urls.length;
    },
    { withinMs: hearsAgainWithinMs, everyMs: 250, what: 'every node listening' },
  );
}

export async function accessToken(url: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo',
    client_secret: 'demo-secret',
  });
  return await eventually(
    async () => {
      const response = await fetch(`${url}/oauth/token`, { method: 'POST', body });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    { withinMs: 30_000, everyMs: 250, what: 'a token' },
  );
}
