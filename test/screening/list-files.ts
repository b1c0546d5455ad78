/** Lists of invented people in the layouts of OFAC and OpenSanctions, in folders that tests may damage. */
import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../harness/new-folder.js';

export interface OfacRow {
  readonly id: number;
  readonly name: string;
  readonly type?: 'individual' | 'vessel';
  readonly remarks?: string;
  readonly otherNames?: readonly string[];
}

export const inventedPeople: readonly OfacRow[] = [
  {
    id: 101,
    name: 'VELKANOV, Dragomir Petrovich',
    type: 'individual',
    remarks: 'DOB 07 Jun 1951; POB Plovdiv, Bulgaria; nationality Bulgaria; Gender Male.',
    otherNames: ['VELKANOFF, Drago'],
  },
  {
    id: 102,
    name: "AL-QASTALI, 'Abd al-Rahman Yunis",
    type: 'individual',
    remarks: 'DOB circa 1960; alt. DOB 1958 to 1962; nationality Iraq; Passport A12345 (Syria).',
    otherNames: ['ABDULRAHMAN, Qastali'],
  },
  {
    id: 103,
    name: 'ZUBIRI MENDIOLA, Inaki',
    type: 'individual',
    remarks: 'DOB Jan 1974; citizen Korea, North.',
  },
  { id: 104, name: 'ORION DEEPWATER SHIPPING CO. LTD.', remarks: 'Registration ID 01125548 (Cyprus).' },
  { id: 105, name: 'NIGHT HERON', type: 'vessel' },
];

export function sdnCsv(rows: readonly OfacRow[]): string {
  return rows
    .map(({ id, name, type, remarks }) => {
      const fields = [String(id), quoted(name), type ? quoted(type) : '-0- ', quoted('TEST')];
      return [...fields, ...Array.from({ length: 7 }, () => '-0- '), remarks ? quoted(remarks) : '-0- '].join(',');
    })
    .map((line) => `${line}\r\n`)
    .join('');
}

export function altCsv(rows: readonly OfacRow[]): string {
  return rows
    .flatMap(({ id, otherNames = [] }) =>
      otherNames.map((name, index) => `${id},${index + 1},"aka",${quoted(name)},-0- \r\n`),
    )
    .join('');
}

export const openSanctionsCsv = `"id","schema","name","aliases","birth_date","countries","addresses","identifiers","sanctions","phones","emails","dataset","first_seen","last_seen","last_change"
"NK-1","Person","Oksana Veremchuk","Оксана Веремчук;""Veremchuk; Oksana""","1969-03-02;1970","ua;ru","","","","","","Test","2024-01-01","2026-01-01","2026-01-01"
"NK-2","LegalEntity","Tarkin Meridian","","","suhh;cy","","","","","","Test","2024-01-01","2026-01-01","2026-01-01"
"NK-3","Vessel","Night Heron","","","","","","","","","Test","2024-01-01","2026-01-01","2026-01-01"
`;

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** A folder that is removed when the test has finished. */
export function temporaryFolder(): string {
  const folder = newFolder();
  return folder;
}

/**
 * Writes an OFAC list as a careful downloader does: beside the old files, then renamed. The files look a minute old.
 */
export function writeOfac(folder: string, rows: readonly OfacRow[], sdn: string | Buffer = sdnCsv(rows)): void {
  mkdirSync(folder, { recursive: true });
  replaceFile(join(folder, 'alt.csv'), altCsv(rows));
  replaceFile(join(folder, 'sdn.csv'), sdn);
}

export function replaceFile(path: string, content: string | Buffer): void {
  const minuteAgo = Date.now() / 1000 - 60;
  writeFileSync(`${path}.new`, content);
  utimesSync(`${path}.new`, minuteAgo, minuteAgo);
  renameSync(`${path}.new`, path);
}

export function manyPeople(count: number): OfacRow[] {
  return Array.from({ length: count }, (_, index) => ({
    id: 1000 + index,
    name: `FAMILY${index}, Given${index}`,
    type: 'individual',
  }));
}
