import { describe, expect, it } from 'vitest';
import { numberJob } from '../../src/changes/chain/numbering.js';
import { recordChange } from '../../src/changes/service.js';
import { instanceTenant, merchantId, operatorId, type TenantId, tenantId, userId } from '../../src/ids.js';
import { Database } from '../../src/postgres/database.js';
import { silentLog } from '../harness/silent-log.js';
import { noJournals, noQueue } from '../webhooks/happenings.js';
import { useAuditLog } from './audit-log.js';

const log = useAuditLog();
const [acme, globex] = [merchantId(7), merchantId(8)];
const { signal } = new AbortController();
const bySystem = { actor: { kind: 'system', name: 'test' } } as const;

/** The chained entries as `merchant/sequence`. */
async function sequences(): Promise<string[]> {
  const { rows } = await log.sql.query(
    `SELECT merchant_id || '/' || number AS place FROM changes WHERE number IS NOT NULL
      ORDER BY merchant_id, number`,
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
      const byMerchant = { actor: { kind: 'merchant', merchantId: acme, scopes }, requestId: 'r-1' } as const;
      await recordChange(tx, byMerchant, {
        ...change,
        merchantId: acme,
        fromState: 'A',
        toState: 'B',
        details: { reason: 'x', fields: ['email'] },
      });
      const byUser = { actor: { kind: 'user', merchantId: acme, userId: userId(9), scopes } } as const;
      await recordChange(tx, byUser, { ...change, merchantId: acme });
    });
    await log.database.transaction(async (tx) => {
      const byOperator = { actor: { kind: 'operator', operatorId: operatorId(3), role: 'admin' } } as const;
      await recordChange(tx, byOperator, { ...change, merchantId: instanceTenant });
      const approval = { approvalId: 'apr_1', requestedBy: operatorId(4) };
      await recordChange(tx, { ...byOperator, approval }, { ...change, merchantId: instanceTenant });
      await recordChange(tx, bySystem, { ...change, merchantId: instanceTenant });
    });
    const { rows } = await log.sql.query(
      `SELECT concat_ws(' ', actor_kind, actor_id, action, subject, merchant_id, from_state, to_state, details, request_id,
                        approved_by, approval_id) AS line FROM changes ORDER BY id`,
    );
    expect(rows.map((row) => row.line)).toEqual([
      'merchant 7 order.moved order:1 7 A B {"reason":"x","fields":["email"]} r-1',
      'user 9 order.moved order:1 7 {}',
      'operator 3 order.moved order:1 0 {}',
      'operator 4 order.moved order:1 0 {} 3 apr_1',
      'system test order.moved order:1 0 {}',
    ]);
  });

  it('is rolled back together with the change that it records', async () => {
    const failed = log.database.transaction(async (tx) => {
      await recordChange(tx, bySystem, { merchantId: acme, action: 'a.b', subject: 'c:1' });
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    const { rows } = await log.sql.query('SELECT 1 FROM changes');
    expect(rows).toEqual([]);
  });

  it.each([
    "UPDATE changes SET action = 'x'",
    'UPDATE changes SET occurred_at = clock_timestamp()',
    'UPDATE changes SET number = NULL, hash = NULL',
    "UPDATE changes SET hash = sha256('x')",
    'DELETE FROM changes',
    'TRUNCATE changes',
    "UPDATE signed_heads SET hash = sha256('x')",
    'DELETE FROM signed_heads',
    'TRUNCATE signed_heads',
  ])('cannot be changed, nor can a head: the database refuses %s', async (statement) => {
    await log.record(2);
    await log.chain();
    await expect(log.sql.query(statement)).rejects.toMatchObject({ code: '23001' });
    expect(await log.faults()).toEqual([]);
    expect(await sequences()).toEqual(upTo(instanceTenant, 2));
  });

  it('cannot be changed before it is chained either', async () => {
    await log.record(1);
    await expect(log.sql.query("UPDATE changes SET action = 'x'")).rejects.toMatchObject({
      code: '23001',
    });
    await expect(log.sql.query('DELETE FROM changes')).rejects.toMatchObject({ code: '23001' });
  });
});

describe('the chains', () => {
  it('are numbered for each merchant without gaps, by two workers at once and many writers', async () => {
    const secondDatabase = new Database(log.database.connectionString, { poolSize: 4 });
    secondDatabase.seal = log.database.seal;
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
    await other.query(`BEGIN; SELECT 1 FROM change_chains WHERE merchant_id = ${acme} FOR UPDATE`);
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
    const counts = [];
    for (let round = 0; round < 4; round += 1) counts.push(await worker.run(signal));
    expect(counts).toEqual([501, 500, 200, 0]);
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
    while (reports.length < 25 || (reports.at(-1)?.entries ?? 0) <= 10) reports.push(await log.verify());
    isGrowing = false;
    await growing;
    expect(reports.flatMap(({ faults, losses, unchecked }) => [faults, losses, unchecked].flat())).toEqual([]);
  });

  it('are built and verified in pages', async () => {
    await insertMany(acme, 2345);
    const batches = [];
    for (let count = await log.chain(); count > 0; count = await log.chain()) batches.push(count);
    expect(batches).toEqual([500, 500, 500, 500, 345]);
    expect(await log.verify()).toMatchObject({ entries: 2345, chains: 1, heads: 10, faults: [], losses: [] });
    await log.tamper("UPDATE changes SET action = 'x' WHERE number IN (1000, 1001, 2345)");
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
      'SELECT number::int, jsonb_array_length(ends) AS ends FROM signed_heads ORDER BY number',
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
    const { oldestDueSeconds } = numberJob({
      database: log.database,
      log: silentLog,
      queue: noQueue,
      journals: noJournals,
    });
    expect(await oldestDueSeconds?.()).toBe(0);
    await log.record(1);
    await log.tamper(`UPDATE changes SET recorded_at = clock_timestamp() - interval '90 seconds'`);
    expect(Math.round((await oldestDueSeconds?.()) ?? 0)).toBe(90);
  });

  /** Records this many entries of each of the merchants that begin with this one. */
  async function insertMany(first: TenantId, entries: number, merchants = 1): Promise<void> {
    for (let merchant = 0; merchant < merchants; merchant += 1)
      await log.record(entries, { merchant: tenantId(first + merchant) });
  }

  async function recordAndRollBack(): Promise<void> {
    await log.database
      .transaction(async (tx) => {
        await recordChange(tx, bySystem, { merchantId: acme, action: 'a.b', subject: 'c:1' });
        throw new Error('rolled back');
      })
      .catch(() => {});
  }
});
