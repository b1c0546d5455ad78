/**
 * Reads a JSON body within limits and without ambiguity. `JSON.parse` alone accepts any depth, lets the last of two
 * equal keys win, and loses how a number was written. The limits are checked in one pass before anything is built,
 * so the work is linear in the size of the body, whatever it contains.
 */
import { RemesaError } from '../../errors.js';
import { childOf, type LiteralPointers } from './literal-pointers.js';

export const bodyBounds = { bytes: 65_536, depth: 20, keys: 500, keyLength: 128 } as const;

export interface JsonBody {
  readonly value: unknown;
  /** The declared numbers as they were written, by JSON pointer. */
  readonly literals: ReadonlyMap<string, string>;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** How the body of a route is read. */
export interface JsonReading {
  readonly literals?: LiteralPointers | undefined;
  /** How many fields the body may have; 500 when absent. */
  readonly fields?: number;
}

/** Throws `malformed_body` when the body is not JSON, is ambiguous or exceeds a limit. */
export function parseJsonBody(bytes: Uint8Array, { literals: pointers, fields }: JsonReading = {}): JsonBody {
  const text = decode(bytes);
  if (text.trim() === '') throw malformed('The body is empty; JSON was expected.');
  const literals = new Scan(text, pointers, fields ?? bodyBounds.keys).run();
  return { value: parse(text), literals };
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function notJson(): RemesaError {
  return malformed('The body is not valid JSON.');
}

function malformed(message: string): RemesaError {
  return new RemesaError('invalid', 'malformed_body', message);
}

interface Container {
  /** The keys so far; undefined for an array. */
  readonly keys: Set<string> | undefined;
  /** Undefined when no number in here is kept as text. */
  readonly pointers: LiteralPointers | undefined;
  readonly pointer: string;
  index: number;
  key: string;
}

const [quote, backslash, comma, minus] = [0x22, 0x5c, 0x2c, 0x2d];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Checks the limits and finds the numbers. `JSON.parse` decides whether the text is JSON. */
class Scan {
  readonly #literals = new Map<string, string>();
  readonly #stack: Container[] = [];
  #top: Container | undefined;
  #position = 0;
  #keyCount = 0;

  constructor(
    readonly text: string,
    readonly pointers: LiteralPointers | undefined,
    readonly fieldsAtMost: number,
  ) {}

  run(): ReadonlyMap<string, string> {
    const { text } = this;
    while (this.#position < text.length) this.#position = this.#step(text.charCodeAt(this.#position));
    return this.#literals;
  }

  /** Returns the position after the token that begins here. */
  #step(code: number): number {
    if (code === quote) return this.#string();
    if (code === minus || isDigit(code)) return this.#number();
    if (code === comma && this.#top) this.#top.index += 1;
    else if (code === openBrace || code === openBracket) this.#open(code === openBrace);
    else if (code === closeBrace || code === closeBracket) {
      this.#stack.pop();
      this.#top = this.#stack.at(-1);
    }
    return this.#position + 1;
  }

  #open(isObject: boolean): void {
    if (this.#stack.length >= bodyBounds.depth) {
      throw malformed(`The body is nested deeper than ${bodyBounds.depth} levels.`);
    }
    const pointers = this.#pointersHere();
    const pointer = pointers ? this.#pointerHere() : '';
    this.#top = { keys: isObject ? new Set() : undefined, pointers, pointer, index: 0, key: '' };
    this.#stack.push(this.#top);
  }

  #string(): number {
    const end = endOfString(this.text, this.#position);
    const written = this.text.slice(this.#position, end);
    const container = this.#top;
    // In an object, the first string after `{` or `,` is a key.
    const isKey = container?.keys !== undefined && container.keys.size === container.index;
    if (isKey) this.#rememberKey(container, decodeString(written));
    else if (written.includes('\\u')) decodeString(written);
    return end;
  }

  #rememberKey(container: Container, key: string): void {
    this.#keyCount += 1;
    if (this.#keyCount > this.fieldsAtMost) throw malformed(`The body has more than ${this.fieldsAtMost} fields.`);
    if (key.length > bodyBounds.keyLength)
      throw malformed(`The body has a field name of more than ${bodyBounds.keyLength} characters.`);
    if (key === '__proto__') throw malformed('The body has a field named __proto__.');
    if (container.keys?.has(key)) throw malformed(`The body has the field ${JSON.stringify(key.slice(0, 64))} twice.`);
    container.keys?.add(key);
    container.key = key;
  }

  #number(): number {
    let end = this.#position + 1;
    while (end < this.text.length && continuesNumber(this.text.charCodeAt(end))) end += 1;
    if (this.#pointersHere()?.isLiteral) this.#literals.set(this.#pointerHere(), this.text.slice(this.#position, end));
    return end;
  }

  #pointersHere(): LiteralPointers | undefined {
    const container = this.#top;
    if (!container) return this.pointers;
    const { pointers, keys, key, index } = container;
    return pointers && childOf(pointers, keys ? key : index);
  }

  #pointerHere(): string {
    const container = this.#top;
    if (!container) return '';
    const name = container.keys ? container.key.replaceAll('~', '~0').replaceAll('/', '~1') : container.index;
    return `${container.pointer}/${name}`;
  }
}

function endOfString(text: string, start: number): number {
  let position = start + 1;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === quote) return position + 1;
    position += code === backslash ? 2 : 1;
  }
  throw notJson();
}

/**
 * Throws `malformed_body` for NUL and for half a surrogate pair, which PostgreSQL cannot store. Only escapes can write
 * them.
 */
function decodeString(written: string): string {
  if (!written.includes('\\')) return written.slice(1, -1);
  const text = parse(written) as string;
  if (text.includes('\0') || /\p{Surrogate}/u.test(text)) {
    throw malformed('The body has text that cannot be stored: an unpaired surrogate, or a NUL character.');
  }
  return text;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Digits, the point, an exponent and its sign. */
function continuesNumber(code: number): boolean {
  return isDigit(code) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === minus;
}
