/**
 * Requests at the bounds of what is allowed, and beyond them, for any declared route. The same ones for the same seed.
 */
import type { Route } from '../../src/http/route.js';
import { requestFor } from '../access/route-requests.js';
import type { Ask } from '../harness/api.js';
import { adversarialFields, adversarialForms, adversarialJson } from '../http/adversarial.js';

export interface FuzzRequest extends Ask {
  readonly method: string;
  readonly path: string;
}

/** Numbers from a seed (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** At least 0, less than `bound`. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  /** One time in `times`. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }
}

const digits = '9'.repeat(60_000);
const lengths = [0, 1, 64, 120, 128, 129, 200, 201, 255, 256, 2000, 2001, 40_000];
const texts = [
  ...lengths.map((length) => 'x'.repeat(length)),
  ' ',
  '\u0000',
  '\ud800',
  '😀'.repeat(100),
  '\u202eevil',
  'é'.repeat(200),
  '__proto__',
  'constructor',
  "'; DROP TABLE users; --",
  '%00',
  '../../etc/passwd',
  '2026-02-30T25:61:61Z',
  '1e400',
  'http://127.0.0.1:9/x',
  `http://${'a'.repeat(2000)}\\`,
  'a@b.c',
  `kyc_${'0'.repeat(26)}`,
  `evt_${'Z'.repeat(26)}`,
];
const values: readonly unknown[] = [
  ...texts,
  null,
  true,
  0,
  -1,
  0.1 + 0.2,
  1e21,
  Number.MAX_SAFE_INTEGER + 1,
  [],
  {},
  [[[[[[]]]]]],
  Array.from({ length: 2000 }, () => 1),
  { a: { b: { c: 1 } } },
];
const names = ['', 'x', '__proto__x', 'constructor', 'k'.repeat(128), 'k'.repeat(129), 'é', 'a.b/c~d', '0'];
const sizes = [100, 4096, 65_536, 65_537];

export function fuzzRequest(route: Route, dice: Dice): FuzzRequest {
  const usual = requestFor(route);
  const headers: Record<string, string> = {};
  for (const field of ['accept-encoding', 'accept-language', 'x-forwarded-for', 'x-request-id', 'cookie'])
    if (dice.oneIn(12)) headers[field] = fieldText(dice);
  if (dice.oneIn(4))
    headers['idempotency-key'] = dice.of(['k', '"k"', 'k'.repeat(255), 'k'.repeat(256), fieldText(dice)]);
  // A path that fits into the header; what does not never gets to a route.
  const fuzzed = pathOf(usual.path, dice);
  const path = fuzzed.length < 6000 ? fuzzed : usual.path;
  if (route.method === 'GET') return { method: dice.oneIn(10) ? 'HEAD' : 'GET', path, headers };
  return { method: route.method, path, ...bodyOf(route, usual.body, dice, headers) };
}

function fieldText(dice: Dice): string {
  return dice
    .of(adversarialFields(dice.of([20, 300, 1500])))[1]
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim();
}

/** Keeps the words of the route; changes what stands for its parameters, and the query. */
function pathOf(usual: string, dice: Dice): string {
  const [path = '', search = ''] = usual.split('?');
  const changed = path
    .split('/')
    .map((part) => (part === 'unknown' && dice.oneIn(2) ? encodeURIComponent(pathText(dice)) : part))
    .join('/');
  const query = new URLSearchParams(search);
  for (const name of [...query.keys()]) if (dice.oneIn(3)) query.set(name, wellFormed(dice.of(texts)).slice(0, 4000));
  for (const name of ['userId', 'externalClientId', 'limit', 'after', 'lang', 'x'])
    if (dice.oneIn(10))
      query.append(name, dice.of(['1', '0', '-1', '9'.repeat(400), wellFormed(dice.of(texts)).slice(0, 2000)]));
  return query.size > 0 ? `${changed}?${query}` : changed;
}

/** Never empty and no dots alone: those would be another path. */
function pathText(dice: Dice): string {
  const text = wellFormed(dice.of(texts)).slice(0, 4000);
  return /^\.*$/.test(text) ? 'x' : text;
}

function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function bodyOf(route: Route, usual: unknown, dice: Dice, headers: Record<string, string>): Ask {
  if (dice.oneIn(15)) headers['content-encoding'] = dice.of(['identity', 'gzip', 'br']);
  const isForm = route.protocol === 'oauth' && dice.oneIn(2);
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  headers['content-type'] = dice.oneIn(15)
    ? dice.of([`${type}; charset=utf-16`, `${type};charset=utf-8`, 'text/plain', 'x', `${type};${'a=b;'.repeat(500)}`])
    : type;
  const text = isForm ? dice.of(adversarialForms(dice.of(sizes)))[1] : jsonText(usual, dice);
  return { text, headers };
}

function jsonText(usual: unknown, dice: Dice): string {
  if (dice.oneIn(4)) return dice.of(adversarialJson(dice.of(sizes)))[1];
  if (dice.oneIn(10)) return JSON.stringify(dice.of(values));
  const body: Record<string, unknown> = { ...(harmless(usual) as Record<string, unknown>) };
  const known = Object.keys(body);
  if (known.length > 0 && dice.oneIn(2)) body[dice.of(known)] = dice.of(values);
  if (known.length > 0 && dice.oneIn(3)) delete body[dice.of(known)];
  if (dice.oneIn(4)) body[dice.of(names)] = dice.of(values);
  if (known.length > 0 && dice.oneIn(6)) body[dice.of(known)] = '@digits';
  const text = JSON.stringify(body).replaceAll('"@digits"', digits);
  return dice.oneIn(10) ? text.replace('{', '{"x":1,"x":2,') : text;
}

/** The examples name hosts of the world; nothing here may be sent to them. */
function harmless(example: unknown): unknown {
  return JSON.parse(JSON.stringify(example ?? {}).replaceAll(/"https?:\/\/[^"]*"/g, '"http://127.0.0.1:9/x"'));
}
