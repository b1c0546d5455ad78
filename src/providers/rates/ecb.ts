/**
 * The euro reference rates of the European Central Bank, `eurofxref-daily.xml`: about 30 currencies, published at about
 * 16:00 in Frankfurt on every working day of the euro's payment system.
 */
import { XMLParser } from 'fast-xml-parser';
import { type PublishedRates, type RateSource, RateSourceFault } from '../../rates/sources/rate-source.js';
import { textOf } from './document-text.js';
import { type DocumentLimits, documentLimits, fetchDocument } from './fetch-document.js';
import { afternoonInBrussels } from './publication-time.js';
import { rateTable } from './rate-table.js';

export interface EcbOptions {
  readonly name?: string;
  readonly address?: URL;
  readonly ageLimitBusinessDays?: number;
  readonly limits?: DocumentLimits;
}

const officialAddress = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml';
/** The document has 2 kB. The parser blocks the process for a tenth of a second on 64 kB of hostile XML. */
const ecbLimits: DocumentLimits = { ...documentLimits, bytes: 16 * 1024 };

export function ecbSource(options: EcbOptions = {}): RateSource {
  const { name = 'ecb', address = new URL(officialAddress), limits = ecbLimits } = options;
  return {
    name,
    // The ECB publishes nothing on Good Friday and Easter Monday, so on Tuesday the newest rates are 3 business days
    // old.
    ageLimitBusinessDays: options.ageLimitBusinessDays ?? 4,
    async fetch(known, signal) {
      const accept = 'application/xml, text/xml';
      const document = await fetchDocument({ address, accept, known, signal, limits });
      return document && { ...readEcbDocument(document.bytes), validators: document.validators };
    },
  };
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  maxNestedTags: 5,
  isArray: (tag) => tag === 'Cube',
});

/** Throws `RateSourceFault` when the document is not exactly one day of ECB rates. */
export function readEcbDocument(bytes: Uint8Array): Omit<PublishedRates, 'validators'> {
  const text = textOf(bytes);
  checkBeforeParsing(text);
  const day = onlyCubeOf(onlyCubeOf(envelopeOf(text)));
  const publishedAt = afternoonInBrussels(String(day['@time']));
  if (!publishedAt) throw malformed('The document does not state the day of its rates.');
  return { ...rateTable('EUR', cubesOf(day).map(currencyAndRate)), publishedAt };
}

/** Refuses what the parser would accept, or would take long to parse. */
function checkBeforeParsing(text: string): void {
  if (/<!(?!--)/.test(text)) throw malformed('The document declares a type, entities or raw sections.');
  const encoding = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)/.exec(text)?.[1];
  if (encoding !== undefined && encoding.toUpperCase() !== 'UTF-8')
    throw malformed('The document is not declared to be UTF-8.');
  if (!/<\/(gesmes:)?Envelope\s*>\s*$/.test(text))
    throw malformed('The document is not an ECB envelope, or is incomplete.');
}

type Element = Readonly<Record<string, unknown>>;

function envelopeOf(text: string): Element {
  const root = parse(text);
  const envelope = root['gesmes:Envelope'] ?? root.Envelope;
  if (!isElement(envelope)) throw malformed('The document is not an ECB envelope.');
  return envelope;
}

function parse(text: string): Element {
  try {
    return parser.parse(text, true) as Element;
  } catch {
    // The parser's messages quote the document.
    throw malformed('The document is not well-formed XML.');
  }
}

function onlyCubeOf(element: Element): Element {
  const [cube, second] = cubesOf(element);
  if (!cube || second) throw malformed('The document does not contain the rates of exactly one day.');
  return cube;
}

function cubesOf({ Cube: cubes = [] }: Element): Element[] {
  // The parser returns an element without attributes and children as a string.
  if (!Array.isArray(cubes) || !cubes.every(isElement)) throw malformed('The document has an empty element.');
  return cubes;
}

/** Refuses unknown attributes, because one such as a multiplier would change the meaning of the rate. */
function currencyAndRate(cube: Element): [unknown, unknown] {
  const unknownAttributes = Object.keys(cube).filter((name) => name !== '@currency' && name !== '@rate');
  if (unknownAttributes.length > 0) throw malformed('A rate has an unknown attribute.');
  return [cube['@currency'], cube['@rate']];
}

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(message: string): RateSourceFault {
  return new RateSourceFault('malformed', message);
}
