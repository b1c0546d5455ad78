/** Numbers without a gap, whatever happens around them. */
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChangeNumbering, numberJob } from '../../src/changes/chain/numbering.js';
import type { Channel } from '../../src/changes/event.js';
import { createLog } from '../../src/log.js';
import type { Database } from '../../src/postgres/database.js';
import { eventQueue } from '../../src/webhooks/events/queueing.js';
import { unregisterUrl } from '../../src/webhooks/registration.js';
import { Worker } from '../../src/worker/worker.js';
import { eventually } from '../harness/eventually.js';
import { rounds } from '../harness/rounds.js';
import { SealingDatabase } from '../harness/sealing-database.js';
import { useTestDatabase } from '../harness/test-database.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { addMerchant, emptyLog, eventOf, happen, happenOften, noJournals, recordEvent } from './happenings.js';

const { url, sql, database } = useTestDatabase();
const others = [1, 2, 3].map(() => new SealingDatabase(url, { poolSize: 4 }));
const { log } = createLog({ level: 'silent' });
const { signal } = new AbortController();
const queue = eventQueue(() => {});
type Client = Awaited<ReturnType<typeof addMerchant>>;
const merchants: Client[] = [];

beforeAll(async () => {
  for (const name of ['acme', 'rival', 'third']) merchants.push(await addMerchant(database, name));
});
afterAll(() => Promise.all(others.map((other) => other.close())));
beforeEach(async () => {
  await emptyLog(sql);
  await sql.query('TRUNCATE deliveries, webhook_endpoints');
});

const acme = () => merchants[0] as Client;
/** Gives every waiting merchant one turn. Returns how many changes got a number. */
function number(on = database): Promise<number> {
  return new ChangeNumbering({ database: on, log, queue, journals: noJournals }).run(signal);
}

/** For a lock that somebody else has. */
function somebodyWaits(count = 1) {
  return eventually(async () => {
    const { rows } = await sql.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    return rows.length >= count;
  });
}

interface Numbered {
  readonly merchant_id: string;
  readonly channel: string;
  readonly sequence: string | null;
  readonly subject: string;
  /** Among all events, in the order in which they were recorded. */
  readonly place: string;
}

async function numbered(): Promise<Numbered[]> {
  const { rows } = await sql.query<Numbered>(
    `SELECT merchant_id, channel, sequence, event_subject AS subject, row_number() OVER (ORDER BY id) AS place
       FROM (SELECT *, split_part(subject, ':', 2) AS event_subject FROM changes WHERE event_id IS NOT NULL) AS event ORDER BY merchant_id, channel, sequence`,
  );
  return rows;
}

/** From 1 on, in each channel. */
function expectNoGap(rows: readonly Numbered[]): void {
  for (const events of grouped(rows, (row) => `${row.merchant_id} ${row.channel}`)) {
    expect(events.map((row) => Number(row.sequence))).toEqual(events.map((_, index) => index + 1));
    for (const changes of grouped(events, (row) => row.subject)) {
      const order = changes.map((row) => Number(row.place));
      expect(order).toEqual(order.toSorted((left, right) => left - right));
    }
  }
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

describe('an event', () => {
  it('has no number and cannot be seen before it is committed, and none for a change that is undone', async () => {
    const undone = database.transaction(async (tx) => {
      await recordEvent(tx, eventOf(acme().merchant));
      await number(others[0]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await happen(database, acme());
    expect(await number()).toBe(1);
    expect((await numbered()).map((row) => row.sequence)).toEqual(['1']);
  });

  it('gets its number in each channel of each merchant by itself', async () => {
    const [first, second] = merchants as [Client, Client];
    for (const [merchant, channel] of [
      [first, 'kyc'],
      [first, 'order'],
      [second, 'kyc'],
      [first, 'kyc'],
      [second, 'kyc'],
    ] as const) {
      await happen(database, merchant, { channel, type: `${channel}.submitted` });
    }
    await number();
    expect((await numbered()).map((row) => [Number(row.merchant_id), row.channel, row.sequence])).toEqual([
      [first.merchant, 'kyc', '1'],
      [first.merchant, 'kyc', '2'],
      [first.merchant, 'order', '1'],
      [second.merchant, 'kyc', '1'],
      [second.merchant, 'kyc', '2'],
    ]);
  });

  it('never changes once it is recorded, but for its number, and for its object that goes', async () => {
    await happen(database, acme());
    await number();
    const refused = /UPDATE of changes is not allowed/;
    for (const change of [
      'sequence = 7',
      'number = 7',
      `object = '{}'`,
      `event_type = 'kyc.approved'`,
      `subject = 'kyc:other'`,
      `details = '{"b":1}'`,
      `previous_status = NULL`,
      `occurred_at = clock_timestamp()`,
    ]) {
      await expect(sql.query(`UPDATE changes SET ${change}`)).rejects.toThrow(refused);
    }
    await sql.query('UPDATE changes SET object = NULL');
    await expect(sql.query(`UPDATE changes SET object = '{}'`)).rejects.toThrow(refused);
  });

  it('is numbered in the order of its subject’s changes when its channel has several at once', async () => {
    for (let change = 0; change < 1500; change += 1) {
      await happen(database, acme(), { subject: `kyc_${change % 7}` });
    }
    expect([await number(), await number(), await number(), await number()]).toEqual([500, 500, 500, 0]);
    expectNoGap(await numbered());
  });
});

it('numbers have no gap and none twice, with any mixture of commits and undone changes numbered in between', async () => {
  const step = fc.record({
    merchant: fc.nat({ max: 2 }),
    channel: fc.constantFrom<Channel>('order', 'kyc'),
    events: fc.integer({ min: 1, max: 4 }),
    isUndone: fc.boolean(),
    isNumbered: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await emptyLog(sql);
      let committed = 0;
      for (const { merchant, channel, events, isUndone, isNumbered } of steps) {
        const client = merchants[merchant] as Client;
        await database
          .transaction(async (tx) => {
            for (let index = 0; index < events; index += 1)
              await recordEvent(tx, eventOf(client.merchant, { channel, subject: `s${index}` }));
            if (isUndone) throw new Error('undone');
          })
          .then(() => {
            committed += events;
          })
          .catch(() => {});
        if (isNumbered) await number();
      }
      while ((await number()) > 0);
      const rows = await numbered();
      expect(rows).toHaveLength(committed);
      expectNoGap(rows);
    }),
    { numRuns: rounds(15, 300) },
  );
});

it('four nodes that number at once, while others commit and undo, leave no gap', async () => {
  const workers = [database, ...others].map(
    (on) => new Worker([numberJob({ database: on, log, queue, journals: noJournals })], log),
  );
  for (const worker of workers) worker.start();
  const changes = rounds(250, 5000);
  let committed = 0;
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let index = writer; index < changes; index += 6) {
      const on = others[index % 3] as Database;
      const undone = index % 5 === 0;
      await on
        .transaction(async (tx) => {
          await recordEvent(tx, eventOf((merchants[index % 3] as Client).merchant, { subject: `w${writer}` }));
          if (index % 3 === 0) await pause(index % 4);
          if (undone) throw new Error('undone');
        })
        .then(() => {
          committed += 1;
        })
        .catch(() => {});
      if (index % 20 === 0) for (const worker of workers) worker.wake('changes.number');
    }
  });
  await Promise.all(writers);
  await eventually(async () => (await numbered()).every((row) => row.sequence !== null), {
    withinMs: 30_000,
  });
  await Promise.all(workers.map((worker) => worker.stop()));
  const rows = await numbered();
  expect(rows).toHaveLength(committed);
  expectNoGap(rows);
});

it('a change without an event gets no number of a channel, and a test event neither', async () => {
  await happen(database, acme());
  await happen(database, acme(), { type: 'webhook.test' });
  await happen(database, acme());
  await number();
  const { rows } = await sql.query('SELECT number, event_type, sequence FROM changes ORDER BY number');
  expect(rows).toEqual([
    { number: '1', event_type: 'kyc.submitted', sequence: '1' },
    { number: '2', event_type: 'webhook.test', sequence: null },
    { number: '3', event_type: 'kyc.submitted', sequence: '2' },
  ]);
});

it('a merchant whose changes another process is numbering waits for nobody, and is numbered by one of them', async () => {
  await happen(database, acme());
  await number();
  await happen(database, acme());
  await happen(database, merchants[1] as Client);
  const client = await sql.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM change_chains WHERE merchant_id = $1 FOR UPDATE', [acme().merchant]);
  expect(await number()).toBe(1);
  await client.query('ROLLBACK');
  client.release();
  expect(await number()).toBe(1);
  expectNoGap(await numbered());
});

it('two processes that number a merchant for the first time give each number once', async () => {
  await happenOften(database, acme(), 20);
  const counts = await Promise.all([database, ...others].map((on) => number(on)));
  const rest = await number();
  expect(counts.reduce((sum, count) => sum + count, rest)).toBe(20);
  expectNoGap(await numbered());
});

it('a merchant that cannot be numbered does not keep the others waiting', async () => {
  const [broken, working] = merchants as [Client, Client];
  await happen(database, broken);
  await number();
  await sql.query('UPDATE change_chains SET number = 0');
  await happen(database, broken);
  await happen(database, working);
  expect(await number()).toBe(1);
  const rows = await numbered();
  expect(rows.map((row) => [Number(row.merchant_id), row.sequence])).toEqual([
    [broken.merchant, '1'],
    [broken.merchant, null],
    [working.merchant, '1'],
  ]);
});

it('a merchant that cannot be numbered and has many changes does not keep the job busy', async () => {
  await happen(database, acme());
  await number();
  await sql.query('UPDATE change_chains SET number = 0');
  await happenOften(database, acme(), 1500);
  expect(await numberJob({ database, log, queue, journals: noJournals }).run(signal)).toBe(0);
});

describe('a change that the service did not write', () => {
  /** As whoever can write to the database, but does not know the key. */
  const forge = (count = 1) =>
    withoutTriggers(sql, (client) =>
      client.query(
        `INSERT INTO changes (merchant_id, actor_kind, actor_id, action, subject, details, event_id, channel, event_type,
                              object, object_digest, journal_ids, occurred_at, seal)
         SELECT $1, 'system', 'x', 'kyc.approved', 'kyc:kyc_1', '{}', 'evt_' || n, 'kyc', 'kyc.approved', '{}',
                sha256('{}'), '{}', clock_timestamp(), sha256('x') FROM generate_series(1, $2::int) AS n`,
        [acme().merchant, count],
      ),
    );

  it('is never numbered nor sent, and stops no other', async () => {
    await happen(database, acme());
    await forge();
    await happen(database, acme());
    expect([await number(), await number()]).toEqual([2, 0]);
    expect((await numbered()).map((row) => row.sequence)).toEqual(['1', '2', null]);
  });

  it('stops no other even where there are more of them than are read at once', async () => {
    await forge(1100);
    await happen(database, acme());
    expect([await number(), await number()]).toEqual([1, 0]);
  });

  it('is found by an altered genuine one too', async () => {
    await happen(database, acme());
    await withoutTriggers(sql, (client) => client.query(`UPDATE changes SET event_type = 'kyc.approved'`));
    expect(await number()).toBe(0);
  });
});

describe('what is put on its way', () => {
  const deliveries = async () =>
    (await sql.query('SELECT channel, sequence, state, due_at FROM deliveries ORDER BY channel, sequence')).rows;

  async function addEndpoint(channel: Channel): Promise<void> {
    await sql.query(`INSERT INTO webhook_endpoints (merchant_id, channel, url) VALUES ($1, $2, 'https://a.example/')`, [
      acme().merchant,
      channel,
    ]);
  }

  it('is what happens in a channel with a url, and nothing else', async () => {
    await addEndpoint('kyc');
    await happen(database, acme(), { channel: 'order', type: 'order.completed' });
    await happen(database, acme());
    await number();
    expect(await deliveries()).toMatchObject([{ channel: 'kyc', sequence: '1', state: 'pending' }]);
  });

  it('is due in the order of its numbers even if the clock goes back', async () => {
    await addEndpoint('kyc');
    await happen(database, acme());
    await number();
    await sql.query(`UPDATE change_chains SET due_at = clock_timestamp() + interval '1 hour'`);
    await happen(database, acme());
    await number();
    const [first, second] = (await deliveries()).map((row) => row.due_at.getTime());
    expect(second).toBeGreaterThan(first + 3_500_000);
  });

  const by = { actor: { kind: 'system', name: 'test' } } as const;
  const deleteUrl = (meanwhile: () => Promise<unknown> = async () => {}) =>
    database.transaction(async (tx) => {
      await unregisterUrl(tx, by, { merchantId: acme().merchant, channel: 'kyc' });
      await meanwhile();
    });

  it.each([true, false])(
    'is nothing for a url whose deletion commits while its events wait to be numbered, with numbers before: %s',
    async (isNumbered) => {
      await addEndpoint('kyc');
      if (isNumbered) {
        await happen(database, acme());
        await number();
      }
      await happen(database, acme());
      await deleteUrl(async () => {
        const late = number(others[0]);
        if (!isNumbered) await somebodyWaits();
        else expect(await late).toBe(0);
        void late;
      });
      while ((await number()) > 0);
      expect((await deliveries()).map((row) => row.state)).toEqual(isNumbered ? ['dropped'] : []);
      expectNoGap(await numbered());
    },
  );

  it('is dropped when the url is deleted while numbering has not committed yet', async () => {
    await addEndpoint('kyc');
    await happen(database, acme());
    await number();
    await happen(database, acme());
    const client = await sql.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM changes WHERE number IS NULL FOR UPDATE');
    const numbering = number();
    await somebodyWaits();
    const deleting = deleteUrl();
    await somebodyWaits(2);
    await client.query('COMMIT');
    client.release();
    expect(await numbering).toBe(1);
    await deleting;
    expect((await deliveries()).map((row) => row.state)).toEqual(['dropped', 'dropped']);
  });
});
