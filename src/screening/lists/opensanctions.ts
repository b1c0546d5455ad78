/** OpenSanctions' `targets.simple.csv`: one row for each target, several values of a column separated by semicolons. */
import { parse } from 'csv-parse/sync';
import { readBirthDate } from './birth-date.js';
import { countryOfCode } from './countries.js';
import { csvRows } from './csv-rows.js';
import type { ListEntry } from './entry.js';
import { ListFault } from './list-fault.js';

const needed = ['id', 'schema', 'name', 'aliases', 'birth_date', 'countries'] as const;
type Column = (typeof needed)[number];

const organisations = new Set(['Organization', 'Company', 'PublicBody']);

/** Throws `ListFault` when the file is damaged or has other columns. */
export async function readOpenSanctions(bytes: Uint8Array, file: string, signal?: AbortSignal): Promise<ListEntry[]> {
  const rows = csvRows(bytes, { file, signal });
  const { value: head = [] } = await rows.next();
  const positions = columnPositions(head, file);
  const entries: ListEntry[] = [];
  for await (const row of rows) {
    if (row.length !== head.length) {
      throw new ListFault(
        `${file} has a wrong row ${entries.length + 2}: expected ${head.length} columns, found ${row.length}.`,
      );
    }
    entries.push(entryOf((column) => row[positions[column]] ?? ''));
  }
  if (entries.length === 0) throw new ListFault(`${file} has no entries.`);
  return entries;
}

function columnPositions(head: readonly string[], file: string): Record<Column, number> {
  const missing = needed.filter((column) => !head.includes(column));
  if (missing.length > 0) {
    throw new ListFault(
      `${file} is not a targets.simple.csv of OpenSanctions: it has no column ${missing.join(', ')}.`,
    );
  }
  return Object.fromEntries(needed.map((column) => [column, head.indexOf(column)])) as Record<Column, number>;
}

function entryOf(field: (column: Column) => string): ListEntry {
  return {
    id: field('id'),
    kind: entryKindOf(field('schema')),
    names: [field('name'), ...valuesOf(field('aliases'))].filter((name) => name !== ''),
    birthDates: valuesOf(field('birth_date')).flatMap((date) => readBirthDate(date.slice(0, 10)) ?? []),
    countries: [...new Set(valuesOf(field('countries')).flatMap((code) => countryOfCode(code) ?? []))],
  };
}

/** What an entity of this schema of FollowTheMoney is. */
export function entryKindOf(schema: string): ListEntry['kind'] {
  if (schema === 'Person') return 'person';
  if (schema === 'LegalEntity') return 'either';
  return organisations.has(schema) ? 'organisation' : 'other';
}

function valuesOf(text: string): string[] {
  if (!text.includes('"')) return text.split(';').filter((value) => value !== '');
  const [values = []] = parse(text, { delimiter: ';', relax_quotes: true });
  return values.filter((value) => value !== '');
}
