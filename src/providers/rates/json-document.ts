/** A JSON document whose numbers keep the digits that were written. */
import { parseJsonBody } from '../../http/body/json-body.js';
import { literalPointers } from '../../http/body/literal-pointers.js';
import { RateSourceFault } from '../../rates/sources/rate-source.js';

/** The times and the rates of all sources that publish JSON. */
const numbers = literalPointers(['/timestamp', '/time_last_update_unix', '/rates/*', '/conversion_rates/*']);

export class JsonDocument {
  readonly #fields: ReadonlyMap<string, unknown>;
  readonly #literals: ReadonlyMap<string, string>;

  constructor(bytes: Uint8Array) {
    const { value, literals } = parse(bytes);
    if (!isObject(value)) throw new RateSourceFault('malformed', 'The document is not a JSON object.');
    this.#fields = new Map(Object.entries(value));
    this.#literals = literals;
  }

  field(name: string): unknown {
    return this.#fields.get(name);
  }

  /** A number as it was written; undefined when the field is something else. */
  literal(name: string): string | undefined {
    return this.#literals.get(`/${name}`);
  }

  /** The members of an object, numbers as they were written, texts as they are; undefined when it is no object. */
  figures(name: string): [string, unknown][] | undefined {
    const members = this.#fields.get(name);
    if (!isObject(members)) return undefined;
    return Object.entries(members).map(([key, value]) => [
      key,
      typeof value === 'number' ? this.#literals.get(`/${name}/${key}`) : value,
    ]);
  }
}

/** The reader of request bodies: exact literals, no field twice, no `__proto__`, bounds on depth and fields. */
function parse(bytes: Uint8Array): ReturnType<typeof parseJsonBody> {
  try {
    return parseJsonBody(bytes, { literals: numbers });
  } catch {
    throw new RateSourceFault(
      'malformed',
      'The document is not JSON, names a field twice, or is beyond bounds.',
    );
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
