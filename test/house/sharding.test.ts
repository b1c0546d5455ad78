/** Every statement and table keeps the rules that let the schema be distributed by merchant, but for a short list. */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { merchantReferenceTables as referenceTables } from '../../src/postgres/citus/plan.js';
import { useTestDatabase } from '../harness/test-database.js';
import { type Rules, shardingFaults } from './sharding/check.js';
import { readFunctions } from './sharding/functions.js';
import { foreignKeyFaults, keyFaults, triggerFaults } from './sharding/tables.js';
import { exemptStatements, exemptTables } from './sharding-exemptions.js';
import { readSchema } from './tenancy/schema.js';
import { sourceStatements } from './tenancy/statements.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { sql } = useTestDatabase();
let rules: Rules;
beforeAll(async () => {
  rules = { schema: await readSchema(sql), functions: await readFunctions(sql), referenceTables };
});

describe('the sharding rules', () => {
  it('are kept by every statement', async () => {
    const unexpected: string[] = [];
    const used = new Set<string>();
    for (const { name, sql: text, where } of sourceStatements(root).statements) {
      for (const fault of await shardingFaults(text, rules)) {
        if (isExempt(name, fault)) used.add(name);
        else unexpected.push(`${where} ${name}: ${fault}`);
      }
    }
    expect(unexpected).toEqual([]);
    expect(Object.keys(exemptStatements).filter((name) => !used.has(name))).toEqual([]);
  });

  it('are kept by every table, its keys and its triggers', async () => {
    const checks = [keyFaults, foreignKeyFaults, triggerFaults].map((check) => check(sql));
    const faults = (await Promise.all(checks)).flat();
    const unexpected = faults.filter(([table]) => !referenceTables.has(table) && !exemptTables[table]);
    expect(unexpected).toEqual([]);
    const faulty = faults.map(([table]) => table);
    expect(Object.keys(exemptTables).filter((table) => !faulty.includes(table))).toEqual([]);
  });
});

function isExempt(name: string, fault: string): boolean {
  return exemptStatements[name]?.rules.includes(Number(fault.split(':')[0])) ?? false;
}
