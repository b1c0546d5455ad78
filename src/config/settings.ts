/** The kinds of settings. Each reads its text strictly and explains in a fault which values it accepts. */
import { type Network, networksOf } from '../outgoing/network.js';

export class Fault {
  constructor(readonly message: string) {}
}

export interface Setting<Value> {
  /** The default as `.env.example` shows it. Undefined when there is none. */
  readonly defaultText: string | undefined;
  /** A secret may also be in a file whose path is the value of `<NAME>_FILE`. */
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
      return fits ? value : new Fault(`must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`);
    },
  };
}

/** A port of its own. Without a value there is none. */
export function optionalPort(): Setting<number> {
  const { parse } = integer({ default: 0, min: 0, max: 65535 });
  return { defaultText: undefined, secret: false, parse };
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

export function oneOf<const Name extends string>(names: readonly Name[], options: { default: Name }): Setting<Name> {
  return {
    defaultText: options.default,
    secret: false,
    parse(text) {
      const match = names.find((name) => name === text);
      return match ?? new Fault(`must be one of ${names.join(', ')}, not ${JSON.stringify(text)}`);
    },
  };
}

export function text(options: { default: string }): Setting<string> {
  return { defaultText: options.default, secret: false, parse: (value) => value };
}

/** An address with one of these schemes. Slashes at its end are removed. */
export function address(schemes: readonly string[], options: { secret: boolean }): Setting<string> {
  const fault = new Fault(`must be an address that begins with ${schemes.map((s) => `${s}://`).join(' or ')}`);
  return {
    defaultText: undefined,
    secret: options.secret,
    parse(value) {
      if (!URL.canParse(value)) return fault;
      return schemes.includes(new URL(value).protocol.slice(0, -1)) ? value.replace(/\/+$/, '') : fault;
    },
  };
}

/** A comma-separated list of networks, empty by default. */
export function networks(): Setting<readonly Network[]> {
  return {
    defaultText: '',
    secret: false,
    parse(value) {
      const list = networksOf(value);
      return typeof list === 'string' ? new Fault(list) : list;
    },
  };
}

/** 256 bits as base64 or hexadecimal. A key that repeats its bytes is refused, because it can be guessed. */
export function key256(): Setting<Buffer> {
  return {
    defaultText: undefined,
    secret: true,
    parse(value) {
      const isHex = /^[0-9a-f]{64}$/i.test(value);
      const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(value);
      if (!isHex && !isBase64) {
        return new Fault('must be 32 random bytes as base64 or hexadecimal (make one: openssl rand -base64 32)');
      }
      const key = Buffer.from(value, isHex ? 'hex' : 'base64');
      const looksRandom = new Set(key).size >= 16;
      return looksRandom ? key : new Fault('is not random (make one: openssl rand -base64 32)');
    },
  };
}

/** A secret that the operator chooses. A short one could be guessed. */
export function secretText(options: { minLength: number }): Setting<string> {
  return {
    defaultText: undefined,
    secret: true,
    parse: (value) =>
      value.length >= options.minLength ? value : new Fault(`must have at least ${options.minLength} characters`),
  };
}
