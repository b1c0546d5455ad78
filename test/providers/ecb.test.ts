/** The euro reference rates: the real format is read, everything else is refused. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rateFromLiteral } from '../../src/money/rate.js';
import { ecbSource, readEcbDocument } from '../../src/providers/rates/ecb.js';
import { expectFault, fetchNew, neverAborted, useRateServer } from './rate-server.js';
import { ecbDocument, ecbDocumentWith } from './samples.js';

const server = useRateServer();
const read = (text: string) => readEcbDocument(Buffer.from(text));
const history = new URL('ecb-reference-rates.csv', import.meta.url);

describe('the daily document', () => {
  it('is read as rates of the euro, with the digits as they are written', async () => {
    server.answer(ecbDocument, { 'content-type': 'text/xml' });
    const published = await fetchNew(ecbSource({ address: server.address }));
    expect(published.base).toBe('EUR');
    expect(published.publishedAt.toISOString()).toBe('2026-04-13T14:00:00.000Z');
    expect([...published.rates]).toEqual([
      ['USD', '1.1684'],
      ['JPY', '186.75'],
      ['GBP', '0.87058'],
      ['HUF', '366.90'],
      ['IDR', '20082.05'],
    ]);
  });

  it('is not downloaded again while it has not changed', async () => {
    server.listener = (request, response) =>
      request.headers['if-none-match']
        ? response.writeHead(304).end()
        : response.writeHead(200, { etag: 'W/"1"' }).end(ecbDocument);
    const source = ecbSource({ address: server.address });
    const { validators } = await fetchNew(source);
    expect(await source.fetch(validators, neverAborted)).toBeUndefined();
  });

  it('may have a byte order mark, comments, and double quotes', () => {
    const text = `\uFEFF${ecbDocument.replaceAll("'", '"').replace('<Cube>', '<!-- daily --><Cube>')}\n`;
    expect(read(text).rates.get('USD')).toBe('1.1684');
  });

  it('may have an old date and unusual rates, which are checked later', () => {
    const old = read(ecbDocumentWith("<Cube currency='USD' rate='116.84'/>", "time='1999-01-04'"));
    expect(old.publishedAt.toISOString()).toBe('1999-01-04T15:00:00.000Z');
    expect(old.rates.get('USD')).toBe('116.84');
  });

  it('is read exactly for days with other currencies', () => {
    const [header = '', ...lines] = readFileSync(history, 'utf8').trim().split('\n');
    const currencies = header.split(',').slice(1);
    for (const line of lines) {
      const [day, ...figures] = line.split(',');
      const listed = currencies
        .map((currency, index) => [currency, figures[index] ?? ''] as const)
        .filter(([currency, figure]) => currency !== '' && figure !== '' && figure !== 'N/A');
      const cubes = listed.map(([currency, rate]) => `<Cube currency='${currency}' rate='${rate}'/>`);
      const published = read(ecbDocumentWith(cubes.join('\n'), `time='${day}'`));
      expect([...published.rates]).toEqual(listed);
      for (const figure of published.rates.values()) expect(rateFromLiteral(figure)).not.toHaveProperty('fault');
    }
    expect(lines).toHaveLength(11);
  });
});

const usd = "<Cube currency='USD' rate='1.1684'/>";

describe('the daily document with a fault', () => {
  it.each([
    ['zero', '0'],
    ['zero with decimals', '0.0000'],
    ['negative', '-1.1684'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['an exponent', '1.1684e0'],
    ['an empty text', ''],
    ['N/A', 'N/A'],
    ['a decimal comma', '1,1684'],
    ['a sign', '+1.1684'],
    ['spaces', ' 1.1684 '],
    ['hexadecimal', '0x1'],
    ['leading zeros', '01.1684'],
    ['no digit before the point', '.5'],
    ['no digit after the point', '5.'],
    ['other digits', '١.٢'],
    ['a character reference', '&#49;.1684'],
    ['more digits than money reads', `1.${'1'.repeat(40)}`],
  ])('is refused for a rate that is %s', async (_what, figure) => {
    const cubes = `<Cube currency='GBP' rate='0.87058'/><Cube currency='USD' rate='${figure}'/>`;
    await expectFault(() => read(ecbDocumentWith(cubes)), 'bad_rate');
  });

  it.each(['', 'usd', 'US', 'USDX', '840', 'US1', ' USD', '__proto__', 'constructor', 'ÜSD'])(
    'is refused for a rate of %j, which is not a currency',
    async (code) => {
      await expectFault(() => read(ecbDocumentWith(`<Cube currency='${code}' rate='1.5'/>`)), 'malformed');
    },
  );

  it.each([
    ['a currency twice', ecbDocumentWith(`${usd}<Cube currency='USD' rate='1.1685'/>`)],
    ['an attribute twice', ecbDocumentWith("<Cube currency='USD' rate='1.1' rate='1.2'/>")],
    ['an attribute that may change the rate', ecbDocumentWith("<Cube currency='HUF' rate='1' multiplier='100'/>")],
    ['a currency without a name', ecbDocumentWith("<Cube rate='1.5'/>")],
    ['a text instead of a rate', ecbDocumentWith("<Cube currency='USD'>1.5</Cube>")],
    ['no day', ecbDocumentWith(usd, '')],
    ['an empty day', ecbDocumentWith(usd, "time=''")],
    ['a day that does not exist', ecbDocumentWith(usd, "time='2026-02-31'")],
    ['a day with its month spelled out', ecbDocumentWith(usd, "time='13 April 2026'")],
    ['two days', ecbDocumentWith(usd).replace('</Cube></Cube>', "</Cube><Cube time='2026-04-10'/></Cube>")],
    ['two envelopes', ecbDocument + ecbDocument.replace(/^.*\n/, '')],
    ['text after its end', `${ecbDocument}rate`],
    ['no envelope', '<rates><Cube/></rates>'],
    ['an envelope of something else', '<Envelope><Body/></Envelope>'],
    ['an element named like a prototype', ecbDocument.replace('<Cube>', '<__proto__/><Cube>')],
    ['another encoding declared', ecbDocument.replace('UTF-8', 'ISO-8859-1')],
  ])('is refused for %s', async (_what, text) => {
    await expectFault(() => read(text), 'malformed');
  });

  it('is refused for a currency without a rate', async () => {
    await expectFault(() => read(ecbDocumentWith("<Cube currency='USD'/>")), 'bad_rate');
  });

  it('is refused for having no rates', async () => {
    await expectFault(() => read(ecbDocumentWith('')), 'no_rates');
  });

  it('is refused when it is incomplete, wherever it ends', async () => {
    for (let length = 0; length < ecbDocument.length; length += 1)
      await expectFault(() => read(ecbDocument.slice(0, length)), 'malformed');
  });
});
