/**
 * The two formats of a rate file. JSON: `base`, `publishedAt` and `rates`. CSV: the header line
 * `base,publishedAt,currency,rate` and one line per currency, all with the same base and time.
 */
import { type PublishedRates, RateSourceFault } from '../../rates/sources/rate-source.js';
import { textOf } from './document-text.js';
import { plainDecimalOfJsonNumber } from './figure.js';
import { JsonDocument } from './json-document.js';
import { instantOf } from './publication-time.js';
import { rateTable } from './rate-table.js';

type FileRates = Omit<PublishedRates, 'validators'>;

/** Throws `RateSourceFault` when the file is not in this format. */
export function readJsonRates(bytes: Uint8Array): FileRates {
  const document = new JsonDocument(bytes);
  const rates = document.figures('rates');
  if (!rates) throw malformed('The file has no object called rates.');
  const publishedAt = publicationTime(document.field('publishedAt'));
  return { ...rateTable(document.field('base'), rates, plainDecimalOfJsonNumber), publishedAt };
}

const csvHeader = 'base,publishedAt,currency,rate';

/** Throws `RateSourceFault` when the file is not in this format, at the first line that is not. */
export function readCsvRates(bytes: Uint8Array): FileRates {
  const lines = linesOf(textOf(bytes));
  const header = lines.next();
  if (header.done || cellsOf(header.value).join(',') !== csvHeader)
    throw malformed(`The first line of the file is not ${csvHeader}.`);
  const rates: (readonly [string | undefined, string | undefined])[] = [];
  let first: string[] | undefined;
  for (const line of lines) {
    const cells = cellsOf(line);
    first ??= cells;
    if (cells.length !== 4) throw malformed('A line of the file does not have four cells.');
    if (cells[0] !== first[0] || cells[1] !== first[1])
      throw malformed('The lines of the file have different bases or times.');
    rates.push([cells[2], cells[3]]);
  }
  if (!first) throw new RateSourceFault('no_rates', 'The file has no rates.');
  return { ...rateTable(first[0], rates), publishedAt: publicationTime(first[1]) };
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? undefined : end);
    if (line.trim() !== '') yield line;
    start = end === -1 ? text.length : end + 1;
  }
}

/**
 * Spreadsheets put quotes around cells. No valid cell contains a comma or a quote. More than four cells are a fault.
 */
function cellsOf(line: string): string[] {
  return line.split(',', 5).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}

function publicationTime(value: unknown): Date {
  const instant = typeof value === 'string' ? instantOf(value) : undefined;
  if (!instant) throw malformed('The field publishedAt is neither a day nor a time with a zone.');
  return instant;
}

function malformed(message: string): RateSourceFault {
  return new RateSourceFault('malformed', message);
}
