/** Nodes of the previous version that number events beside this one, on a migrated database. */
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { createLog } from '../../src/log.js';
import { migrate, readMigrations } from '../../src/postgres/migrate.js';
import { Numbering } from '../../src/webhooks/events/numbering.js';
import { rounds } from '../harness/rounds.js';
import { useTestDatabase } from '../harness/test-database.js';
import { addMerchant, happen } from './happenings.js';

/** The statement of the previous version: it numbered the events of all merchants at once, under an advisory lock. */
const numberAsBefore = `WITH gate AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(2003201902) AS is_open),
   batch AS MATERIALIZED (
     SELECT merchant_id, channel, event_id, subject,
            row_number() OVER (PARTITION BY merchant_id, channel ORDER BY event_no) AS rank
       FROM (SELECT merchant_id, channel, event_id, subject, event_no FROM events
              WHERE sequence IS NULL AND type <> 'webhook.test' AND (SELECT is_open FROM gate)
              ORDER BY event_no LIMIT 1000 FOR NO KEY UPDATE) AS waiting),
   added AS MATERIALIZED (
     SELECT merchant_id, channel, count(*) AS events FROM batch GROUP BY merchant_id, channel),
   given AS (
     INSERT INTO event_sequences AS known (merchant_id, channel, last_sequence, last_due_at)
     SELECT merchant_id, channel, events, clock_timestamp() FROM added
     ON CONFLICT (merchant_id, channel) DO UPDATE
        SET last_sequence = known.last_sequence + excluded.last_sequence,
            last_due_at = greatest(known.last_due_at, excluded.last_due_at)
     RETURNING merchant_id, channel, last_sequence, last_due_at),
   numbered AS MATERIALIZED (
     SELECT batch.merchant_id, batch.channel, batch.event_id, batch.subject, batch.rank,
            given.last_sequence - added.events + batch.rank AS sequence, given.last_due_at AS due_at
       FROM batch
       JOIN added ON added.merchant_id = batch.merchant_id AND added.channel = batch.channel
       JOIN given ON given.merchant_id = batch.merchant_id AND given.channel = batch.channel),
   written AS (
     UPDATE events AS event SET sequence = numbered.sequence FROM numbered
      WHERE event.merchant_id = numbered.merchant_id AND event.event_id = numbered.event_id),
   served AS MATERIALIZED (
     SELECT endpoint.merchant_id, endpoint.channel FROM webhook_endpoints AS endpoint
       JOIN added ON added.merchant_id = endpoint.merchant_id AND added.channel = endpoint.channel
        FOR KEY SHARE OF endpoint),
   faults AS MATERIALIZED (
     SELECT fault.merchant_id, fault.channel, fault.fault, fault.events, fault.applied, fault.delay_seconds
       FROM webhook_faults AS fault
       JOIN added ON added.merchant_id = fault.merchant_id AND added.channel = fault.channel
      WHERE fault.applied < fault.events FOR UPDATE OF fault),
   consumed AS (
     UPDATE webhook_faults AS fault SET applied = least(fault.events, fault.applied + added.events) FROM added
      WHERE fault.merchant_id = added.merchant_id AND fault.channel = added.channel AND fault.applied < fault.events),
   planned AS (
     SELECT numbered.merchant_id, numbered.channel, numbered.event_id, numbered.subject, numbered.sequence,
            numbered.due_at, make_interval(secs => faults.delay_seconds) AS delay,
            CASE WHEN faults.applied + numbered.rank > faults.events THEN NULL
                 WHEN faults.fault = 'reorder' AND (faults.applied + numbered.rank) % 2 = 0 THEN NULL
                 ELSE faults.fault END AS fault
       FROM numbered
       JOIN served ON served.merchant_id = numbered.merchant_id AND served.channel = numbered.channel
       LEFT JOIN faults ON faults.merchant_id = numbered.merchant_id AND faults.channel = numbered.channel),
   queued AS (
     INSERT INTO deliveries (merchant_id, event_id, channel, subject, sequence, injected_fault, state, due_at)
     SELECT merchant_id, event_id, channel, subject, sequence, fault,
            CASE WHEN fault = 'drop' THEN 'dropped' ELSE 'pending' END,
            CASE fault WHEN 'delay' THEN due_at + delay
                       WHEN 'reorder' THEN due_at + interval '10 seconds'
                       ELSE due_at END
       FROM planned)
   SELECT added.merchant_id, added.channel, added.events::int AS numbered, served.channel IS NOT NULL AS is_queued
     FROM added LEFT JOIN served ON served.merchant_id = added.merchant_id AND served.channel = added.channel`;

const { url, sql, database } = useTestDatabase({ template: 'template0' });
const { log } = createLog({ level: 'silent' });
const signal = new AbortController().signal;
const numbering = new Numbering({ database, log, onQueued: () => {} });
const before = readMigrations().findIndex(({ name }) => name.endsWith('_webhooks_by_merchant.sql'));
const insertAsBefore = `INSERT INTO events (merchant_id, event_id, channel, type, subject, object, occurred_at)
  VALUES ($1, 'evt_' || $2::text, 'kyc', 'kyc.submitted', 's', '{}', clock_timestamp())`;

/** A database of the previous version: two events have a number, one is waiting. */
beforeAll(async () => {
  await migrate(url, { migrations: readMigrations().slice(0, before) });
  await sql.query(`INSERT INTO merchants (client_id, name) VALUES ('old-one', 'old'), ('old-two', 'old')`);
  await sql.query(insertAsBefore, [1, 'a']);
  await sql.query(insertAsBefore, [1, 'b']);
  await sql.query(numberAsBefore);
  await sql.query(insertAsBefore, [1, 'c']);
  await migrate(url, { migrations: readMigrations() });
});

async function sequences(merchant: number): Promise<number[]> {
  const { rows } = await sql.query<{ sequence: string }>(
    'SELECT sequence FROM events WHERE merchant_id = $1 ORDER BY recorded_at, event_id',
    [merchant],
  );
  return rows.map((row) => Number(row.sequence));
}

describe('a database of the previous version', () => {
  it('keeps the numbers of its events, and the next number follows them', async () => {
    await numbering.run(signal);
    expect(await sequences(1)).toEqual([1, 2, 3]);
  });

  it('lets a node of the previous version number channels that have no number yet, and others', async () => {
    await sql.query(insertAsBefore, [1, 'd']);
    await sql.query(insertAsBefore, [2, 'e']);
    await sql.query(numberAsBefore);
    expect([await sequences(1), await sequences(2)]).toEqual([[1, 2, 3, 4], [1]]);
    await sql.query(insertAsBefore, [2, 'f']);
    await numbering.run(signal);
    expect(await sequences(2)).toEqual([1, 2]);
  });
});

/** PostgreSQL may end one of two that wait for each other. It is as if that one had not run. */
async function numberAsBeforeUntil(isDone: () => boolean, client: pg.Pool): Promise<void> {
  while (!isDone()) await client.query(numberAsBefore).catch(() => {});
}

it('a node of the previous version and one of this that number at once leave no gap and give no number twice', async () => {
  const { merchant } = await addMerchant(database, 'both');
  const events = rounds(300, 3000);
  let isDone = false;
  const old = numberAsBeforeUntil(() => isDone, sql);
  for (let index = 0; index < events; index += 10) {
    const changes = Array.from({ length: 10 }, () => happen(database, { merchant: merchantId(merchant) }));
    await Promise.all([...changes, numbering.run(signal)]);
  }
  isDone = true;
  await old;
  while ((await numbering.run(signal)) > 0);
  const { rows } = await sql.query('SELECT sequence FROM events WHERE merchant_id = $1 ORDER BY sequence', [
    merchant,
  ]);
  expect(rows.map((row) => Number(row.sequence))).toEqual(
    Array.from({ length: events }, (_, index) => index + 1),
  );
}, 60_000);
