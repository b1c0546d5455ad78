/**
 * A JSON body within bounds, with nothing ambiguous in it: `JSON.parse` alone takes any depth, lets the last of two
 * equal keys win, and forgets how a number was written.
 */
import { RemesaError } from '../errors.js';

export const bodyBounds = { bytes: 65_536, depth: 20, keys: 500 } as const;

export interface JsonBody {
  readonly value: unknown;
  /** Every number as it was written, by JSON pointer. */
  readonly literals: ReadonlyMap<string, string>;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseJsonBody(bytes: Uint8Array, fieldsAtMost: number = bodyBounds.keys): JsonBody {
  const text = decode(bytes);
  const value = parse(text);
  // From here on the text is known to be JSON, so the scan only has to find its way through it.
  return { value, literals: new Scan(text, fieldsAtMost).run() };
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') throw malformed('The body is empty; JSON was expected.');
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('The body is not valid JSON.');
  }
}

function malformed(message: string): RemesaError {
  return new RemesaError('invalid', 'malformed_body', message);
}

/** PostgreSQL takes no NUL, and half a character would silently become another one. Only an escape can write either. */
function refuseUnkeepable(text: string): void {
  if (text.includes('\0') || /\p{Surrogate}/u.test(text)) {
    throw malformed('The body has text that no database can keep: half a character, or a NUL.');
  }
}

interface Container {
  readonly pointer: string;
  /** The keys seen so far; undefined for an array. */
  readonly keys: Set<string> | undefined;
  index: number;
  key: string;
}

const numberAt = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const stringAt = /"[^"\\]*(?:\\.[^"\\]*)*"/y;

class Scan {
  readonly #literals = new Map<string, string>();
  readonly #stack: Container[] = [];
  #position = 0;
  #keyCount = 0;

  constructor(
    readonly text: string,
    readonly fieldsAtMost: number,
  ) {}

  run(): ReadonlyMap<string, string> {
    while (this.#position < this.text.length)
      this.#position += this.#step(this.text[this.#position] as string);
    return this.#literals;
  }

  /** Answers how many characters it went over. */
  #step(character: string): number {
    if (character === '"') return this.#string();
    if (character === '-' || (character >= '0' && character <= '9')) return this.#number();
    if (character === '{' || character === '[') this.#open(character === '{');
    else if (character === '}' || character === ']') this.#stack.pop();
    else if (character === ',') this.#next();
    return 1;
  }

  #open(isObject: boolean): void {
    if (this.#stack.length >= bodyBounds.depth) {
      throw malformed(`The body is nested deeper than ${bodyBounds.depth} levels.`);
    }
    this.#stack.push({ pointer: this.#pointer(), keys: isObject ? new Set() : undefined, index: 0, key: '' });
  }

  #next(): void {
    const container = this.#stack.at(-1);
    if (container) container.index += 1;
  }

  #string(): number {
    const literal = this.#literalAt(stringAt);
    if (literal.includes('\\u')) refuseUnkeepable(JSON.parse(literal));
    const container = this.#stack.at(-1);
    // In an object each position begins with its key: the first string after `{` or `,`.
    if (container?.keys && container.keys.size === container.index)
      this.#rememberKey(container, JSON.parse(literal));
    return literal.length;
  }

  #rememberKey(container: Container, key: string): void {
    this.#keyCount += 1;
    if (this.#keyCount > this.fieldsAtMost)
      throw malformed(`The body has more than ${this.fieldsAtMost} fields.`);
    if (key === '__proto__') throw malformed('The body has a field named __proto__.');
    if (container.keys?.has(key))
      throw malformed(`The body has the field ${JSON.stringify(key.slice(0, 64))} twice.`);
    container.keys?.add(key);
    container.key = key;
  }

  #number(): number {
    const literal = this.#literalAt(numberAt);
    this.#literals.set(this.#pointer(), literal);
    return literal.length;
  }

  #pointer(): string {
    const container = this.#stack.at(-1);
    if (!container) return '';
    const name = container.keys ? container.key.replaceAll('~', '~0').replaceAll('/', '~1') : container.index;
    return `${container.pointer}/${name}`;
  }

  #literalAt(pattern: RegExp): string {
    pattern.lastIndex = this.#position;
    return pattern.exec(this.text)?.[0] as string;
  }
}
