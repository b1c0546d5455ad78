/**
 * OFAC's SDN list in its CSV layout: `sdn.csv` with the entries, `alt.csv` with other names, `add.csv` with addresses.
 */

import { countryOfName } from './countries.js';
import { csvRows } from './csv-rows.js';
import type { ListEntry } from './entry.js';
import { ListFault } from './list-fault.js';
import { birthDatesIn, countriesIn } from './ofac-remarks.js';
import { paced } from './paced.js';

export interface OfacFiles {
  readonly sdn: Uint8Array;
  readonly alt: Uint8Array;
  readonly add?: Uint8Array | undefined;
}

const columns = { 'sdn.csv': 12, 'alt.csv': 5, 'add.csv': 6 } as const;
/** The files are published together. A few rows without an entry are tolerated, many mean that one file is older. */
const mostOrphans = 0.02;
const empty = '-0-';

/** Throws `ListFault` when a file is damaged or the files do not belong together. */
export async function readOfac(files: OfacFiles, signal?: AbortSignal): Promise<ListEntry[]> {
  const rows: string[][] = [];
  for await (const row of rowsOf(files.sdn, 'sdn.csv', signal)) rows.push(row);
  if (rows.length === 0) throw new ListFault('sdn.csv has no entries.');
  const ids = new Set(rows.map(([id = '']) => id));
  const otherNames = await valuesById(files.alt, { ids, file: 'alt.csv', column: 3, signal });
  const addresses = await valuesById(files.add, { ids, file: 'add.csv', column: 4, signal });
  const entries: ListEntry[] = [];
  for await (const row of paced(rows, signal)) entries.push(entryOf(row, otherNames, addresses));
  return entries;
}

async function* rowsOf(
  bytes: Uint8Array,
  file: keyof typeof columns,
  signal: AbortSignal | undefined,
): AsyncGenerator<string[]> {
  let count = 0;
  for await (const row of csvRows(bytes, { file, mayBeWindows1252: true, signal })) {
    count += 1;
    if (row.length !== columns[file] || !/^\d{1,12}$/.test(row[0] ?? '')) {
      throw new ListFault(
        `${file} has a wrong row ${count}: expected ${columns[file]} columns that begin with a number, found ${row.length}.`,
      );
    }
    yield row;
  }
}

interface ValuesOptions {
  readonly ids: ReadonlySet<string>;
  readonly file: keyof typeof columns;
  readonly column: number;
  readonly signal: AbortSignal | undefined;
}

async function valuesById(
  bytes: Uint8Array = new Uint8Array(),
  { ids, file, column, signal }: ValuesOptions,
): Promise<Map<string, string[]>> {
  const values = new Map<string, string[]>();
  let [rows, orphans] = [0, 0];
  for await (const row of rowsOf(bytes, file, signal)) {
    rows += 1;
    const [id = ''] = row;
    const value = textOf(row[column]);
    if (!ids.has(id)) orphans += 1;
    else if (value !== undefined) values.set(id, [...(values.get(id) ?? []), value]);
  }
  if (orphans > Math.max(5, rows * mostOrphans)) {
    throw new ListFault(
      `${orphans} rows of ${file} belong to no entry of sdn.csv: the files are not of the same day, or sdn.csv is incomplete.`,
    );
  }
  return values;
}

function entryOf(
  row: readonly string[],
  otherNames: ReadonlyMap<string, readonly string[]>,
  addresses: ReadonlyMap<string, readonly string[]>,
): ListEntry {
  const [id = '', name = ''] = row;
  const remarks = textOf(row[11]) ?? '';
  const atAddresses = (addresses.get(id) ?? []).flatMap((country) => countryOfName(country) ?? []);
  return {
    id,
    kind: kindOf(textOf(row[2])),
    names: [name, ...(otherNames.get(id) ?? [])],
    birthDates: birthDatesIn(remarks),
    countries: [...new Set([...countriesIn(remarks), ...atAddresses])],
  };
}

function kindOf(type: string | undefined): ListEntry['kind'] {
  if (type === undefined) return 'organisation';
  return type === 'individual' ? 'person' : 'other';
}

function textOf(field: string | undefined): string | undefined {
  const text = field?.trim() ?? '';
  return text === '' || text === empty ? undefined : text;
}
