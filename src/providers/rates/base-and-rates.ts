/** The JSON of Open Exchange Rates, Fixer, ExchangeRate-API and their like: a base, a time, and rates by currency. */
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

export function readBaseAndRates(bytes: Uint8Array): Omit<PublishedRates, 'validators'> {
  const document = new JsonDocument(bytes);
  refuseRefusal(document);
  const rates = document.figures(oneOf(document, 'rates', 'conversion_rates'));
  if (!rates) throw malformed('The rates are not an object.');
  const publishedAt = unixSecondsOf(
    document.literal(oneOf(document, 'timestamp', 'time_last_update_unix')) ?? '',
  );
  if (!publishedAt) throw malformed('The time is not in seconds since 1970.');
  const base = document.field(oneOf(document, 'base', 'base_code'));
  return { ...rateTable(base, rates, plainDecimalOfJsonNumber), publishedAt };
}

/** A wrong key or a used up plan comes with status 200. What the source says about it may quote the key. */
function refuseRefusal(document: JsonDocument): void {
  const success = document.field('success') ?? true;
  const result = document.field('result') ?? 'success';
  if (success !== true || result !== 'success' || document.field('error') !== undefined)
    throw new RateSourceFault('refused', 'The source says that it does not serve this request.');
}

function oneOf(document: JsonDocument, ...names: [string, string]): string {
  const [name, ...others] = names.filter((each) => document.field(each) !== undefined);
  if (name === undefined) throw malformed(`The document has no ${names.join(' or ')}.`);
  if (others.length > 0) throw malformed(`The document has both ${names.join(' and ')}.`);
  return name;
}

function malformed(message: string): RateSourceFault {
  return new RateSourceFault('malformed', message);
}
