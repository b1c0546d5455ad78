import { describe, expect, it } from 'vitest';
import { auditChainJob, recordAudit } from '../../src/audit/service.js';
import { instanceTenant, merchantId, operatorId, type TenantId, userId } from '../../src/ids.js';
import { Database } from '../../src/postgres/database.js';
import { useAuditLog } from './audit-log.js';

const log = useAuditLog();
const [acme, globex] = [merchantId(7), merchantId(8)];
const { signal } = new AbortController();

/** The chained entries as `merchant/sequence`. */
async function sequences(): Promise<string[]> {
  const { rows } = await log.sql.query(
    `SELECT merchant_id || '/' || sequence AS place FROM audit_entries WHERE sequence > 0
      ORDER BY merchant_id, sequence`,
  );
  return rows.map((row) => row.place);
}

const upTo = (merchant: TenantId, count: number) =>
  Array.from({ length: count }, (_, index) => `${merchant}/${index + 1}`);

describe('an entry', () => {
  it('records the actor, the action, the subject, both states and the request', async () => {
    const scopes = new Set<never>();
    const change = { action: 'order.moved', subject: 'order:1' };
    await log.database.transaction(async (tx) => {
      await recordAudit(tx, acme, {
        ...change,
        actor: { kind: 'merchant', merchantId: acme, scopes },
        fromState: 'A',
        toState: 'B',
        details: { reason: 'x', fields: ['email'] },
        requestId: 'r-1',
      });
      await recordAudit(tx, acme, {
        ...change,
        actor: { kind: 'user', merchantId: acme, userId: userId(9), scopes },
      });
    });
    await log.database.transaction(async (tx) => {
      await recordAudit(tx, instanceTenant, {
        ...change,
        actor: { kind: 'operator', operatorId: operatorId(3), role: 'admin' },
      });
      await recordAudit(tx, instanceTenant, { ...change, actor: { kind: 'system', name: 'worker' } });
    });
    const { rows } = await log.sql.query(
      `SELECT concat_ws(' ', actor_kind, actor_id, action, subject, merchant_id, from_state, to_state, details, request_id)
         AS line FROM audit_entries ORDER BY id`,
    );
    expect(rows.map((row) => row.line)).toEqual([
      'merchant 7 order.moved order:1 7 A B {"fields": ["email"], "reason": "x"} r-1',
      'user 9 order.moved order:1 7 {}',
      'operator 3 order.moved order:1 0 {}',
      'system worker order.moved order:1 0 {}',
    ]);
  });

  it('is rolled back together with the change that it records', async () => {
    const failed = log.database.transaction(async (tx) => {
      await recordAudit(tx, acme, { actor: { kind: 'system', name: 'x' }, action: 'a.b', subject: 'c:1' });
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    const { rows } = await log.sql.query('SELECT 1 FROM audit_entries');
    expect(rows).toEqual([]);
  });

  it.each([
    "UPDATE audit_entries SET action = 'x'",
    'UPDATE audit_entries SET occurred_at = clock_timestamp()',
    'UPDATE audit_entries SET sequence = 0, previous_hash = NULL, hash = NULL',
    "UPDATE audit_entries SET hash = sha256('x')",
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    "UPDATE audit_signed_heads SET hash = sha256('x')",
    'DELETE FROM audit_signed_heads',
    'TRUNCATE audit_signed_heads',
  ])('cannot be changed, nor can a head: the database refuses %s', async (statement) => {
    await log.record(2);
    await log.chain();
    await expect(log.sql.query(statement)).rejects.toMatchObject({ code: '23001' });
    expect(await log.faults()).toEqual([]);
    expect(await sequences()).toEqual(upTo(instanceTenant, 2));
  });

  it('cannot be changed before it is chained either', async () => {
    await log.record(1);
    await expect(log.sql.query("UPDATE audit_entries SET action = 'x'")).rejects.toMatchObject({
      code: '23001',
    });
    await expect(log.sql.query('DELETE FROM audit_entries')).rejects.toMatchObject({ code: '23001' });
  });
});

describe('the chains', () => {
  it('are numbered for each merchant without gaps, by two workers at once and many writers', async () => {
    const secondDatabase = new Database(log.database.connectionString, { poolSize: 4 });
    const workers = [log.worker(), log.worker(secondDatabase, log.newFile())];
    let isWriting = true;
    const chaining = workers.map(async (worker) => {
      let chained = 0;
      while (isWriting) chained += await worker.run(signal);
      return chained;
    });
    const writing = [acme, globex, instanceTenant].map(async (merchant) => {
      for (let round = 0; round < 15; round += 1) {
        await log.record(2, { merchant });
        await recordAndRollBack();
      }
    });
    await Promise.all(writing);
    isWriting = false;
    const counts = await Promise.all(chaining);
    const remaining = await log.chain();
    await secondDatabase.close();

    expect((counts[0] ?? 0) + (counts[1] ?? 0) + remaining).toBe(90);
    expect(await sequences()).toEqual([instanceTenant, acme, globex].flatMap((id) => upTo(id, 30)));
    expect(await log.findings()).toEqual({ faults: [], losses: [], unchecked: [] });
  });

  it('are extended past a merchant whose chain another worker holds', async () => {
    await log.record(1, { merchant: acme });
    await log.chain();
    const other = await log.sql.connect();
    await other.query(`BEGIN; SELECT 1 FROM audit_chains WHERE merchant_id = ${acme} FOR UPDATE`);
    await log.record(1, { merchant: acme });
    await log.record(1, { merchant: globex });
    expect(await log.chain()).toBe(1);
    await other.query('ROLLBACK');
    other.release();
    expect(await log.chain()).toBe(1);
    expect(await sequences()).toEqual(['7/1', '7/2', '8/1']);
  });

  it('are extended in turn: a merchant with many entries keeps nobody waiting', async () => {
    await insertMany(acme, 1200);
    await insertMany(globex, 1);
    const worker = log.worker();
    expect(await worker.run(signal)).toBe(500);
    expect(await worker.run(signal)).toBe(1);
    expect(await worker.run(signal)).toBe(500);
    expect(await worker.run(signal)).toBe(200);
    expect(await worker.run(signal)).toBe(0);
  });

  it('stop between two merchants when the worker is told to stop', async () => {
    await log.record(1, { merchant: acme });
    expect(await log.worker().run(AbortSignal.abort())).toBe(0);
    expect(await sequences()).toEqual([]);
  });

  it('can be verified while they grow, without false alarms', async () => {
    await log.record(5);
    await log.chain();
    let isGrowing = true;
    const growing = (async () => {
      while (isGrowing) {
        await log.record(1, { merchant: acme });
        await log.record(1);
        await log.chain();
      }
    })();
    const reports = [];
    for (let round = 0; round < 25; round += 1) reports.push(await log.verify());
    isGrowing = false;
    await growing;
    expect(reports.flatMap(({ faults, losses, unchecked }) => [faults, losses, unchecked].flat())).toEqual([]);
    expect(reports.at(-1)?.entries).toBeGreaterThan(10);
  });

  it('are built and verified in pages', async () => {
    await insertMany(acme, 2345);
    const batches = [];
    for (let count = await log.chain(); count > 0; count = await log.chain()) batches.push(count);
    expect(batches).toEqual([500, 500, 500, 500, 345]);
    expect(await log.verify()).toMatchObject({ entries: 2345, chains: 1, heads: 10, faults: [], losses: [] });
    await log.tamper("UPDATE audit_entries SET action = 'x' WHERE sequence IN (1000, 1001, 2345)");
    expect(await log.faults()).toEqual([
      '7: entry 1000 was changed',
      '7: entry 1001 was changed',
      '7: entry 2345 was changed',
    ]);
  });

  it('are covered by one head for up to 100 merchants, and only those that grew are in it', async () => {
    await insertMany(acme, 1, 101);
    while ((await log.chain()) > 0);
    await log.record(1, { merchant: globex });
    await log.chain();
    const { rows } = await log.sql.query(
      'SELECT number::int, jsonb_array_length(ends) AS ends FROM audit_signed_heads ORDER BY number',
    );
    expect(rows).toEqual([
      { number: 1, ends: 100 },
      { number: 2, ends: 1 },
      { number: 3, ends: 1 },
    ]);
    expect(await log.findings()).toEqual({ faults: [], losses: [], unchecked: [] });
  });

  it('get no head when there is nothing to chain', async () => {
    expect(await log.chain()).toBe(0);
    expect(await log.verify()).toMatchObject({ entries: 0, heads: 0, faults: [], unchecked: [] });
  });

  it('report how long the oldest entry has waited', async () => {
    const job = auditChainJob(log.worker().context);
    expect(await job.oldestDueSeconds?.()).toBe(0);
    await log.tamper(
      `INSERT INTO audit_entries (merchant_id, actor_kind, actor_id, action, subject, occurred_at)
       VALUES (7, 'system', 'x', 'a.b', 'c:1', clock_timestamp() - interval '90 seconds')`,
    );
    expect(Math.round((await job.oldestDueSeconds?.()) ?? 0)).toBe(90);
  });

  /** Inserts this many entries for each of the merchants that begin with this one. */
  async function insertMany(first: TenantId, entries: number, merchants = 1): Promise<void> {
    await log.sql.query(
      `INSERT INTO audit_entries (merchant_id, actor_kind, actor_id, action, subject)
       SELECT $1 + merchant, 'system', 'x', 'note.kept', 'note:' || n
         FROM generate_series(0, $3::bigint - 1) AS merchant, generate_series(1, $2) AS n`,
      [first, entries, merchants],
    );
  }

  async function recordAndRollBack(): Promise<void> {
    await log.database
      .transaction(async (tx) => {
        await recordAudit(tx, acme, { actor: { kind: 'system', name: 'x' }, action: 'a.b', subject: 'c:1' });
        throw new Error('rolled back');
      })
      .catch(() => {});
  }
});
