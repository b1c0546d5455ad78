import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { RemesaError } from '../../src/errors.js';
import { type MerchantId, userId } from '../../src/ids.js';
import type { QuoteCode } from '../../src/rates/quote.js';
import { findQuote, takeQuote } from '../../src/rates/service.js';
import { eventually } from '../harness/eventually.js';
import { endProcessesAfterEach, startProgram } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';
import { storeQuote } from '../rates/stored-quote.js';
import { useUsersRoom } from '../users/room.js';

const { sql, database, acme, rival } = useMerchants();
const [ana, ben] = [userId(7), userId(8)];

/** The room's own fixture has the merchants; the quotes need no more than those. */
function useMerchants() {
  const room = useUsersRoom();
  return {
    sql: room.sql,
    database: room.database,
    acme: () => room.acme.merchant,
    rival: () => room.rival.merchant,
  };
}

async function take(code: QuoteCode, by = 'ord_1', user = ana, merchant: MerchantId = acme()): Promise<string> {
  try {
    await database.transaction((tx) => takeQuote(tx, { merchantId: merchant, userId: user, code, takenBy: by }));
    return 'taken';
  } catch (error) {
    if (error instanceof RemesaError) return error.code;
    throw error;
  }
}

async function rowOf(code: QuoteCode): Promise<{ taken_by: string | null; in_time: boolean | null }> {
  const { rows } = await sql.query('SELECT taken_by, taken_at < expires_at AS in_time FROM quotes WHERE code = $1', [
    code,
  ]);
  return rows[0];
}

describe('a hundred takers of one quote at once, from several processes', () => {
  endProcessesAfterEach();

  it('have one winner; all the others are told that it was used', { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'remesa-takers-'));
    const processes = rounds(2, 4);
    for (let round = 1; round <= rounds(1, 20); round += 1) {
      const code = await storeQuote(sql, { merchant: acme() });
      const gate = join(folder, `gate-${round}`);
      const args = [database.connectionString, String(acme()), code, gate, String(100 / processes)];
      const programs = Array.from({ length: processes }, () => startProgram('test/rates/taker-program.ts', {}, args));
      const said = (pattern: RegExp) =>
        Promise.all(
          programs.map(({ output, process: { exitCode } }) =>
            eventually(
              () => {
                if (pattern.test(output())) return true;
                throw new Error(`a taker (exit code ${exitCode}) said: ${output()}`);
              },
              { withinMs: 120_000, what: `a taker saying ${pattern}` },
            ),
          ),
        );
      await said(/ready/);
      writeFileSync(gate, '');
      await said(/outcomes .*\]/);
      const outcomes: string[] = programs.flatMap(({ output }) =>
        JSON.parse(/outcomes (.*\])/.exec(output())?.[1] ?? '[]'),
      );
      const winners = outcomes.filter((outcome) => outcome.startsWith('taken'));
      expect(outcomes).toHaveLength(100);
      expect(winners).toHaveLength(1);
      expect(new Set(outcomes.filter((outcome) => !winners.includes(outcome)))).toEqual(new Set(['rate_already_used']));
      expect(winners).toEqual([`taken by ${(await rowOf(code)).taken_by}`]);
    }
    rmSync(folder, { recursive: true });
  });
});

describe('a quote', () => {
  it('is taken once, and answers what it is', async () => {
    const code = await storeQuote(sql, { merchant: acme() });
    const quote = await database.transaction((tx) =>
      takeQuote(tx, { merchantId: acme(), userId: ana, code, takenBy: 'ord_1' }),
    );
    expect(quote).toMatchObject({
      code,
      merchantId: acme(),
      amountIn: { currency: 'USD', minor: 10_000n },
      amountOut: { currency: 'MXN', minor: 169_594n },
      fee: { currency: 'USD', minor: 130n },
      takenAt: expect.any(Date),
    });
    expect(await take(code, 'ord_2')).toBe('rate_already_used');
    expect(await take(code, 'ord_1')).toBe('rate_already_used');
    expect(await rowOf(code)).toEqual({ taken_by: 'ord_1', in_time: true });
  });

  it('is free again when the taker’s transaction is rolled back', async () => {
    const code = await storeQuote(sql, { merchant: acme() });
    const failing = database.transaction(async (tx) => {
      await takeQuote(tx, { merchantId: acme(), userId: ana, code, takenBy: 'ord_1' });
      throw new Error('no such beneficiary');
    });
    await expect(failing).rejects.toThrow('no such beneficiary');
    expect(await take(code, 'ord_2')).toBe('taken');
  });

  it('is not there for another merchant or another user, used or not, expired or not', async () => {
    const mine = await storeQuote(sql, { merchant: acme() });
    const anas = await storeQuote(sql, { merchant: acme(), user: ana });
    const late = await storeQuote(sql, { merchant: acme(), user: ana, expiresInMs: -1 });
    expect(await take(mine, 'ord_1', ana, rival())).toBe('rate_not_found');
    expect(await take(anas, 'ord_1', ben)).toBe('rate_not_found');
    expect(await take(late, 'ord_1', ben)).toBe('rate_not_found');
    expect(await take(anas, 'ord_1', ana)).toBe('taken');
    expect(await take(anas, 'ord_2', ben)).toBe('rate_not_found');
    expect(await take(mine, 'ord_1', ben)).toBe('taken');
  });

  it('is not found when nobody gave it', async () => {
    expect(await take('rt_00000000000000000000000000' as QuoteCode)).toBe('rate_not_found');
  });

  it('is refused when it has expired, with the time at which it did', async () => {
    const code = await storeQuote(sql, { merchant: acme(), expiresInMs: -1 });
    const { expiresAt } = await findQuote(database, acme(), code);
    const taking = database.transaction((tx) =>
      takeQuote(tx, { merchantId: acme(), userId: ana, code, takenBy: 'ord_1' }),
    );
    await expect(taking).rejects.toMatchObject({
      code: 'rate_expired',
      kind: 'conflict',
      details: { members: { expirationDate: expiresAt.toISOString() } },
    });
    expect((await rowOf(code)).taken_by).toBeNull();
  });
});

describe('around the moment of expiry', () => {
  it('no quote is taken after it by the clock of the database, and none is refused before', {
    timeout: 60_000,
  }, async () => {
    const codes: QuoteCode[] = [];
    for (let index = 0; index < rounds(120, 1000); index += 1) {
      codes.push(await storeQuote(sql, { merchant: acme(), expiresInMs: -100 + ((index * 37) % 1500) }));
    }
    const seen = { taken: 0, rate_expired: 0 };
    const attempt = async (code: QuoteCode) => {
      const before = await expiryPassed(sql, code);
      const outcome = await take(code);
      const after = await expiryPassed(sql, code);
      expect(['taken', 'rate_expired']).toContain(outcome);
      if (outcome === 'taken')
        expect([before, await rowOf(code)]).toEqual([false, { taken_by: 'ord_1', in_time: true }]);
      else expect(after).toBe(true);
      seen[outcome as keyof typeof seen] += 1;
    };
    await Promise.all(
      [0, 1, 2, 3].map(async (lane) => {
        for (const code of codes.filter((_, index) => index % 4 === lane)) await attempt(code);
      }),
    );
    // A quote with all the time in the world and one with none, so that neither side is there by chance only.
    await attempt(await storeQuote(sql, { merchant: acme() }));
    await attempt(await storeQuote(sql, { merchant: acme(), expiresInMs: -1 }));
    expect(seen.taken).toBeGreaterThan(0);
    expect(seen.rate_expired).toBeGreaterThan(0);
  });

  it('it is the merchant’s clock that counts', async () => {
    const [mine, theirs] = [
      await storeQuote(sql, { merchant: acme(), expiresInMs: 3_600_000 }),
      await storeQuote(sql, { merchant: rival(), expiresInMs: 3_600_000 }),
    ];
    await sql.query("INSERT INTO merchant_clocks VALUES ($1, '1 hour')", [rival()]);
    expect(await take(mine)).toBe('taken');
    expect(await take(theirs, 'ord_1', ana, rival())).toBe('rate_expired');
  });
});

describe('a taker who waits behind a lock', () => {
  /** How the one in front holds the quote, and how he lets go of it when its time is over. */
  const holders: [what: string, hold: string, letGo: string][] = [
    ['looked at it', 'SELECT 1 FROM quotes WHERE code = $1 FOR UPDATE', 'COMMIT'],
    ['looked at it and gave up', 'SELECT 1 FROM quotes WHERE code = $1 FOR UPDATE', 'ROLLBACK'],
    [
      'took it and gave up',
      "UPDATE quotes SET taken_at = clock_timestamp(), taken_by = 'ord_0' WHERE code = $1",
      'ROLLBACK',
    ],
  ];

  it.each(holders)(
    'is refused when the quote has expired meanwhile: the one in front %s',
    async (_what, hold, letGo) => {
      const code = await storeQuote(sql, { merchant: acme(), expiresInMs: 1200 });
      const holder = await sql.connect();
      try {
        await holder.query('BEGIN');
        await holder.query(hold, [code]);
        const taking = take(code, 'ord_late');
        await eventually(() => someoneWaits(sql), { withinMs: 5000, what: 'the taker waiting' });
        await eventually(() => expiryPassed(sql, code), { withinMs: 5000, what: 'the expiry' });
        await holder.query(letGo);
        expect(await taking).toBe('rate_expired');
      } finally {
        holder.release();
      }
      expect((await rowOf(code)).taken_by).toBeNull();
    },
  );

  it('takes the quote when let go in time, and is told so when it was taken', async () => {
    for (const [hold, outcome] of [
      ['SELECT 1 FROM quotes WHERE code = $1 FOR UPDATE', 'taken'],
      ["UPDATE quotes SET taken_at = clock_timestamp(), taken_by = 'ord_0' WHERE code = $1", 'rate_already_used'],
    ] as const) {
      const code = await storeQuote(sql, { merchant: acme() });
      const holder = await sql.connect();
      try {
        await holder.query('BEGIN');
        await holder.query(hold, [code]);
        const taking = take(code, 'ord_next');
        await eventually(() => someoneWaits(sql), { withinMs: 5000, what: 'the taker waiting' });
        await holder.query('COMMIT');
        expect(await taking).toBe(outcome);
      } finally {
        holder.release();
      }
    }
  });
});

async function someoneWaits(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

async function expiryPassed(pool: pg.Pool, code: QuoteCode): Promise<boolean> {
  const { rows } = await pool.query('SELECT expires_at <= clock_timestamp() AS passed FROM quotes WHERE code = $1', [
    code,
  ]);
  return rows[0].passed;
}
