/** `remesa citus-plan` on a migrated database: SQL for psql on standard output, advice on standard error, no change. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { testMasterKey } from '../harness/master-key.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { remesaHere } from './remesa.js';

const folder = mkdtempSync(join(tmpdir(), 'remesa-citus-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const testDatabase = useTestDatabase();
useService(testDatabase, { settings: { ROLE: 'api' } });

const plan = (...args: string[]) =>
  remesaHere({ DATABASE_URL: testDatabase.url, DATA_DIR: folder, MASTER_KEY: testMasterKey }, 'citus-plan', ...args);

it('prints the calls in their order, with the number of shards that was asked for', async () => {
  const { code, stdout, stderr } = await plan('--shards', '8');
  expect([code, stderr]).toEqual([0, expect.stringContaining('while the service is stopped')]);
  const lines = stdout.trim().split('\n');
  expect(lines).toContain('SET citus.shard_count = 8;');
  expect(lines).toContain('SET citus.enable_unsafe_triggers = on;');
  const first = lines.findIndex((line) => line.includes('create_distributed_table'));
  expect(lines.findLastIndex((line) => line.includes('create_reference_table'))).toBeLessThan(first);
  expect(lines[first]).toContain("colocate_with => 'none'");
});

it.each(['0', '1.5', 'many', '100000'])('refuses %s shards', async (shards) => {
  const { code, stderr } = await plan('--shards', shards).catch((error) => ({
    code: 1,
    stderr: String(error),
  }));
  expect([code, stderr]).toEqual([1, expect.stringContaining('must be a whole number from 1 to 1024')]);
});
