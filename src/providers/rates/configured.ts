/**
 * The rate sources that the operator names in RATE_SOURCES, the first to be asked first:
 * `ecb, json=https://openexchangerates.org/api/latest.json?app_id=…, file=/etc/remesa/rates.csv`.
 */
import { isAbsolute } from 'node:path';
import type { RateSource } from '../../rates/rate-source.js';
import { baseAndRatesSource } from './base-and-rates.js';
import { ecbSource } from './ecb.js';
import { fileSource } from './file.js';
import { sandboxSnapshot } from './snapshot.js';

/** What is wrong with the setting comes as a text. It names entries by number only: an address may hold a key. */
export function rateSourcesOf(settingText: string): RateSource[] | string {
  const sources: RateSource[] = [];
  const countByKind = new Map<string, number>();
  for (const [index, entry] of settingText.split(',').entries()) {
    const [kind, value] = kindAndValue(entry.trim());
    const count = (countByKind.get(kind) ?? 0) + 1;
    countByKind.set(kind, count);
    const source = sourceOf(kind, value, count);
    if (typeof source === 'string') return `entry ${index + 1} ${source}`;
    sources.push(source);
  }
  return sources;
}

function kindAndValue(entry: string): [kind: string, value: string | undefined] {
  const equals = entry.indexOf('=');
  return equals === -1 ? [entry, undefined] : [entry.slice(0, equals).trim(), entry.slice(equals + 1).trim()];
}

function sourceOf(kind: string, value: string | undefined, count: number): RateSource | string {
  if (kind === 'ecb') return ecb(value, count);
  if (kind === 'json') return json(value, count);
  if (kind === 'file') return file(value, count);
  if (kind === 'snapshot') return snapshot(value, count);
  return 'is none of ecb, ecb=address, json=address, file=path, snapshot (a comma inside an address is written %2C)';
}

function ecb(value: string | undefined, count: number): RateSource | string {
  const name = count === 1 ? 'ecb' : `ecb-${count}`;
  if (value === undefined) return ecbSource({ name });
  const address = webAddress(value);
  return address ? ecbSource({ name, address }) : noAddress;
}

function json(value: string | undefined, count: number): RateSource | string {
  const address = webAddress(value ?? '');
  return address ? baseAndRatesSource({ name: `json-${count}`, address }) : noAddress;
}

function file(value: string | undefined, count: number): RateSource | string {
  // Where a relative path leads depends on where the service was started.
  if (value === undefined || !isAbsolute(value)) return 'needs the absolute path of a file after file=';
  return fileSource({ name: `file-${count}`, path: value });
}

function snapshot(value: string | undefined, count: number): RateSource | string {
  if (value !== undefined) return 'must be just snapshot';
  return count === 1 ? sandboxSnapshot : 'names the snapshot a second time';
}

const noAddress = 'needs an address that begins with https:// or http:// after the equals sign';

function webAddress(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}
