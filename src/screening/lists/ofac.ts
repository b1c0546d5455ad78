/** OFAC's SDN list in its CSV layout: `sdn.csv` with the entries, `alt.csv` with other names, `add.csv` with addresses. */

import { countryOfName } from './countries.js';
import { csvRows } from './csv-rows.js';
import type { ListEntry } from './entry.js';
import { ListFault } from './list-fault.js';
import { birthDatesIn, countriesIn } from './ofac-remarks.js';

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
export function readOfac(files: OfacFiles): ListEntry[] {
  const sdn = rowsOf(files.sdn, 'sdn.csv');
  if (sdn.length === 0) throw new ListFault('sdn.csv has no entries.');
  const ids = new Set(sdn.map(([id = '']) => id));
  const otherNames = grouped(rowsOf(files.alt, 'alt.csv'), { ids, file: 'alt.csv', column: 3 });
  const addresses = files.add
    ? grouped(rowsOf(files.add, 'add.csv'), { ids, file: 'add.csv', column: 4 })
    : new Map<string, string[]>();
  return sdn.map((row) => entryOf(row, otherNames, addresses));
}

function rowsOf(bytes: Uint8Array, file: keyof typeof columns): string[][] {
  const rows = csvRows(bytes, { file, mayBeWindows1252: true });
  for (const [index, row] of rows.entries()) {
    if (row.length !== columns[file] || !/^\d{1,12}$/.test(row[0] ?? '')) {
      throw new ListFault(
        `${file} has a wrong row ${index + 1}: expected ${columns[file]} columns that begin with a number, found ${row.length}.`,
      );
    }
  }
  return rows;
}

function grouped(
  rows: readonly string[][],
  { ids, file, column }: { ids: ReadonlySet<string>; file: string; column: number },
): Map<string, string[]> {
  const values = new Map<string, string[]>();
  let orphans = 0;
  for (const row of rows) {
    const [id = ''] = row;
    const value = textOf(row[column]);
    if (!ids.has(id)) orphans += 1;
    else if (value !== undefined) values.set(id, [...(values.get(id) ?? []), value]);
  }
  if (orphans > Math.max(5, rows.length * mostOrphans)) {
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
