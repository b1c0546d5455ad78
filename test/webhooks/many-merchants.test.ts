/** What many merchants cost, and what a busy one costs the others: counted in statements and turns, not in time. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChangeNumbering } from '../../src/changes/chain/numbering.js';
import type { EventId } from '../../src/changes/event.js';
import { createLog } from '../../src/log.js';
import { Database } from '../../src/postgres/database.js';
import {
  positionValues,
  type Statement,
  type Transaction,
  type Values,
  type ValuesOf,
} from '../../src/postgres/statement.js';
import type { AttemptResult } from '../../src/webhooks/delivery/attempt.js';
import { Deliverer } from '../../src/webhooks/delivery/deliverer.js';
import { type AttemptEnd, claimDue, recordAttempts } from '../../src/webhooks/delivery/delivery-store.js';
import { eventRetentionJob } from '../../src/webhooks/events/retention.js';
import { notificationBacklog } from '../../src/webhooks/service.js';
import { MerchantSigningKeys } from '../../src/webhooks/signing/signing-keys.js';
import { eventually } from '../harness/eventually.js';
import { rounds } from '../harness/rounds.js';
import { SealingDatabase } from '../harness/sealing-database.js';
import { useTestDatabase } from '../harness/test-database.js';
import { addMerchant, emptyLog, happen, happenOften, noJournals, noQueue } from './happenings.js';

const { url, sql } = useTestDatabase();
const { log } = createLog({ level: 'silent' });
const signal = new AbortController().signal;
/** More than are numbered in the turns of a test. */
const busyEvents = rounds(4_000, 100_000);
/** So many that a plan which reads them all is a dear one. */
const busyDeliveries = rounds(8_000, 100_000);

/** A database that counts the statements outside of transactions, and the transactions. */
class CountingDatabase extends SealingDatabase {
  count = 0;

  override query<Row, Name extends string>(statement: Statement<Row, Name>, ...values: ValuesOf<Name>): Promise<Row[]> {
    this.count += 1;
    return super.query(statement, ...values);
  }

  override write<Row, Name extends string>(statement: Statement<Row, Name>, ...values: ValuesOf<Name>): Promise<Row[]> {
    this.count += 1;
    return super.write(statement, ...values);
  }

  override transaction<Result>(work: Parameters<Database['transaction']>[0]): Promise<Result> {
    this.count += 1;
    return super.transaction(work) as Promise<Result>;
  }
}

/** Attempts that wait for an answer. */
const answers: ((result: AttemptResult) => void)[] = [];
const database = new CountingDatabase(url, { poolSize: 4 });
const deliverer = new Deliverer({
  database,
  log,
  sealingKey: Buffer.alloc(32, 8),
  signingKeys: new MerchantSigningKeys(Buffer.alloc(32, 7)),
  makeClient: () => ({ post: () => new Promise((answer) => answers.push(answer)), close: async () => {} }),
});
const numbering = new ChangeNumbering({ database, log, queue: noQueue, journals: noJournals });
let busy: Awaited<ReturnType<typeof addMerchant>>;
/** One whose number is smaller than that of the busy merchant, and one whose number is greater. */
const others: (typeof busy)[] = [];

beforeAll(async () => {
  others.push(await addMerchant(database, 'before'));
  busy = await addMerchant(database, 'busy');
  others.push(await addMerchant(database, 'after'));
  return async () => {
    const stopped = deliverer.stop();
    for (const answer of answers) answer({ kind: 'withheld' });
    await stopped;
    await database.close();
  };
});
beforeEach(async () => {
  await emptyLog(sql);
  await sql.query('TRUNCATE deliveries, webhook_endpoints');
});

async function addMerchantsWithUrls(count: number): Promise<void> {
  await sql.query(
    `INSERT INTO merchants (client_id, name) SELECT 'cli_' || lpad(n::text, 26, '0'), 'idle'
       FROM generate_series(1, $1::int) AS n ON CONFLICT DO NOTHING`,
    [count],
  );
  await sql.query(
    `INSERT INTO webhook_endpoints (merchant_id, channel, url)
     SELECT merchant_id, channel, 'https://a.example/' FROM merchants, unnest(ARRAY['kyc', 'order']) AS channel
     ON CONFLICT DO NOTHING`,
  );
  await sql.query(
    `INSERT INTO change_chains (merchant_id, number, hash, signed_number)
     SELECT merchant_id, 7, sha256('x'), 7 FROM merchants ON CONFLICT DO NOTHING`,
  );
}

async function statementsOf(run: () => Promise<unknown>): Promise<number> {
  database.count = 0;
  await run();
  return database.count;
}

/** What every job of the room sends when nothing is due, and what the metrics ask. */
async function idleStatements(): Promise<number[]> {
  return [
    await statementsOf(() => numbering.run(signal)),
    await statementsOf(() => deliverer.job().run(signal)),
    await statementsOf(() => eventRetentionJob(database).run(signal)),
    await statementsOf(() => notificationBacklog(database)),
  ];
}

it('an idle worker sends as many statements with 2,000 merchants as with 10', async () => {
  await addMerchantsWithUrls(10);
  await deliverer.job().run(signal);
  const few = await idleStatements();
  await addMerchantsWithUrls(2000);
  expect(await idleStatements()).toEqual(few);
  expect(few).toEqual([1, 1, 3, 2]);
});

describe('beside a merchant with a long queue', () => {
  it.each([
    ['smaller', 0],
    ['greater', 1],
  ])('an event of a merchant with a %s number is numbered within three turns', async (_number, index) => {
    await happenOften(database, busy, busyEvents);
    await numbering.run(signal);
    const eventId = await happen(database, others[index] as typeof busy);
    for (let turn = 0; turn < 3; turn += 1) await numbering.run(signal);
    const { rows } = await sql.query(
      `SELECT (SELECT sequence FROM events WHERE event_id = $1) AS sequence,
              (SELECT kyc_sequence FROM change_chains WHERE merchant_id = $2) AS numbered`,
      [eventId, busy.merchant],
    );
    expect(rows[0].sequence).toBe('1');
    expect(Number(rows[0].numbered)).toBeLessThan(busyEvents);
    expect(Number(rows[0].numbered)).toBeGreaterThanOrEqual(1000);
  });

  it('another merchant’s deliveries are claimed after the same search', async () => {
    await addMerchantsWithUrls(0);
    await happenOften(database, busy, busyEvents);
    for (const other of others) await happen(database, other);
    await sql.query(
      `INSERT INTO deliveries (merchant_id, event_id, channel, subject, sequence, state, due_at)
       SELECT merchant_id, event_id, channel, subject, row_number() OVER (), 'pending', clock_timestamp() FROM events`,
    );
    const claimed = async () =>
      (await sql.query('SELECT DISTINCT merchant_id FROM deliveries WHERE lease_token IS NOT NULL')).rowCount;
    const run = async () => {
      await deliverer.job().run(signal);
      await eventually(async () => (await claimed()) === 3);
    };
    // A few pages, and a claim for each of three endpoints.
    expect(await statementsOf(run)).toBeLessThan(20);
  });

  it.each([
    ['claimed', 'delivery-store.claim'],
    ['recorded', 'delivery-store.settle'],
  ])(
    'deliveries are %s without reading the queue, also where nothing was pending when tables were analysed',
    async (_, name) => {
      await addDeliveries(busyDeliveries, 'delivered');
      await sql.query('ANALYZE deliveries');
      await addDeliveries(busyDeliveries, 'pending');
      const explaining = new ExplainingDatabase(url, { poolSize: 1 });
      const endpoint = { merchantId: busy.merchant, channel: 'kyc' } as const;
      const token = randomUUID();
      await claimDue(explaining, endpoint, { token, atMost: 40 });
      const ends = Array.from({ length: 40 }, (_, index) => delivered(`evt_pending${index + 1}` as EventId));
      await recordAttempts(explaining, endpoint, token, ends);
      await explaining.close();
      const plan = explaining.plans.get(name) ?? '';
      expect(plan).toContain(name === 'delivery-store.claim' ? 'using deliveries_pending' : 'Update on deliveries');
      expect(plan).not.toMatch(/Seq Scan on deliveries/);
      if (name === 'delivery-store.settle') expect(plan).not.toContain('using deliveries_pending');
    },
  );
});

/** Explains the statements of transactions instead of running them. */
class ExplainingDatabase extends Database {
  readonly plans = new Map<string, string>();

  override async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const query = async (statement: Statement<unknown, string>, values: Values<string>) => {
      const { rows } = await sql.query(`EXPLAIN ${statement.text}`, positionValues(statement, values));
      this.plans.set(statement.name, rows.map((row) => row['QUERY PLAN']).join('\n'));
      return statement.name === 'endpoint-store.lock-served' ? [{ url: '', now: new Date() }] : [];
    };
    return work({ query } as unknown as Transaction);
  }
}

async function addDeliveries(count: number, state: 'delivered' | 'pending'): Promise<void> {
  await sql.query(
    `INSERT INTO deliveries (merchant_id, event_id, channel, subject, sequence, state, due_at)
     SELECT $1, 'evt_' || $3 || n, 'kyc', 's', n, $3, clock_timestamp() FROM generate_series(1, $2::int) AS n`,
    [busy.merchant, count, state],
  );
}

function delivered(eventId: EventId): AttemptEnd {
  return {
    eventId,
    startedAt: new Date(),
    endedAt: new Date(),
    url: 'https://a.example/',
    record: { outcome: 'delivered', status: 200, durationMs: 5, answerStart: undefined },
    settlement: { state: 'delivered', delaySeconds: 0 },
    endpointOutcome: 'delivered',
  };
}
