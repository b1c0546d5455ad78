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
export function readOpenSanctions(bytes: Uint8Array, file: string): ListEntry[] {
  const [head = [], ...rows] = csvRows(bytes, { file });
  const positions = columnPositions(head, file);
  if (rows.length === 0) throw new ListFault(`${file} has no entries.`);
  return rows.map((row, index) => {
    if (row.length !== head.length) {
      throw new ListFault(
        `${file} has a wrong row ${index + 2}: expected ${head.length} columns, found ${row.length}.`,
      );
    }
    return entryOf((column) => row[positions[column]] ?? '');
  });
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
    kind: kindOf(field('schema')),
    names: [field('name'), ...valuesOf(field('aliases'))].filter((name) => name !== ''),
    birthDates: valuesOf(field('birth_date')).flatMap((date) => readBirthDate(date.slice(0, 10)) ?? []),
    countries: [...new Set(valuesOf(field('countries')).flatMap((code) => countryOfCode(code) ?? []))],
  };
}

function kindOf(schema: string): ListEntry['kind'] {
  if (schema === 'Person') return 'person';
  if (schema === 'LegalEntity') return 'either';
  return organisations.has(schema) ? 'organisation' : 'other';
}

/** A value that contains a semicolon is quoted. */
function valuesOf(text: string): string[] {
  if (!text.includes('"')) return text.split(';').filter((value) => value !== '');
  const [values = []] = parse(text, { delimiter: ';', relax_quotes: true });
  return values.filter((value) => value !== '');
}
