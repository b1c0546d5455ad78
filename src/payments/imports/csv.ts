/** Reads a file of movements: CSV (RFC 4180) with a header line, commas or semicolons. */
import { pipeline, Readable } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { type FieldFault, RemesaError } from '../../errors.js';
import { type MovementField, movementFields } from '../movement-fields.js';
import { RowBounds } from './csv-bounds.js';

/** A line of the file: where it ends, and its texts in the order of `movementFields`. */
export interface CsvLine {
  readonly line: number;
  readonly texts: readonly string[];
  /** It has another number of fields than the header. */
  readonly isUneven: boolean;
}

export const mostLines = 50_000;
/** Parsed between two turns of the event loop. */
const pieceLength = 16_384;
const longestHeader = 2000;
const optionalColumns: readonly MovementField[] = ['payerAccount', 'remittanceText'];

interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Leaves out empty lines. Throws `invalid_fields` when the header or the quotes are not right, when there is no line,
 * when there are too many, and when one is too long or has too many fields.
 */
export async function readMovementsCsv(csv: string): Promise<CsvLine[]> {
  const lines: CsvLine[] = [];
  let header: { positions: readonly number[]; columns: number } | undefined;
  try {
    for await (const { record, info } of rowsOf(csv)) {
      if (!header) {
        header = { positions: readHeader(record), columns: record.length };
        continue;
      }
      if (lines.length === mostLines) throw refused('too_long', `must have at most ${mostLines} lines`);
      const texts = header.positions.map((position) => record[position] ?? '');
      lines.push({ line: info.lines, texts, isUneven: record.length !== header.columns });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refused('wrong_format', `cannot be read as CSV at line ${error.lines}: check the quotes`);
  }
  if (lines.length === 0) throw refused('required', 'has no line after its header');
  return lines;
}

function rowsOf(csv: string): AsyncIterable<Row> {
  const head = csv.slice(0, longestHeader).split(/[\r\n]/, 1)[0] ?? '';
  const delimiter = head.includes(';') ? ';' : ',';
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  // An error of the source reaches the parser, and so whoever reads the rows.
  return pipeline(Readable.from(piecesOf(csv, delimiter)), parser, () => {});
}

/** Each in a turn of the event loop of its own. */
async function* piecesOf(csv: string, delimiter: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(csv);
  const bounds = new RowBounds(delimiter.charCodeAt(0));
  for (let start = 0; start < bytes.length; start += pieceLength) {
    const piece = bytes.subarray(start, start + pieceLength);
    const fault = bounds.read(piece);
    if (fault) throw refused('too_long', fault.message);
    yield piece;
    await otherWork();
  }
}

/** The position of each field of a movement among the columns; -1 for an optional one that is absent. */
function readHeader(names: readonly string[]): number[] {
  const columns = names.map((name) => name.trim());
  const absent = movementFields.filter((field) => !columns.includes(field) && !optionalColumns.includes(field));
  const unknown = columns.filter((name) => !movementFields.some((field) => field === name));
  const twice = columns.filter((name, index) => columns.indexOf(name) !== index);
  const allowed = movementFields.join(', ');
  const faults = [
    ...absent.map((name) => fault('required', `needs the column ${name} in its first line`)),
    ...unknown.map((name) =>
      fault('unknown_field', `has the column ${JSON.stringify(name.slice(0, 40))}; allowed are ${allowed}`),
    ),
    ...twice.map((name) => fault('not_allowed', `has the column ${name.slice(0, 40)} twice`)),
  ];
  if (faults.length > 0) throw invalid(faults.slice(0, 20));
  return movementFields.map((field) => columns.indexOf(field));
}

function fault(code: string, message: string): FieldFault {
  return { field: 'csv', code, message };
}

function refused(code: string, message: string): RemesaError {
  return invalid([fault(code, message)]);
}

function invalid(errors: readonly FieldFault[]): RemesaError {
  const [first] = errors;
  return new RemesaError('invalid', 'invalid_fields', `csv: ${first?.message}`, { errors });
}
