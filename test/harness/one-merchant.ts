/**
 * In every test, a transaction that writes rows of two merchants fails before it commits: on a cluster the two could lie on
 * different machines (rule 8 of docs/scaling.md). Vitest runs this module anew before each test file, so that it must do
 * nothing that a worker needs once only.
 */
import { parse } from 'libpg-query';
import { merchantReferenceTables } from '../../src/postgres/citus/plan.js';
import { Database } from '../../src/postgres/database.js';
import { readMigrations } from '../../src/postgres/migrate.js';
import { positionValues, type Statement, type Transaction } from '../../src/postgres/statement.js';
import { merchantParameters } from '../house/sharding/merchant-parameters.js';
import { isTenantTable, readSchema } from '../house/tenancy/schema.js';

type Run = <Result>(this: Database, work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
type Query = (statement: Statement<unknown>, values?: readonly unknown[]) => Promise<unknown[]>;

let schema: ReturnType<typeof readSchema> | undefined;
/** The numbers of the parameters that name the merchant of a write, by the text of the statement. */
const positions = new Map<string, Promise<readonly number[]>>();
const watched = Symbol.for('remesa: transactions are watched');
const prototype = Database.prototype as unknown as { transaction: Run & { [watched]?: true } };

if (!prototype.transaction[watched]) {
  const run = prototype.transaction;
  const watch: Run = function (work) {
    return run.call(this, async (tx: Transaction) => {
      const writes = watchWrites(tx);
      const result = await work(tx);
      await requireOneMerchant(writes);
      return result;
    }) as never;
  };
  prototype.transaction = Object.assign(watch, { [watched]: true as const });
}

interface Write {
  readonly name: string;
  readonly merchants: Promise<readonly string[]>;
}

function watchWrites(tx: Transaction): Write[] {
  const writes: Write[] = [];
  const session = tx as unknown as { query: Query };
  const query = session.query.bind(session);
  session.query = (statement, values) => {
    writes.push({
      name: statement.name,
      merchants: merchantsOf(statement.text, positionValues(statement, values)),
    });
    return query(statement, values);
  };
  return writes;
}

async function requireOneMerchant(writes: readonly Write[]): Promise<void> {
  const writersOf = new Map<string, string>();
  for (const { name, merchants } of writes)
    for (const merchant of await merchants) writersOf.set(merchant, name);
  if (writersOf.size < 2) return;
  const found = [...writersOf].map(([merchant, name]) => `${merchant} (${name})`).join(', ');
  throw new Error(`one transaction writes rows of several merchants: ${found}`);
}

async function merchantsOf(text: string, values: readonly unknown[]): Promise<readonly string[]> {
  if (!/\b(INSERT|UPDATE|DELETE)\b/.test(text)) return [];
  if (!positions.has(text)) positions.set(text, readPositions(text));
  const numbers = (await positions.get(text)) ?? [];
  return numbers.flatMap((number) => values[number - 1] ?? []).map(String);
}

async function readPositions(text: string): Promise<readonly number[]> {
  schema ??= readSchema(readMigrations().map(({ sql }) => sql));
  const tables = await schema;
  const isTenant = (table: string) =>
    isTenantTable(tables, `public.${table}`) && !merchantReferenceTables.has(table);
  return merchantParameters((await parse(text)).stmts?.[0]?.stmt, isTenant);
}
