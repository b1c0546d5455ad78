import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HeadFile } from '../../src/audit/head-file.js';
import { auditChainJob, recordAudit } from '../../src/audit/service.js';
import { merchantId, operatorId, userId } from '../../src/ids.js';
import { Database } from '../../src/postgres/database.js';
import { useAuditLog } from './audit-log.js';

const log = useAuditLog();

async function sequences(): Promise<number[]> {
  const { rows } = await log.sql.query(
    'SELECT sequence::int FROM audit_entries WHERE sequence IS NOT NULL ORDER BY sequence',
  );
  return rows.map((row) => row.sequence);
}

describe('an entry', () => {
  it('records the actor, the action, the subject, both states and the request', async () => {
    const id = merchantId(7);
    await log.database.transaction(async (tx) => {
      const scopes = new Set<never>();
      const change = { action: 'order.moved', subject: 'order:1' };
      await recordAudit(tx, {
        ...change,
        actor: { kind: 'merchant', merchantId: id, scopes },
        merchantId: id,
        fromState: 'A',
        toState: 'B',
        details: { reason: 'x', fields: ['email'] },
        requestId: 'r-1',
      });
      await recordAudit(tx, {
        ...change,
        actor: { kind: 'user', merchantId: id, userId: userId(9), scopes },
      });
      await recordAudit(tx, {
        ...change,
        actor: { kind: 'operator', operatorId: operatorId(3), role: 'admin' },
      });
      await recordAudit(tx, { ...change, actor: { kind: 'system', name: 'worker' } });
    });
    const { rows } = await log.sql.query(
      `SELECT concat_ws(' ', actor_kind, actor_id, action, subject, merchant_id, from_state, to_state, details, request_id)
         AS line FROM audit_entries ORDER BY id`,
    );
    expect(rows.map((row) => row.line)).toEqual([
      'merchant 7 order.moved order:1 7 A B {"fields": ["email"], "reason": "x"} r-1',
      'user 9 order.moved order:1 {}',
      'operator 3 order.moved order:1 {}',
      'system worker order.moved order:1 {}',
    ]);
  });

  it('is rolled back together with the change that it records', async () => {
    const failed = log.database.transaction(async (tx) => {
      await recordAudit(tx, { actor: { kind: 'system', name: 'x' }, action: 'a.b', subject: 'c:1' });
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    const { rows } = await log.sql.query('SELECT 1 FROM audit_entries');
    expect(rows).toEqual([]);
  });

  it.each([
    "UPDATE audit_entries SET action = 'x'",
    'UPDATE audit_entries SET occurred_at = clock_timestamp()',
    'UPDATE audit_entries SET sequence = NULL, previous_hash = NULL, hash = NULL',
    "UPDATE audit_entries SET hash = sha256('x')",
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    "UPDATE audit_heads SET hash = sha256('x')",
    'DELETE FROM audit_heads',
    'TRUNCATE audit_heads',
  ])('and a head cannot be changed: the database refuses %s', async (statement) => {
    await log.record(2);
    await log.chain();
    await expect(log.sql.query(statement)).rejects.toMatchObject({ code: '23001' });
    expect(await log.faults()).toEqual([]);
    expect(await sequences()).toEqual([1, 2]);
  });

  it('cannot be changed before it is chained either', async () => {
    await log.record(1);
    await expect(log.sql.query("UPDATE audit_entries SET action = 'x'")).rejects.toMatchObject({
      code: '23001',
    });
    await expect(log.sql.query('DELETE FROM audit_entries')).rejects.toMatchObject({ code: '23001' });
  });
});

describe('the chain', () => {
  it('has no gap with many writers and two processes that chain', async () => {
    const secondDatabase = new Database(log.database.connectionString, { poolSize: 4 });
    const jobs = [
      auditChainJob(log.database, log.key, log.file),
      auditChainJob(secondDatabase, log.key, log.file),
    ];
    let isWriting = true;
    const chaining = jobs.map(async (job) => {
      let chained = 0;
      while (isWriting) chained += await job.run(new AbortController().signal);
      return chained;
    });
    const writing = [1, 2, 3, 4].map(async () => {
      await log.record(40);
      await recordAndRollBack();
      await log.record(10);
    });
    await Promise.all(writing);
    isWriting = false;
    const counts = await Promise.all(chaining);
    const remaining = await log.chain();
    await secondDatabase.close();

    expect((counts[0] ?? 0) + (counts[1] ?? 0) + remaining).toBe(200);
    expect(await sequences()).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(await log.faults()).toEqual([]);
  });

  it('can be verified while it grows, without false alarms', async () => {
    await log.record(5);
    await log.chain();
    let isGrowing = true;
    const growing = (async () => {
      while (isGrowing) {
        await log.record(1);
        await log.chain();
      }
    })();
    const reports = [];
    for (let round = 0; round < 40; round += 1) reports.push(await log.verify());
    isGrowing = false;
    await growing;
    expect(reports.flatMap((report) => report.faults)).toEqual([]);
    expect(reports.at(-1)?.entries).toBeGreaterThan(10n);
  });

  it('is built and verified in pages', async () => {
    await log.tamper(
      `INSERT INTO audit_entries (actor_kind, actor_id, action, subject)
       SELECT 'system', 'x', 'note.kept', 'note:' || n FROM generate_series(1, 2345) AS n`,
    );
    const batches = [];
    for (let count = await log.chain(); count > 0; count = await log.chain()) batches.push(count);
    expect(batches).toEqual([500, 500, 500, 500, 345]);
    expect(await log.verify()).toEqual({ entries: 2345n, heads: 10, faults: [], unchecked: [] });
    await log.tamper("UPDATE audit_entries SET action = 'x' WHERE sequence IN (1000, 1001, 2345)");
    expect(await log.faults()).toEqual([
      'entry 1000 was changed',
      'entry 1001 was changed',
      'entry 2345 was changed',
    ]);
  });

  it('signs nothing when there is nothing to chain', async () => {
    expect(await log.chain()).toBe(0);
    expect(await log.verify()).toEqual({ entries: 0n, heads: 0, faults: [], unchecked: [] });
  });

  it('reports how long the oldest entry has waited', async () => {
    const job = auditChainJob(log.database, log.key, log.file);
    expect(await job.oldestDueSeconds?.()).toBe(0);
    await log.tamper(
      `INSERT INTO audit_entries (actor_kind, actor_id, action, subject, occurred_at)
       VALUES ('system', 'x', 'a.b', 'c:1', clock_timestamp() - interval '90 seconds')`,
    );
    expect(Math.round((await job.oldestDueSeconds?.()) ?? 0)).toBe(90);
  });

  async function recordAndRollBack(): Promise<void> {
    await log.database
      .transaction(async (tx) => {
        await recordAudit(tx, { actor: { kind: 'system', name: 'x' }, action: 'a.b', subject: 'c:1' });
        throw new Error('rolled back');
      })
      .catch(() => {});
  }
});

describe('the file of heads', () => {
  const linesOf = (file: HeadFile) =>
    readFileSync(file.path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const run = (file: HeadFile) =>
    auditChainJob(log.database, log.key, file).run(new AbortController().signal);

  it('has a line for each batch, readable by its owner only', async () => {
    await log.record(2);
    await log.chain();
    await log.record(1);
    await log.chain();
    expect(linesOf(log.file).map((line) => line.sequence)).toEqual(['2', '3']);
    expect(statSync(log.file.path).mode & 0o777).toBe(0o600);
  });

  it('gets a head that is missing because of a crash when the service starts again', async () => {
    await log.record(2);
    await log.chain();
    const afterCrash = log.newFile();
    await run(afterCrash);
    expect(linesOf(afterCrash)).toEqual(linesOf(log.file));
    await run(afterCrash);
    expect(linesOf(afterCrash)).toHaveLength(1);
  });

  it('gets a head that could not be written once the file can be written again', async () => {
    const [folder, movedFolder] = [join(log.folder, 'disk'), join(log.folder, 'disk-away')];
    mkdirSync(folder);
    const file = new HeadFile(join(folder, 'heads.jsonl'));
    const job = auditChainJob(log.database, log.key, file);
    const { signal } = new AbortController();
    await log.record(1);
    expect(await job.run(signal)).toBe(1);
    renameSync(folder, movedFolder);
    await log.record(2);
    await expect(job.run(signal)).rejects.toThrow('ENOENT');
    renameSync(movedFolder, folder);
    expect(await job.run(signal)).toBe(0);
    expect(linesOf(file).map((line) => line.sequence)).toEqual(['1', '3']);
  });
});
