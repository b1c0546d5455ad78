/**
 * Reads movements that a bank writes as CSV, by the columns that are declared for the account, as a stream of the
 * same parts as a file of ISO 20022. There are no balances, so it is a report, and closes no day.
 */
import { pipeline, Readable } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import type { Position, StatementPart } from '../../iso20022/statement.js';
import type { BankAccount } from '../accounts/bank-account.js';
import { type CsvColumnField, type CsvFormat, csvColumnFields } from '../accounts/csv-format.js';
import { entryOfRow, type RowPlace } from './csv-row.js';

type Bytes = AsyncIterable<Uint8Array>;

const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;
/** Banks write a few lines about the account before the header. */
const mostLinesBeforeHeader = 50;
const longestRow = 64 * 1024;
/** Parsed between two turns of the event loop. */
const pieceLength = 16_384;

interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Whether a file is XML rather than CSV: by its first sign that is no blank. */
export function beginsAsXml(head: Uint8Array): boolean {
  // In UTF-16, a NUL or a byte order mark stands before it.
  const first = head.subarray(0, 256).find((byte) => byte > 0x20 && byte < 0x7f);
  return first === '<'.charCodeAt(0);
}

/** Yields the parts in the order of the file. A fault is a part as well: nothing in the file makes this throw. */
export async function* readCsv(
  bytes: Bytes,
  { number, currency }: Pick<BankAccount, 'number' | 'currency'>,
  format: CsvFormat,
): AsyncGenerator<StatementPart> {
  yield { part: 'message', format: 'csv', messageId: undefined };
  const account = { number, currency };
  const times = { createdAt: undefined, from: undefined, to: undefined };
  const ids = { statementId: undefined, sequence: undefined, page: undefined };
  yield { part: 'statement', statement: { kind: 'report', ...ids, ...times, account, balances: [] } };
  yield* entriesOf(bytes, currency, format);
  yield { part: 'end_of_statement' };
}

async function* entriesOf(bytes: Bytes, currency: string, format: CsvFormat): AsyncGenerator<StatementPart> {
  let columns: ReadonlyMap<CsvColumnField, number> | undefined;
  let before = 0;
  try {
    for await (const { record, info } of rowsOf(bytes, format)) {
      const position: Position = { line: info.lines, path: `line ${info.lines}` };
      if (columns) {
        yield* partsOfRow(record, { columns, format, currency, position });
        continue;
      }
      columns = headerOf(record, format);
      before += 1;
      if (before > mostLinesBeforeHeader) break;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const message = 'It cannot be read as CSV from here on: check the quotes and the length of the line.';
    yield { part: 'fault', message, position: { line: error.lines as number | undefined, path: '/' } };
    return;
  }
  if (columns) return;
  const named = csvColumnFields.flatMap((field) => format[field] ?? []).join(', ');
  const message = `No line has all the columns that are declared for the account: ${named}.`;
  yield { part: 'fault', message, position: { line: undefined, path: '/' } };
}

function* partsOfRow(record: readonly string[], place: RowPlace): Generator<StatementPart> {
  const read = entryOfRow(record, place);
  if (typeof read === 'string') yield { part: 'fault', message: read, position: place.position };
  else if (read) yield { part: 'entry', entry: read };
}

function rowsOf(bytes: Bytes, { delimiter, encoding }: CsvFormat): AsyncIterable<Row> {
  const parser = parse({
    bom: true,
    delimiter: delimiters[delimiter],
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: longestRow,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  // An error of the source reaches the parser, and so whoever reads the rows.
  return pipeline(Readable.from(piecesOf(bytes, encoding)), parser, () => {});
}

/** Each in a turn of the event loop of its own. Bytes that the encoding does not have become U+FFFD. */
async function* piecesOf(bytes: Bytes, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += pieceLength) {
      const piece = chunk.subarray(start, start + pieceLength);
      // PostgreSQL stores no NUL.
      yield Buffer.from(decoder.decode(piece, { stream: true }).replaceAll('\0', ''));
      await otherWork();
    }
  }
  yield Buffer.from(decoder.decode());
}

/** The position of each declared column; undefined for a line that does not have them all. */
function headerOf(record: readonly string[], format: CsvFormat): Map<CsvColumnField, number> | undefined {
  const names = record.map((name) => name.trim());
  const columns = new Map<CsvColumnField, number>();
  for (const field of csvColumnFields) {
    const name = format[field];
    if (name === undefined) continue;
    const position = names.indexOf(name.trim());
    if (position < 0) return undefined;
    columns.set(field, position);
  }
  return columns;
}
