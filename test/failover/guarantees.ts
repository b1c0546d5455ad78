/** What must hold after every round, read from the database and from the merchant's receiver. */
import type pg from 'pg';
import { expect } from 'vitest';
import { eventually } from '../harness/eventually.js';
import type { WebhookReceiver } from '../harness/receiver.js';
import { type Outcome, profileOf, send, type Traffic } from './traffic.js';

const keysAskedAgain = 10;

export interface Witnesses {
  readonly sql: pg.Pool;
  readonly receiver: WebhookReceiver;
  /** Of all rounds so far: nothing may disappear later either. */
  readonly history: readonly Traffic[];
}

export async function expectGuarantees({ sql, receiver, history }: Witnesses): Promise<void> {
  const all = <Item>(pick: (traffic: Traffic) => readonly Item[]) => history.flatMap(pick);
  const outcomes = all(({ outcomes }) => outcomes);
  const untrue = outcomes.filter((outcome) => !isTrueOrUnavailable(outcome));
  expect(untrue, 'every answer is true or 503').toEqual([]);
  const mixedUp = all(({ reads }) => reads).filter(({ expected, received }) => expected !== received);
  expect(mixedUp, 'a user reads back as it was created').toEqual([]);
  await expectOneEffectPerKey(sql, history);
  await expectTrueAnswersWithoutKey(sql, history);
  const quotes = new Set(await column<string>(sql, 'SELECT code FROM quotes'));
  expect(
    all((traffic) => traffic.quotes).filter((code) => !quotes.has(code)),
    'acknowledged quotes',
  ).toEqual([]);
  await expectEventsWithoutGap(sql, receiver);
}

/** 409 is true where a key is repeated: the first request still waits for a standby. */
function isTrueOrUnavailable({ kind, status, problem }: Outcome): boolean {
  return status === 200 || status === 503 || (kind === 'user' && problem === 'idempotency_in_progress');
}

async function expectOneEffectPerKey(sql: pg.Pool, history: readonly Traffic[]): Promise<void> {
  const created = history.flatMap(({ users }) => users);
  const users = (await column<string>(sql, 'SELECT user_id FROM users ORDER BY user_id')).map(Number);
  const acknowledged = created.map(({ userId }) => userId).sort((left, right) => left - right);
  expect(users, 'one user for each key').toEqual(acknowledged);
  const newest = history.at(-1);
  for (const user of newest?.users.slice(-keysAskedAgain) ?? []) {
    const url = newest?.urls[0] ?? '';
    const answer = await send(`${url}/user`, newest?.token ?? '', profileOf(user.key), user.key);
    expect(answer.body, 'the answer of a repeated key').toBe(user.body);
  }
}

/** A case that was acknowledged exists; one that the service called not done does not. */
async function expectTrueAnswersWithoutKey(sql: pg.Pool, history: readonly Traffic[]): Promise<void> {
  const existing = new Set((await column<string>(sql, 'SELECT user_id FROM kyc_cases')).map(Number));
  const answers = history.flatMap(({ cases }) => cases);
  const missing = answers.filter(({ status, userId }) => status === 200 && !existing.has(userId));
  expect(missing, 'acknowledged cases').toEqual([]);
  const denied = answers.filter(({ status, problem }) => status === 503 && problem !== 'outcome_unknown');
  expect(
    denied.filter(({ userId }) => existing.has(userId)),
    'cases that were called not done',
  ).toEqual([]);
}

async function expectEventsWithoutGap(sql: pg.Pool, receiver: WebhookReceiver): Promise<void> {
  const cases = await column<string>(sql, 'SELECT case_id FROM kyc_cases');
  const received = await eventually(
    () => {
      const ids = new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])));
      return ids.size >= cases.length ? ids : undefined;
    },
    { withinMs: 60_000, everyMs: 250, what: 'every event at the receiver' },
  );
  const events = (
    await sql.query<{ event_id: string; sequence: number }>(
      'SELECT event_id, sequence::int FROM events ORDER BY sequence',
    )
  ).rows;
  expect(events.map(({ sequence }) => sequence)).toEqual(cases.map((_, index) => index + 1));
  expect(
    events.filter(({ event_id: id }) => !received.has(id)),
    'events that were not sent',
  ).toEqual([]);
  const numbers = new Map(events.map(({ event_id: id, sequence }) => [id, sequence]));
  const contradicting = receiver.received.filter(
    ({ headers, body }) => numbers.get(String(headers['webhook-id'])) !== JSON.parse(body).data.sequence,
  );
  expect(contradicting, 'an event was sent under another number').toEqual([]);
}

async function column<Value>(sql: pg.Pool, text: string): Promise<Value[]> {
  const { rows } = await sql.query({ text, rowMode: 'array' });
  return rows.map(([value]) => value as Value);
}
