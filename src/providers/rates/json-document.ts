/** A JSON document whose numbers keep their digits as they were written. */
import { parseJsonBody } from '../../http/body/json-body.js';
import { literalPointers } from '../../http/body/literal-pointers.js';
import { RateSourceFault } from '../../rates/sources/rate-source.js';

/** Where the JSON formats have times and rates. */
const numbers = literalPointers(['/timestamp', '/time_last_update_unix', '/rates/*', '/conversion_rates/*']);

export class JsonDocument {
  readonly #fields: ReadonlyMap<string, unknown>;
  readonly #literals: ReadonlyMap<string, string>;

  /** Throws `RateSourceFault` (`malformed`) when the bytes are not a JSON object. */
  constructor(bytes: Uint8Array) {
    const { value, literals } = parse(bytes);
    if (!isObject(value)) throw new RateSourceFault('malformed', 'The document is not a JSON object.');
    this.#fields = new Map(Object.entries(value));
    this.#literals = literals;
  }

  field(name: string): unknown {
    return this.#fields.get(name);
  }

  /** The digits of a number as they were written. Undefined when the field is not a number. */
  literal(name: string): string | undefined {
    return this.#literals.get(`/${name}`);
  }

  /** The members of an object, with numbers as they were written. Undefined when the field is not an object. */
  figures(name: string): [string, unknown][] | undefined {
    const members = this.#fields.get(name);
    if (!isObject(members)) return undefined;
    return Object.entries(members).map(([key, value]) => [
      key,
      typeof value === 'number' ? this.#literals.get(`/${name}/${key}`) : value,
    ]);
  }
}

/**
 * Uses the parser of request bodies: exact literals, no duplicate field, no `__proto__`, limits on depth and fields.
 */
function parse(bytes: Uint8Array): ReturnType<typeof parseJsonBody> {
  try {
    return parseJsonBody(bytes, { literals: numbers });
  } catch {
    throw new RateSourceFault('malformed', 'The document is not JSON, has a duplicate field, or exceeds the limits.');
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
