/** Three JSON formats whose rates are read exactly. */
import { describe, expect, it } from 'vitest';
import { baseAndRatesSource, readBaseAndRates } from '../../src/providers/rates/base-and-rates.js';
import { expectFault, fetchNew, neverAborted, useRateServer } from './rate-server.js';
import { exchangeRateApi, fixer, jsonWith, openExchangeRates } from './samples.js';

const server = useRateServer();
const read = (text: string) => readBaseAndRates(Buffer.from(text));

describe('rates as JSON', () => {
  it('are read from Open Exchange Rates with every digit, without exponents and without the base', async () => {
    server.answer(openExchangeRates);
    const published = await fetchNew(baseAndRatesSource({ name: 'json-1', address: server.address }));
    expect(published.base).toBe('USD');
    expect(published.publishedAt.toISOString()).toBe('2026-04-13T12:00:00.000Z');
    expect([...published.rates]).toEqual([
      ['AED', '3.6725'],
      ['BTC', '0.000013478'],
      ['EUR', '0.855872'],
      ['VND', '26297.123456789012345'],
    ]);
  });

  it('are read from Fixer', () => {
    const { base, publishedAt, rates } = read(fixer);
    expect([base, publishedAt.toISOString()]).toEqual(['EUR', '2026-04-13T12:00:00.000Z']);
    expect([...rates]).toEqual([
      ['AED', '4.290949'],
      ['NGN', '1612.000001'],
    ]);
  });

  it('are read from ExchangeRate-API', () => {
    const { base, publishedAt, rates } = read(exchangeRateApi);
    expect([base, publishedAt.toISOString()]).toEqual(['USD', '2026-04-13T00:00:01.000Z']);
    expect([...rates]).toEqual([['KES', '129.2003']]);
  });

  it('are not downloaded again while they have not changed', async () => {
    server.listener = (request, response) =>
      request.headers['if-modified-since']
        ? response.writeHead(304).end()
        : response.writeHead(200, { 'last-modified': 'Mon, 13 Apr 2026 12:00:00 GMT' }).end(fixer);
    const source = baseAndRatesSource({ name: 'json-1', address: server.address });
    const { validators } = await fetchNew(source);
    expect(await source.fetch(validators, neverAborted)).toBeUndefined();
  });

  it('may have more entries than there are currencies', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((first) => letters.slice(0, 8).map((last) => `X${first}${last}`));
    const { rates } = read(jsonWith(JSON.stringify(Object.fromEntries(codes.map((code) => [code, 1.5])))));
    expect(rates.size).toBe(208);
  });
});

describe('rates as JSON with a fault', () => {
  it.each([
    '0',
    '0.0',
    '0e5',
    '-0',
    '-1.5',
    '1e99',
    '1e-99',
    '1e400',
    'null',
    'true',
    '"NaN"',
    '""',
    '[1]',
    '{"mid":1}',
  ])('are refused for the rate %s', async (figure) => {
    await expectFault(() => read(jsonWith(`{"GBP":0.75,"EUR":${figure}}`)), 'bad_rate');
  });

  it.each([
    ['a number that JSON does not allow', jsonWith('{"EUR":NaN}')],
    ['a currency twice', jsonWith('{"EUR":0.85,"EUR":0.86}')],
    ['a currency twice, once with an escape sequence', jsonWith('{"EUR":0.85,"\\u0045UR":0.86}')],
    ['a base that is not 1', jsonWith('{"EUR":0.85,"USD":1.1}')],
    ['a currency in lower case', jsonWith('{"eur":0.85}')],
    ['rates in a list', jsonWith('[0.85]')],
    ['rates as a text', jsonWith('"EUR"')],
    ['no rates member', '{"timestamp":1776081600,"base":"USD"}'],
    ['two rates members', '{"timestamp":1776081600,"base":"USD","rates":{"EUR":1.5},"conversion_rates":{"EUR":2.5}}'],
    ['no time', '{"base":"USD","rates":{"EUR":0.85}}'],
    ['a time in milliseconds', '{"timestamp":1776081600000,"base":"USD","rates":{"EUR":0.85}}'],
    ['a time as a text', '{"timestamp":"1776081600","base":"USD","rates":{"EUR":0.85}}'],
    ['a time of zero', '{"timestamp":0,"base":"USD","rates":{"EUR":0.85}}'],
    ['no base', '{"timestamp":1776081600,"rates":{"EUR":0.85}}'],
    ['a base that is not a currency', '{"timestamp":1776081600,"base":"dollar","rates":{"EUR":0.85}}'],
  ])('are refused for %s', async (_what, text) => {
    await expectFault(() => read(text), 'malformed');
  });

  it.each(['{}', '{"USD":1}'])('are refused for having no rate except that of the base: %s', async (rates) => {
    await expectFault(() => read(jsonWith(rates)), 'no_rates');
  });

  it.each([
    '{"success":false,"error":{"code":101,"type":"invalid_access_key","info":"k3y-0f-th3-0p3rat0r is wrong"}}',
    '{"result":"error","error-type":"invalid-key"}',
    '{"error":true,"status":401,"message":"invalid_app_id","description":"k3y-0f-th3-0p3rat0r"}',
    '{"success":"false","timestamp":1776081600,"base":"USD","rates":{"EUR":0.85}}',
  ])('are refused when the source reports an error with status 200: %s', async (text) => {
    await expectFault(() => read(text), 'refused');
  });

  it('are refused when they are incomplete, wherever they end', async () => {
    for (let length = 0; length < fixer.length; length += 1)
      await expectFault(() => read(fixer.slice(0, length)), 'malformed');
  });
});
