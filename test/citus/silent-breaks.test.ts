/** Guarantees that a cluster could break without an error: waiting for a lost COMMIT, checks at COMMIT, all or nothing. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/http/commands/idempotency.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { ana } from '../harness/users.js';
import { insertRow, newKey, valuesOf } from '../http/key-rows.js';
import { plainTerms } from '../rates/quoting.js';

const running = useRemesa({ settings: { QUOTES_PER_MINUTE: '1000000' } });

describe('the outcome of a COMMIT without an answer', () => {
  it('is not called undone while the transaction still runs on another machine', async () => {
    const key = newKey();
    const lost = await running.sql.connect();
    await lost.query('BEGIN');
    await lost.query(insertRow, valuesOf(key));
    await expect(outcomeOf(running.database, key)).rejects.toMatchObject({ code: 'database_unavailable' });
    await lost.query('COMMIT');
    lost.release();
    expect(await outcomeOf(running.database, key)).toEqual({ status: 200, body: 'the answer' });
  });
});

describe('many requests at once', () => {
  it('create as many users: sharing the lock of the instance is no deadlock', async () => {
    const { token } = running.acme;
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => running.api.post('/user', { token, body: ana })),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe('a check at COMMIT', () => {
  it('refuses a journal that does not sum to zero on the machine that has it, and nothing is left', async () => {
    const { merchant } = running.acme;
    const client = await running.sql.connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO ledger_journals (merchant_id, journal_id, event, postings_count, occurred_at, seal)
       VALUES ($1, 1, 'test', 2, '2026-11-15', $2)`,
      [merchant, Buffer.alloc(48)],
    );
    await client.query(
      `INSERT INTO ledger_postings VALUES ($1, 1, 1, 2, 'fee:EUR', -5, NULL), ($1, 1, 2, 2, 'charges:EUR', 6, NULL)`,
      [merchant],
    );
    await expect(client.query('COMMIT')).rejects.toThrow('could not commit');
    client.release();
    expect(await numberOf('SELECT count(*)::int AS n FROM ledger_journals')).toBe(0);
    expect(await numberOf('SELECT count(*)::int AS n FROM ledger_postings')).toBe(0);
  });
});

describe('a coordinator that is stopped hard under writers', { timeout: 600_000 }, () => {
  it('leaves no effect without its audit entry, and no audit entry without its effect', async () => {
    for (let round = 0; round < rounds(3, 20); round += 1) {
      const writers = new Writers(running.admin);
      await eventually(() => writers.written > 60, { withinMs: 60_000, what: 'writes' });
      await crash(running.url);
      await writers.stop();
      await eventually(() => isBack(), { withinMs: 60_000, what: 'the coordinator' });
    }
    // The maintenance of Citus does this every minute.
    await eventually(async () => (await numberOf('SELECT recover_prepared_transactions() AS n')) === 0, {
      withinMs: 60_000,
    });
    expect(await halfWrites()).toEqual({ cases: 0, entries: 0, corridors: 0 });
    expect(await numberOf('SELECT count(*)::int AS n FROM kyc_cases')).toBeGreaterThan(100);
  });
});

/** Users and cases of two merchants, and a corridor, which every machine has. */
class Writers {
  written = 0;
  #isOn = true;
  readonly #done: Promise<unknown>;

  constructor(admin: string) {
    const { acme, rival } = running;
    const loops = [acme, rival, acme, rival].map((merchant) => this.#loop(() => openCase(merchant.token)));
    this.#done = Promise.all([...loops, this.#loop(() => saveCorridor(admin))]);
  }

  async stop(): Promise<void> {
    this.#isOn = false;
    await this.#done;
  }

  async #loop(write: () => Promise<number>): Promise<void> {
    while (this.#isOn) if ((await write()) === 200) this.written += 1;
  }
}

async function openCase(token: string): Promise<number> {
  const key = () => randomBytes(8).toString('hex');
  const user = await running.api.post('/user', { token, key: key(), body: ana });
  if (user.status !== 200) return user.status;
  const path = `/kyc/links?userId=${user.json.id}`;
  return (await running.api.post(path, { token, key: key(), body: { kycLevel: 'LEVEL_1', zone: 'EEA' } })).status;
}

async function saveCorridor(token: string): Promise<number> {
  return (await running.api.call('PUT', '/operator/corridors/USD/MXN', { token, body: plainTerms })).status;
}

/** Kills a process of the server, which then ends all others and recovers from its log, as after a power cut. */
async function crash(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await client.query(`COPY (SELECT 1) TO PROGRAM 'kill -9 ${rows[0]?.pid}'`).catch(() => {});
  await client.end().catch(() => {});
}

async function isBack(): Promise<boolean> {
  const answer = await running.api.get('/readyz');
  return answer.status === 200;
}

async function halfWrites(): Promise<Record<string, number>> {
  return {
    cases: await numberOf(`SELECT count(*)::int AS n FROM kyc_cases AS c WHERE NOT EXISTS (
      SELECT 1 FROM changes AS a WHERE a.merchant_id = c.merchant_id AND a.subject = 'kyc:' || c.case_id)`),
    entries: await numberOf(`SELECT count(*)::int AS n FROM changes AS a
      WHERE a.subject LIKE 'kyc:%' AND NOT EXISTS (
        SELECT 1 FROM kyc_cases AS c WHERE c.merchant_id = a.merchant_id AND 'kyc:' || c.case_id = a.subject)`),
    corridors: await numberOf(`SELECT (SELECT version - 1 FROM corridors WHERE fiat_in = 'USD' AND fiat_out = 'MXN')
      - (SELECT count(*)::int FROM changes WHERE action = 'corridor.saved') AS n`),
  };
}

async function numberOf(text: string): Promise<number> {
  const { rows } = await running.sql.query<{ n: number }>(text).catch(() => ({ rows: [] }));
  return rows[0]?.n ?? Number.NaN;
}
