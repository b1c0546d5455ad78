/** The tables as the migrations leave them, read from their SQL: nobody has to remember to list a tenant table. */
import {
  type AlterTableCmd,
  type AlterTableStmt,
  type ColumnDef,
  type Constraint,
  type CreateStmt,
  type DropStmt,
  type Node,
  parse,
  type RangeVar,
  type RenameStmt,
  type TableLikeClause,
} from 'libpg-query';
import { names, only } from './syntax-tree.js';

export interface ForeignKey {
  readonly constraint: string | undefined;
  readonly columns: readonly string[];
  readonly target: string;
  /** Empty where the reference names no columns and so means the target's primary key. */
  readonly targetColumns: readonly string[];
}

export interface Table {
  readonly columns: Set<string>;
  primaryKey: readonly string[];
  primaryKeyName: string;
  foreignKeys: ForeignKey[];
}

/** By full name: `public.orders`. */
export type Schema = Map<string, Table>;

export function tableKey(table: Pick<RangeVar, 'schemaname' | 'relname'>): string {
  return `${table.schemaname ?? 'public'}.${table.relname}`;
}

export function isTenantTable(schema: Schema, key: string): boolean {
  return schema.get(key)?.columns.has('merchant_id') ?? false;
}

export async function readSchema(migrations: readonly string[]): Promise<Schema> {
  const schema: Schema = new Map();
  for (const sql of migrations) {
    for (const { stmt } of (await parse(sql)).stmts ?? []) applyDefinition(schema, stmt);
  }
  return schema;
}

function applyDefinition(schema: Schema, definition: Node | undefined): void {
  for (const unreadable of ['ViewStmt', 'CreateTableAsStmt', 'MergeStmt']) {
    if (only(definition, unreadable)) throw new Error(`the tenancy check can't read a ${unreadable}`);
  }
  const create = only<CreateStmt>(definition, 'CreateStmt');
  const alter = only<AlterTableStmt>(definition, 'AlterTableStmt');
  const rename = only<RenameStmt>(definition, 'RenameStmt');
  const drop = only<DropStmt>(definition, 'DropStmt');
  if (create?.relation) createTable(schema, create, create.relation);
  if (alter?.relation) alterTable(schema, alter, alter.relation);
  if (rename?.relation) renameIn(schema, rename, rename.relation);
  if (drop?.removeType === 'OBJECT_TABLE') dropTables(schema, drop);
}

function createTable(schema: Schema, create: CreateStmt, relation: RangeVar): void {
  const table: Table = { columns: new Set(), primaryKey: [], primaryKeyName: '', foreignKeys: [] };
  schema.set(tableKey(relation), table);
  for (const parent of create.inhRelations ?? []) {
    const inherited = only<RangeVar>(parent, 'RangeVar');
    if (inherited) copyColumns(schema, inherited, table);
  }
  for (const element of create.tableElts ?? []) {
    const like = only<TableLikeClause>(element, 'TableLikeClause');
    if (like?.relation) copyColumns(schema, like.relation, table);
    addElement(table, relation, element);
  }
}

/** A partition, a child and a copy have the columns of their model; a partition has its keys as well. */
function copyColumns(schema: Schema, model: RangeVar, table: Table): void {
  const from = schema.get(tableKey(model));
  for (const column of from?.columns ?? []) table.columns.add(column);
  table.primaryKey = from?.primaryKey ?? [];
}

function alterTable(schema: Schema, alter: AlterTableStmt, relation: RangeVar): void {
  const table = schema.get(tableKey(relation));
  if (!table) return;
  for (const node of alter.cmds ?? []) {
    const command = only<AlterTableCmd>(node, 'AlterTableCmd');
    if (command?.subtype === 'AT_DropColumn' && command.name) table.columns.delete(command.name);
    else if (command?.subtype === 'AT_DropConstraint') dropConstraint(table, command.name);
    else if (command?.def) addElement(table, relation, command.def);
  }
}

function addElement(table: Table, relation: RangeVar, element: Node): void {
  const column = only<ColumnDef>(element, 'ColumnDef');
  if (column?.colname) {
    table.columns.add(column.colname);
    for (const node of column.constraints ?? []) {
      addConstraint(table, relation, only<Constraint>(node, 'Constraint'), [column.colname]);
    }
  }
  const constraint = only<Constraint>(element, 'Constraint');
  if (constraint) addConstraint(table, relation, constraint, []);
}

function addConstraint(
  table: Table,
  relation: RangeVar,
  constraint: Constraint | undefined,
  onColumn: readonly string[],
): void {
  if (constraint?.contype === 'CONSTR_PRIMARY') {
    const keys = names(constraint.keys);
    table.primaryKey = keys.length > 0 ? keys : onColumn;
    table.primaryKeyName = constraint.conname ?? `${relation.relname}_pkey`;
  }
  if (constraint?.contype === 'CONSTR_FOREIGN' && constraint.pktable) {
    const columns = names(constraint.fk_attrs);
    table.foreignKeys.push({
      constraint: constraint.conname,
      columns: columns.length > 0 ? columns : onColumn,
      target: tableKey(constraint.pktable),
      targetColumns: names(constraint.pk_attrs),
    });
  }
}

function dropConstraint(table: Table, name: string | undefined): void {
  if (name === table.primaryKeyName) table.primaryKey = [];
  table.foreignKeys = table.foreignKeys.filter((key) => key.constraint !== name);
}

function renameIn(schema: Schema, rename: RenameStmt, relation: RangeVar): void {
  const key = tableKey(relation);
  const table = schema.get(key);
  if (!table || !rename.newname) return;
  if (rename.renameType === 'OBJECT_TABLE') {
    schema.delete(key);
    schema.set(tableKey({ ...relation, relname: rename.newname }), table);
  }
  if (rename.renameType === 'OBJECT_COLUMN' && table.columns.delete(rename.subname ?? '')) {
    table.columns.add(rename.newname);
  }
}

function dropTables(schema: Schema, drop: DropStmt): void {
  for (const node of drop.objects ?? []) {
    const [first = '', second] = names(only<{ items?: Node[] }>(node, 'List')?.items);
    schema.delete(second === undefined ? `public.${first}` : `${first}.${second}`);
  }
}
