/** How one setting is read from its text: strictly, with a fault that says what would have been right. */
import { type Network, networksOf } from '../outgoing/network.js';

export class Fault {
  constructor(readonly message: string) {}
}

export interface Setting<Value> {
  /** As it stands in the example file; undefined where there is none. */
  readonly defaultText: string | undefined;
  /** May also be given as the name of a file, in `<NAME>_FILE`. */
  readonly secret: boolean;
  parse(text: string): Value | Fault;
}

export function integer(options: { default: number; min: number; max: number }): Setting<number> {
  const { min, max } = options;
  return {
    defaultText: String(options.default),
    secret: false,
    parse(text) {
      const value = Number(text);
      const fits = /^\d{1,15}$/.test(text) && value >= min && value <= max;
      return fits
        ? value
        : new Fault(`must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`);
    },
  };
}

export function boolean(options: { default: boolean }): Setting<boolean> {
  return {
    defaultText: String(options.default),
    secret: false,
    parse: (text) =>
      text === 'true' || text === 'false'
        ? text === 'true'
        : new Fault(`must be true or false, not ${JSON.stringify(text)}`),
  };
}

export function oneOf<const Name extends string>(
  names: readonly Name[],
  options: { default: Name },
): Setting<Name> {
  return {
    defaultText: options.default,
    secret: false,
    parse(text) {
      const found = names.find((name) => name === text);
      return found ?? new Fault(`must be one of ${names.join(', ')}, not ${JSON.stringify(text)}`);
    },
  };
}

export function text(options: { default: string }): Setting<string> {
  return { defaultText: options.default, secret: false, parse: (given) => given };
}

/** An address with one of the given schemes, kept without a slash at its end. */
export function address(schemes: readonly string[], options: { secret: boolean }): Setting<string> {
  const complaint = new Fault(
    `must be an address that begins with ${schemes.map((s) => `${s}://`).join(' or ')}`,
  );
  return {
    defaultText: undefined,
    secret: options.secret,
    parse(given) {
      if (!URL.canParse(given)) return complaint;
      return schemes.includes(new URL(given).protocol.slice(0, -1)) ? given.replace(/\/+$/, '') : complaint;
    },
  };
}

/** Networks with commas between them; none by default. */
export function networks(): Setting<readonly Network[]> {
  return {
    defaultText: '',
    secret: false,
    parse(given) {
      const found = networksOf(given);
      return typeof found === 'string' ? new Fault(found) : found;
    },
  };
}

/** 256 bits as base64 or hexadecimal; a key that anyone would guess is refused. */
export function key256(): Setting<Buffer> {
  return {
    defaultText: undefined,
    secret: true,
    parse(given) {
      const isHex = /^[0-9a-f]{64}$/i.test(given);
      const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(given);
      if (!isHex && !isBase64) {
        return new Fault(
          'must be 32 random bytes as base64 or hexadecimal (make one: openssl rand -base64 32)',
        );
      }
      const key = Buffer.from(given, isHex ? 'hex' : 'base64');
      const looksRandom = new Set(key).size >= 16;
      return looksRandom ? key : new Fault('is not random (make one: openssl rand -base64 32)');
    },
  };
}

/** A secret of the operator's own making; a short one could be guessed. */
export function secretText(options: { minLength: number }): Setting<string> {
  return {
    defaultText: undefined,
    secret: true,
    parse: (given) =>
      given.length >= options.minLength
        ? given
        : new Fault(`must have at least ${options.minLength} characters`),
  };
}
