/**
 * What the operator writes into RATE_SOURCES, the preferred source first:
 * `ecb, json=https://openexchangerates.org/api/latest.json?app_id=…, file=/etc/remesa/rates.csv`.
 */
import { isAbsolute } from 'node:path';

export type RateSourceEntry =
  /** Without an address: the official one. */
  | { readonly kind: 'ecb'; readonly name: string; readonly address: URL | undefined }
  | { readonly kind: 'json'; readonly name: string; readonly address: URL }
  | { readonly kind: 'file'; readonly name: string; readonly path: string }
  | { readonly kind: 'snapshot' };

export interface RateSourceEntries {
  readonly entries: readonly RateSourceEntry[];
  /** All of them. They name entries by number only: an address may hold a key. */
  readonly faults: readonly string[];
}

export function readRateSourceEntries(text: string): RateSourceEntries {
  const entries: RateSourceEntry[] = [];
  const faults: string[] = [];
  const countByKind = new Map<string, number>();
  for (const [index, written] of text.split(',').entries()) {
    const [kind, value] = kindAndValue(written.trim());
    const count = (countByKind.get(kind) ?? 0) + 1;
    countByKind.set(kind, count);
    const entry = entryOf(kind, value, count);
    if (typeof entry === 'string') faults.push(`entry ${index + 1} ${entry}`);
    else entries.push(entry);
  }
  return { entries, faults };
}

function kindAndValue(written: string): [kind: string, value: string | undefined] {
  const equals = written.indexOf('=');
  return equals === -1
    ? [written, undefined]
    : [written.slice(0, equals).trim(), written.slice(equals + 1).trim()];
}

/** A text says what is wrong. */
function entryOf(kind: string, value: string | undefined, count: number): RateSourceEntry | string {
  if (kind === 'ecb') return ecb(value, count);
  if (kind === 'json') return json(value, count);
  if (kind === 'file') return file(value, count);
  if (kind === 'snapshot') return snapshot(value, count);
  return 'is none of ecb, ecb=address, json=address, file=path, snapshot (a comma inside an address is written %2C)';
}

function ecb(value: string | undefined, count: number): RateSourceEntry | string {
  const name = count === 1 ? 'ecb' : `ecb-${count}`;
  if (value === undefined) return { kind: 'ecb', name, address: undefined };
  const address = webAddress(value);
  return address ? { kind: 'ecb', name, address } : noAddress;
}

function json(value: string | undefined, count: number): RateSourceEntry | string {
  const address = webAddress(value ?? '');
  return address ? { kind: 'json', name: `json-${count}`, address } : noAddress;
}

function file(value: string | undefined, count: number): RateSourceEntry | string {
  // Where a relative path leads depends on where the service was started.
  if (value === undefined || !isAbsolute(value)) return 'needs the absolute path of a file after file=';
  return { kind: 'file', name: `file-${count}`, path: value };
}

function snapshot(value: string | undefined, count: number): RateSourceEntry | string {
  if (value !== undefined) return 'must be just snapshot';
  return count === 1 ? { kind: 'snapshot' } : 'names the snapshot a second time';
}

const noAddress = 'needs an address that begins with https:// or http:// after the equals sign';

function webAddress(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}
