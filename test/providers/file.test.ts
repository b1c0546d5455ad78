/** Rates from a file: both formats, reading again after a change, and faults. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileSource } from '../../src/providers/rates/file.js';
import { newFolder } from '../harness/new-folder.js';
import { expectFault, fetchNew, neverAborted } from './rate-server.js';

const folder = newFolder();
let count = 0;

function sourceOf(content: string | Uint8Array, extension: 'json' | 'csv') {
  count += 1;
  const path = join(folder, `rates-${count}.${extension}`);
  writeFileSync(path, content);
  return { path, source: fileSource({ name: 'file-1', path }) };
}

const json =
  '{"base":"USD","publishedAt":"2026-04-13T14:00:00Z","rates":{"NGN":1379.5000000000000001,"KES":"129.20","BTC":1.3e-5}}';
const header = 'base,publishedAt,currency,rate\n';
const csv = `${header}USD,2026-04-13,NGN,1379.5\nUSD,2026-04-13,KES,129.20\n`;

describe('a rate file', () => {
  it('is read in JSON with every digit', async () => {
    const { base, publishedAt, rates } = await fetchNew(sourceOf(json, 'json').source);
    expect([base, publishedAt.toISOString()]).toEqual(['USD', '2026-04-13T14:00:00.000Z']);
    expect([...rates]).toEqual([
      ['NGN', '1379.5000000000000001'],
      ['KES', '129.20'],
      ['BTC', '0.000013'],
    ]);
  });

  it.each([
    ['plain', csv],
    ['from a spreadsheet', `\uFEFF${csv.replaceAll('\n', '\r\n').replaceAll(/[^,\r\n\uFEFF]+/g, '"$&"')}\r\n`],
  ])('is read in CSV: %s', async (_what, text) => {
    const { base, publishedAt, rates } = await fetchNew(sourceOf(text, 'csv').source);
    expect([base, publishedAt.toISOString()]).toEqual(['USD', '2026-04-13T00:00:00.000Z']);
    expect([...rates]).toEqual([
      ['NGN', '1379.5'],
      ['KES', '129.20'],
    ]);
  });

  it('is read again when its time changed, and only then', async () => {
    const { path, source } = sourceOf(csv, 'csv');
    const { validators } = await fetchNew(source);
    expect(await source.fetch(validators, neverAborted)).toBeUndefined();
    utimesSync(path, 1_776_000_000, 1_776_000_000);
    expect(await source.fetch(validators, neverAborted)).toBeDefined();
  });

  it('counts as changed until its reading is recorded', async () => {
    const { path, source } = sourceOf(csv, 'csv');
    await fetchNew(source);
    expect(await source.hasChanged?.()).toBe(true);
    await fetchNew(source);
    source.recorded?.();
    expect(await source.hasChanged?.()).toBe(false);
    utimesSync(path, 1_776_000_000, 1_776_000_000);
    expect(await source.hasChanged?.()).toBe(true);
  });

  it('is read again when another file with the same time and size replaces it', async () => {
    const { path, source } = sourceOf(csv, 'csv');
    const replacement = sourceOf(csv.replace('1379.5', '1380.5'), 'csv').path;
    for (const file of [path, replacement]) utimesSync(file, 1_776_000_000, 1_776_000_000);
    const { validators } = await fetchNew(source);
    renameSync(replacement, path);
    const published = await source.fetch(validators, neverAborted);
    expect(published?.rates.get('NGN')).toBe('1380.5');
  });
});

describe('a rate file with a fault', () => {
  it.each([
    ['a missing header', csv.slice(header.length)],
    ['another header', csv.replace('currency', 'code')],
    ['a line that is too short', `${csv}USD,2026-04-13,GHS\n`],
    ['a decimal comma', `${csv}USD,2026-04-13,GHS,10,9\n`],
    ['two bases', `${csv}EUR,2026-04-13,GHS,10.9\n`],
    ['two times', `${csv}USD,2026-04-12,GHS,10.9\n`],
    ['a currency twice', `${csv}USD,2026-04-13,NGN,1379.5\n`],
    ['a prototype as a currency', `${csv}USD,2026-04-13,__proto__,1379.5\n`],
    ['an invalid time', csv.replaceAll('2026-04-13', 'yesterday')],
    ['being empty', ''],
  ])('is refused in CSV for %s', async (_what, text) => {
    await expectFault(() => fetchNew(sourceOf(text, 'csv').source), 'malformed');
  });

  it.each([
    ['no base', json.replace('base', 'bass')],
    ['a time without a zone', json.replace('00Z', '00')],
    ['no rates', json.replace('rates', 'rats')],
    ['a time that is a number', json.replace('"2026-04-13T14:00:00Z"', '1776081600')],
    ['being incomplete', json.slice(0, 60)],
    ['Latin-1', Buffer.from(json.replace('NGN', 'ÑGN'), 'latin1')],
  ])('is refused in JSON for %s', async (_what, content) => {
    await expectFault(() => fetchNew(sourceOf(content, 'json').source), 'malformed');
  });

  it.each(['0', '-1', 'NaN', '1e5', ''])('is refused in CSV for the rate %j', async (figure) => {
    const { source } = sourceOf(`${csv}USD,2026-04-13,GHS,${figure}\n`, 'csv');
    await expectFault(() => fetchNew(source), 'bad_rate');
  });

  it('is refused when it has no rates', async () => {
    await expectFault(() => fetchNew(sourceOf(header, 'csv').source), 'no_rates');
    await expectFault(
      () => fetchNew(sourceOf('{"base":"USD","publishedAt":"2026-04-13","rates":{}}', 'json').source),
      'no_rates',
    );
  });

  it('is refused when it is larger than 256 KiB', async () => {
    await expectFault(() => fetchNew(sourceOf(Buffer.alloc(256 * 1024 + 1, ' '), 'json').source), 'too_large');
  });

  it('is refused when it is missing, a folder, or a pipe without a writer', async () => {
    const unreadable = (path: string) =>
      expectFault(() => fetchNew(fileSource({ name: 'file-1', path })), 'unreadable');
    await unreadable(join(folder, 'missing.json'));
    mkdirSync(join(folder, 'folder.json'));
    await unreadable(join(folder, 'folder.json'));
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe.json')]);
    await unreadable(join(folder, 'pipe.json'));
  });
});
