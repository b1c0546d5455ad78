/** Whatever a source answers: rates that it published, or a fault with its reason. Never a rate made of anything else. */
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { baseAndRatesSource } from '../../src/providers/rates/base-and-rates.js';
import { ecbSource } from '../../src/providers/rates/ecb.js';
import type { RateSource, RateSourceFaultReason } from '../../src/rates/rate-source.js';
import { expectFault, fetchNew, useRateServer } from './rate-server.js';
import { ecbDocument, ecbDocumentWith, jsonWith, openExchangeRates } from './samples.js';

const server = useRateServer();
const kinds: [kind: string, source: () => RateSource, good: string][] = [
  ['ecb', () => ecbSource({ address: server.address }), ecbDocument],
  ['json', () => baseAndRatesSource({ name: 'json-1', address: server.address }), openExchangeRates],
];

describe.each(kinds)('a source of the kind %s', (kind, source, good) => {
  const documents: [what: string, body: string | Uint8Array, reason: RateSourceFaultReason][] = [
    ['nothing', '', 'malformed'],
    ['white space', ' \n\t ', 'malformed'],
    ['a web page', '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>', 'malformed'],
    ['a web page that is XML', '<html><body><p>Soon back.</p></body></html>', 'malformed'],
    ['NaN', 'NaN', 'malformed'],
    ['null', 'null', 'malformed'],
    ['a list', '[]', 'malformed'],
    ['an empty object', '{}', 'malformed'],
    ['zero bytes', new Uint8Array(1000), 'malformed'],
    ['what gzip makes, undeclared', gzipSync(good), 'malformed'],
    ['UTF-16', Buffer.from(`\uFEFF${good}`, 'utf16le'), 'malformed'],
    ['Latin-1', Buffer.from(good.replace('e', 'é'), 'latin1'), 'malformed'],
    ['10 MB', good + ' '.repeat(10_000_000), 'too_large'],
    ['half of it', good.slice(0, good.length / 2), 'malformed'],
    ['it twice', good + good, 'malformed'],
  ];

  it.each(documents)('that answers %s is refused', async (_what, body, reason) => {
    server.answer(body);
    await expectFault(() => source().fetch({}, new AbortController().signal), reason);
  });

  it('that answers what it should is believed, whatever it calls it', async () => {
    server.answer(good, { 'content-type': 'text/html; charset=iso-8859-1' });
    expect((await fetchNew(source())).rates.size).toBeGreaterThan(3);
  });

  it('that answers ten million compressed zeros is refused unread', async () => {
    server.answer(gzipSync(Buffer.alloc(10_000_000, '0')), { 'content-encoding': 'gzip' });
    await expectFault(() => source().fetch({}, new AbortController().signal), 'encoded');
  });

  it('does not hold the process up with the largest document it reads', async () => {
    const bytes = kind === 'ecb' ? 65_000 : 2_000_000;
    const shapes = ['<a>', '<a b="', '<', '{"a":', '[', '"\\u0041', '1e1', '\n<b/>', '&a;', '{"a":1,'];
    for (const shape of shapes) {
      server.answer(good.replace('>', `>${shape.repeat(bytes / shape.length)}`).slice(0, bytes));
      const begin = performance.now();
      await expectFault(() => source().fetch({}, new AbortController().signal), 'malformed');
      expect(performance.now() - begin, shape).toBeLessThan(5000);
    }
  });
});

describe('XML with declarations', () => {
  const withDeclaration = (declaration: string, rate: string) =>
    ecbDocumentWith(`<Cube currency='USD' rate='${rate}'/>`).replace('?>', `?>${declaration}`);
  const laughs = Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
  );

  it.each([
    ['a billion laughs', `<!DOCTYPE l [<!ENTITY l0 "1">${laughs.join('')}]>`, '&l9;'],
    ['an entity of its own', '<!DOCTYPE e [<!ENTITY e "1.5">]>', '&e;'],
    ['an external type', '<!DOCTYPE e SYSTEM "http://127.0.0.1:1/e.dtd">', '1.5'],
    ['a type in small letters', '<!doctype e>', '1.5'],
    ['an unused entity', '<!DOCTYPE e [<!ENTITY e "1.5">]>', '1.5'],
  ])('is refused unread: %s', async (_what, declaration, rate) => {
    server.answer(withDeclaration(declaration, rate));
    await expectFault(
      () => ecbSource({ address: server.address }).fetch({}, AbortSignal.any([])),
      'malformed',
    );
  });

  it('never makes us ask another server', async () => {
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('1.5');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    server.answer(
      withDeclaration(`<!DOCTYPE e [<!ENTITY e SYSTEM "http://127.0.0.1:${port}/rate">]>`, '&e;'),
    );
    await expectFault(
      () => ecbSource({ address: server.address }).fetch({}, AbortSignal.any([])),
      'malformed',
    );
    await new Promise((resolve) => other.close(resolve));
    expect(asked).toEqual([]);
  });
});

describe('JSON by which nothing is left of the prototypes', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'names %s as a currency',
    async (name) => {
      server.answer(jsonWith(`{"EUR":0.85,"${name}":1.5}`));
      const source = baseAndRatesSource({ name: 'json-1', address: server.address });
      await expectFault(() => source.fetch({}, AbortSignal.any([])), 'malformed');
    },
  );

  it('names __proto__ at the top', async () => {
    server.answer('{"__proto__":{"timestamp":1776081600,"base":"USD"},"rates":{"EUR":0.85}}');
    const source = baseAndRatesSource({ name: 'json-1', address: server.address });
    await expectFault(() => source.fetch({}, AbortSignal.any([])), 'malformed');
    expect({}).not.toHaveProperty('base');
  });
});
