/** Rows of a CSV file, strictly: a torn, binary or wrongly encoded file is refused as a whole. */
import { type CsvError, parse } from 'csv-parse/sync';
import { ListFault } from './list-fault.js';

export interface CsvOptions {
  /** The name of the file in messages. */
  readonly file: string;
  /** OFAC has published files in Windows-1252; a file that is not UTF-8 is read as such. */
  readonly mayBeWindows1252?: boolean;
}

const longestRow = 4 * 1024 * 1024;

/** Throws `ListFault` when the file is not CSV in the expected encoding. */
export function csvRows(bytes: Uint8Array, { file, mayBeWindows1252 = false }: CsvOptions): string[][] {
  const text = decode(bytes, file, mayBeWindows1252);
  try {
    return parse(text, { max_record_size: longestRow, relax_column_count: true, skip_empty_lines: true });
  } catch (error) {
    throw new ListFault(`${file} is not valid CSV (${describe(error as CsvError)}).`);
  }
}

function describe({ code, lines, message }: Partial<CsvError>): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'it ends inside a quoted field, so it is probably incomplete';
  return `line ${lines ?? '?'}: ${code ?? message ?? 'unreadable'}`;
}

function decode(bytes: Uint8Array, file: string, mayBeWindows1252: boolean): string {
  if (bytes.includes(0)) {
    throw new ListFault(`${file} contains NUL bytes: it is a binary file or in UTF-16. Save it as UTF-8.`);
  }
  // OFAC ends its files with the end-of-file character of DOS.
  const content = bytes.at(-1) === 0x1a ? bytes.subarray(0, -1) : bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    if (mayBeWindows1252) return new TextDecoder('windows-1252').decode(content);
    throw new ListFault(`${file} is not UTF-8. Download it again without converting it.`);
  }
}
