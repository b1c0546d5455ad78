/**
 * The JSON format of Open Exchange Rates, Fixer, ExchangeRate-API and others: a base, a time, and rates by currency.
 */
import { type PublishedRates, type RateSource, RateSourceFault } from '../../rates/sources/rate-source.js';
import { type DocumentLimits, documentLimits, fetchDocument } from './fetch-document.js';
import { plainDecimalOfJsonNumber } from './figure.js';
import { JsonDocument } from './json-document.js';
import { unixSecondsOf } from './publication-time.js';
import { rateTable } from './rate-table.js';

export interface BaseAndRatesOptions {
  readonly name: string;
  readonly address: URL;
  readonly ageLimitBusinessDays?: number;
  readonly limits?: DocumentLimits;
}

export function baseAndRatesSource(options: BaseAndRatesOptions): RateSource {
  const { name, address, ageLimitBusinessDays = 2, limits = documentLimits } = options;
  return {
    name,
    ageLimitBusinessDays,
    async fetch(known, signal) {
      const document = await fetchDocument({ address, accept: 'application/json', known, signal, limits });
      return document && { ...readBaseAndRates(document.bytes), validators: document.validators };
    },
  };
}

/** Throws `RateSourceFault` when the document is not of this format, or reports an error of the source. */
export function readBaseAndRates(bytes: Uint8Array): Omit<PublishedRates, 'validators'> {
  const document = new JsonDocument(bytes);
  requireSuccess(document);
  const rates = document.figures(presentField(document, 'rates', 'conversion_rates'));
  if (!rates) throw malformed('The rates are not an object.');
  const publishedAt = unixSecondsOf(
    document.literal(presentField(document, 'timestamp', 'time_last_update_unix')) ?? '',
  );
  if (!publishedAt) throw malformed('The time is not in seconds since 1970.');
  const base = document.field(presentField(document, 'base', 'base_code'));
  return { ...rateTable(base, rates, plainDecimalOfJsonNumber), publishedAt };
}

/**
 * Sources report a wrong API key or an exhausted plan with status 200. Our message does not contain theirs, which may
 * quote the key.
 */
function requireSuccess(document: JsonDocument): void {
  const success = document.field('success') ?? true;
  const result = document.field('result') ?? 'success';
  if (success !== true || result !== 'success' || document.field('error') !== undefined)
    throw new RateSourceFault('refused', 'The source reports that it refuses this request.');
}

/** Returns the name of the field that the document has. Throws when it has none or both. */
function presentField(document: JsonDocument, ...names: [string, string]): string {
  const present = names.filter((name) => document.field(name) !== undefined);
  const [name] = present;
  if (name === undefined) throw malformed(`The document has no ${names.join(' or ')}.`);
  if (present.length > 1) throw malformed(`The document has both ${names.join(' and ')}.`);
  return name;
}

function malformed(message: string): RateSourceFault {
  return new RateSourceFault('malformed', message);
}
