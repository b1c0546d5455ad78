/**
 * Reads the setting RATE_SOURCES, a list with the preferred source first:
 * `ecb, json=https://openexchangerates.org/api/latest.json?app_id=…, file=/etc/remesa/rates.csv`.
 */
import { isAbsolute } from 'node:path';

export type RateSourceEntry =
  /** Without an address, the official one is used. */
  | { readonly kind: 'ecb'; readonly name: string; readonly address: URL | undefined }
  | { readonly kind: 'json'; readonly name: string; readonly address: URL }
  | { readonly kind: 'file'; readonly name: string; readonly path: string }
  | { readonly kind: 'snapshot' };

export interface RateSourceEntries {
  readonly entries: readonly RateSourceEntry[];
  /** They name entries by number only, because an address may contain an API key. */
  readonly faults: readonly string[];
}

export function readRateSourceEntries(text: string): RateSourceEntries {
  const entries: RateSourceEntry[] = [];
  const faults: string[] = [];
  const countByKind = new Map<string, number>();
  for (const [index, entryText] of text.split(',').entries()) {
    const [kind, value] = kindAndValue(entryText.trim());
    const number = (countByKind.get(kind) ?? 0) + 1;
    countByKind.set(kind, number);
    const entry = readEntry(kind, value, number);
    if (typeof entry === 'string') faults.push(`entry ${index + 1} ${entry}`);
    else entries.push(entry);
  }
  return { entries, faults };
}

function kindAndValue(entryText: string): [kind: string, value: string | undefined] {
  const equals = entryText.indexOf('=');
  return equals === -1
    ? [entryText, undefined]
    : [entryText.slice(0, equals).trim(), entryText.slice(equals + 1).trim()];
}

/** Returns the entry, or a text that explains what is wrong with it. `number` counts the entries of one kind from 1. */
function readEntry(kind: string, value: string | undefined, number: number): RateSourceEntry | string {
  if (kind === 'ecb') return ecb(value, number);
  if (kind === 'json') return json(value, number);
  if (kind === 'file') return file(value, number);
  if (kind === 'snapshot') return snapshot(value, number);
  return 'is none of ecb, ecb=address, json=address, file=path, snapshot (a comma inside an address is written %2C)';
}

function ecb(value: string | undefined, number: number): RateSourceEntry | string {
  const name = number === 1 ? 'ecb' : `ecb-${number}`;
  if (value === undefined) return { kind: 'ecb', name, address: undefined };
  const address = webAddress(value);
  return address ? { kind: 'ecb', name, address } : missingAddress;
}

function json(value: string | undefined, number: number): RateSourceEntry | string {
  const address = webAddress(value ?? '');
  return address ? { kind: 'json', name: `json-${number}`, address } : missingAddress;
}

function file(value: string | undefined, number: number): RateSourceEntry | string {
  // The meaning of a relative path depends on the folder in which the service was started.
  if (value === undefined || !isAbsolute(value)) return 'needs the absolute path of a file after file=';
  return { kind: 'file', name: `file-${number}`, path: value };
}

function snapshot(value: string | undefined, number: number): RateSourceEntry | string {
  if (value !== undefined) return 'must be just snapshot';
  return number === 1 ? { kind: 'snapshot' } : 'names the snapshot a second time';
}

const missingAddress = 'needs an address that begins with https:// or http:// after the equals sign';

function webAddress(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}
