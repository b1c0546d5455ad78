/** What the design asks of the tables themselves: a tenant table is keyed by its merchant, and points at no other's row. */
import { type ForeignKey, isTenantTable, type Schema, type Table } from './schema.js';

/** Faults by table name, so that one can be exempted with a reason. */
export function keyFaults(schema: Schema): Map<string, string[]> {
  const tenants = [...schema].filter(([key]) => isTenantTable(schema, key));
  return new Map(
    tenants
      .map(([key, table]) => [key.replace(/^public\./, ''), faultsOf(schema, key, table)] as const)
      .filter(([, faults]) => faults.length > 0),
  );
}

function faultsOf(schema: Schema, name: string, table: Table): string[] {
  const unkeyed = table.primaryKey.includes('merchant_id')
    ? []
    : [`${name}: its primary key (${table.primaryKey.join(', ')}) does not hold merchant_id`];
  const crossing = table.foreignKeys
    .filter((key) => isTenantTable(schema, key.target) && !staysWithMerchant(schema, key))
    .map(
      (key) => `${name}: its foreign key (${key.columns.join(', ')}) to ${key.target} can cross merchants`,
    );
  return [...unkeyed, ...crossing];
}

/** merchant_id must be paired with merchant_id, not merely be somewhere on both sides. */
function staysWithMerchant(schema: Schema, key: ForeignKey): boolean {
  const target = key.targetColumns.length > 0 ? key.targetColumns : schema.get(key.target)?.primaryKey;
  return key.columns.some((column, index) => column === 'merchant_id' && target?.[index] === 'merchant_id');
}
