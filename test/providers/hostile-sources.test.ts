/** Every answer of a source gives either the rates that it published or a fault with a reason. */
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { baseAndRatesSource } from '../../src/providers/rates/base-and-rates.js';
import { ecbSource } from '../../src/providers/rates/ecb.js';
import type { RateSource, RateSourceFaultReason } from '../../src/rates/sources/rate-source.js';
import { expectFault, fetchNew, neverAborted, useRateServer } from './rate-server.js';
import { ecbDocument, ecbDocumentWith, jsonWith, openExchangeRates } from './samples.js';

const server = useRateServer();

/** A document of this size that repeats a fragment between a beginning and an end. */
function filled(begin: string, shape: string, end: string, bytes: number): [shape: string, document: string] {
  const room = bytes - begin.length - end.length;
  return [shape, `${begin}${shape.repeat(room / shape.length)}${end}`];
}

const largestXml = ['<a>', '<a b="', '<', '\n<b/>', '<b c="d"/>', '&a;', '<!-- -->', 'a ', ' ', '<?a?>'].map((shape) =>
  filled('<gesmes:Envelope>', shape, '</gesmes:Envelope>', 16 * 1024),
);
const largestJson = [
  filled('', '[', '', 256 * 1024),
  filled('', '{"a":', '', 256 * 1024),
  filled('{"a":"', '\\u0041', '"}', 256 * 1024),
  filled('[', '1e1,', '1]', 256 * 1024),
  filled('[', '{"a":1},', '1]', 256 * 1024),
  filled('{"a":', '1', '}', 256 * 1024),
];

const kinds: [kind: string, source: () => RateSource, good: string, largest: [string, string][]][] = [
  ['ecb', () => ecbSource({ address: server.address }), ecbDocument, largestXml],
  ['json', () => baseAndRatesSource({ name: 'json-1', address: server.address }), openExchangeRates, largestJson],
];

describe.each(kinds)('a source of the kind %s', (_kind, source, good, largest) => {
  const documents: [what: string, body: string | Uint8Array, reason: RateSourceFaultReason][] = [
    ['an empty text', '', 'malformed'],
    ['white space', ' \n\t ', 'malformed'],
    ['a web page', '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>', 'malformed'],
    ['a web page that is XML', '<html><body><p>Soon back.</p></body></html>', 'malformed'],
    ['NaN', 'NaN', 'malformed'],
    ['null', 'null', 'malformed'],
    ['a list', '[]', 'malformed'],
    ['an empty object', '{}', 'malformed'],
    ['zero bytes', new Uint8Array(1000), 'malformed'],
    ['gzip without a content-encoding', gzipSync(good), 'malformed'],
    ['UTF-16', Buffer.from(`\uFEFF${good}`, 'utf16le'), 'malformed'],
    ['Latin-1', Buffer.from(good.replace('e', 'é'), 'latin1'), 'malformed'],
    ['10 MB', good + ' '.repeat(10_000_000), 'too_large'],
    ['half of a document', good.slice(0, good.length / 2), 'malformed'],
    ['a document twice', good + good, 'malformed'],
  ];

  it.each(documents)('is refused when it answers %s', async (_what, body, reason) => {
    server.answer(body);
    await expectFault(() => source().fetch({}, neverAborted), reason);
  });

  it('is accepted with any content type when it answers a valid document', async () => {
    server.answer(good, { 'content-type': 'text/html; charset=iso-8859-1' });
    expect((await fetchNew(source())).rates.size).toBeGreaterThan(3);
  });

  it('is refused before they are read when it answers ten million compressed zeros', async () => {
    server.answer(gzipSync(Buffer.alloc(10_000_000, '0')), { 'content-encoding': 'gzip' });
    await expectFault(() => source().fetch({}, neverAborted), 'encoded');
  });

  it('does not block the process with the largest documents that are read', async () => {
    for (const [shape, document] of largest) {
      server.answer(document);
      const startedAt = performance.now();
      await expectFault(() => source().fetch({}, neverAborted), 'malformed');
      expect(performance.now() - startedAt, shape).toBeLessThan(5000);
    }
  });
});

describe('XML with declarations', () => {
  const withDeclaration = (declaration: string, rate: string) =>
    ecbDocumentWith(`<Cube currency='USD' rate='${rate}'/>`).replace('?>', `?>${declaration}`);
  const laughs = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`);

  it.each([
    ['a billion laughs', `<!DOCTYPE l [<!ENTITY l0 "1">${laughs.join('')}]>`, '&l9;'],
    ['a declared entity', '<!DOCTYPE e [<!ENTITY e "1.5">]>', '&e;'],
    ['an external type', '<!DOCTYPE e SYSTEM "http://127.0.0.1:1/e.dtd">', '1.5'],
    ['a type in lower case', '<!doctype e>', '1.5'],
    ['an unused entity', '<!DOCTYPE e [<!ENTITY e "1.5">]>', '1.5'],
  ])('is refused before it is parsed: %s', async (_what, declaration, rate) => {
    server.answer(withDeclaration(declaration, rate));
    await expectFault(() => ecbSource({ address: server.address }).fetch({}, neverAborted), 'malformed');
  });

  it('never causes a request to another server', async () => {
    const requestedPaths: string[] = [];
    const other = createServer((request, response) => {
      requestedPaths.push(request.url ?? '');
      response.end('1.5');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    server.answer(withDeclaration(`<!DOCTYPE e [<!ENTITY e SYSTEM "http://127.0.0.1:${port}/rate">]>`, '&e;'));
    await expectFault(() => ecbSource({ address: server.address }).fetch({}, neverAborted), 'malformed');
    await new Promise((resolve) => other.close(resolve));
    expect(requestedPaths).toEqual([]);
  });
});

describe('JSON that tries to change prototypes is refused when it', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('names %s as a currency', async (name) => {
    server.answer(jsonWith(`{"EUR":0.85,"${name}":1.5}`));
    const source = baseAndRatesSource({ name: 'json-1', address: server.address });
    await expectFault(() => source.fetch({}, neverAborted), 'malformed');
  });

  it('names __proto__ at the top', async () => {
    server.answer('{"__proto__":{"timestamp":1776081600,"base":"USD"},"rates":{"EUR":0.85}}');
    const source = baseAndRatesSource({ name: 'json-1', address: server.address });
    await expectFault(() => source.fetch({}, neverAborted), 'malformed');
    expect({}).not.toHaveProperty('base');
  });
});
