/** The setting RATE_SOURCES. */
import { describe, expect, it } from 'vitest';
import { readRateSourceEntries } from '../../src/config/rate-source-entries.js';
import { rateSourcesOf } from '../../src/providers/rates/configured.js';
import { fetchNew, secret, useRateServer } from './rate-server.js';
import { ecbDocument, fixer } from './samples.js';

const server = useRateServer();

const sourcesOf = (setting: string) => rateSourcesOf(readRateSourceEntries(setting).entries);

describe('the rate sources', () => {
  it('keep the order of the setting, each with its own name and age limit', () => {
    const setting = `ecb, json=https://a.example/latest?key=${secret},json=http://b.example/,file=/etc/remesa/rates.json,file=/etc/remesa/b.csv,ecb=https://mirror.example/daily.xml,snapshot`;
    expect(sourcesOf(setting).map(({ name, ageLimitBusinessDays }) => [name, ageLimitBusinessDays])).toEqual([
      ['ecb', 4],
      ['json-1', 2],
      ['json-2', 2],
      ['file-1', 5],
      ['file-2', 5],
      ['ecb-2', 4],
      ['sandbox-snapshot', Number.POSITIVE_INFINITY],
    ]);
  });

  it('request the configured address with its query', async () => {
    const [ecb, json] = sourcesOf(`ecb=${server.address},json=${server.address}&a=b=c`);
    if (typeof ecb !== 'object' || typeof json !== 'object') throw new Error('not two sources');
    server.answer(ecbDocument);
    expect((await fetchNew(ecb)).rates.get('USD')).toBe('1.1684');
    server.answer(fixer);
    expect((await fetchNew(json)).rates.get('NGN')).toBe('1612.000001');
    expect(server.requests.map(({ url }) => url)).toEqual([
      `/latest?app_id=${secret}`,
      `/latest?app_id=${secret}&a=b=c`,
    ]);
  });
});

describe('a faulty setting', () => {
  it.each([
    ['', 1, 'is none of'],
    ['ecb,', 2, 'is none of'],
    ['oecd', 1, 'is none of'],
    ['ECB', 1, 'is none of'],
    ['toString', 1, 'is none of'],
    [`json=https://a.example/?symbols=EUR,GBP&app_id=${secret}`, 2, 'written %2C'],
    ['ecb,json', 2, 'needs an address'],
    ['json=', 1, 'needs an address'],
    [`json=ftp://a.example/${secret}`, 1, 'needs an address'],
    [`json=https://${secret}:x@:80/`, 1, 'needs an address'],
    ['ecb=/etc/rates.xml', 1, 'needs an address'],
    [`ecb=file:///${secret}`, 1, 'needs an address'],
    ['file', 1, 'absolute path'],
    ['file=rates.json', 1, 'absolute path'],
    ['snapshot=2025', 1, 'just snapshot'],
    ['snapshot,ecb,snapshot', 3, 'a second time'],
  ])('%j is refused with the number of the entry, without its text', (setting, entry, words) => {
    const [fault] = readRateSourceEntries(setting).faults;
    expect(fault).toMatch(new RegExp(`^entry ${entry} .*${words}`));
    expect(fault).not.toContain(secret);
  });

  it('reports every faulty entry and no valid one', () => {
    const { entries, faults } = readRateSourceEntries('foo,ecb,bar,file=rates.csv');
    expect(faults.map((fault) => fault.split(' ').slice(0, 4).join(' '))).toEqual([
      'entry 1 is none',
      'entry 3 is none',
      'entry 4 needs the',
    ]);
    expect(entries.map(({ kind }) => kind)).toEqual(['ecb']);
  });
});
