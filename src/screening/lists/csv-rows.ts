/** Rows of a CSV file, strictly: a torn, binary or wrongly encoded file is refused as a whole. */
import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { ListFault } from './list-fault.js';
import { chunksOf, paced } from './paced.js';

export interface CsvOptions {
  /** The name of the file in messages. */
  readonly file: string;
  /** OFAC has published files in Windows-1252; a file that is not UTF-8 is read as such. */
  readonly mayBeWindows1252?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const longestRow = 4 * 1024 * 1024;

/** Throws `ListFault` when the file is not CSV in the expected encoding. */
export async function* csvRows(bytes: Uint8Array, options: CsvOptions): AsyncGenerator<string[]> {
  const { file, signal } = options;
  // OFAC ends its files with the end-of-file character of DOS.
  const content = bytes.at(-1) === 0x1a ? bytes.subarray(0, -1) : bytes;
  const decoder = new TextDecoder(await encodingOf(content, options));
  const texts = Readable.from(decoded(content, decoder));
  const rows = texts.pipe(parse({ max_record_size: longestRow, relax_column_count: true, skip_empty_lines: true }));
  try {
    yield* paced<string[]>(rows, signal);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ListFault(`${file} is not valid CSV (${describe(error as CsvError)}).`);
  } finally {
    texts.destroy();
  }
}

function describe({ code, lines, message }: Partial<CsvError>): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'it ends inside a quoted field, so it is probably incomplete';
  return `line ${lines ?? '?'}: ${code ?? message ?? 'unreadable'}`;
}

async function encodingOf(
  content: Uint8Array,
  { file, mayBeWindows1252 = false, signal }: CsvOptions,
): Promise<'utf-8' | 'windows-1252'> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  for await (const chunk of paced(chunksOf(content), signal)) {
    if (chunk.includes(0)) {
      throw new ListFault(`${file} contains NUL bytes: it is a binary file or in UTF-16. Save it as UTF-8.`);
    }
    isUtf8 &&= isDecoded(() => utf8.decode(chunk, { stream: true }));
  }
  isUtf8 &&= isDecoded(() => utf8.decode());
  if (isUtf8) return 'utf-8';
  if (mayBeWindows1252) return 'windows-1252';
  throw new ListFault(`${file} is not UTF-8. Download it again without converting it.`);
}

function isDecoded(decode: () => string): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}

function* decoded(content: Uint8Array, decoder: TextDecoder): Generator<string> {
  for (const chunk of chunksOf(content)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
