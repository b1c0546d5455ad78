/** The named components of an OpenAPI document. Each is written once, and all other places refer to it. */
import { isDeepStrictEqual } from 'node:util';
import type { ProblemCatalogue } from '../problems/problem-catalogue.js';

export type JsonObject = { [name: string]: unknown };
export type Section = 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers' | 'securitySchemes';

const nameForm = /^[A-Z][A-Za-z0-9]*$/;
const schemaKeywords = new Set(['items', 'additionalProperties', 'not', 'propertyNames', 'contains']);
const listKeywords = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);
const mapKeywords = new Set(['properties', 'patternProperties']);

export class Components {
  /** `baseUrl` is the public address of the service, for addresses inside the document. */
  constructor(
    readonly baseUrl: string,
    readonly problems: ProblemCatalogue,
  ) {}

  readonly #sections = new Map<Section, Map<string, JsonObject>>();
  /** Hundreds of responses have the schema of problems. */
  readonly #converted = new WeakMap<object, JsonObject>();

  /** Returns a reference to the component. Throws when another component has the same name. */
  refer(section: Section, name: string, content: JsonObject): JsonObject {
    const named = this.#sections.get(section) ?? new Map<string, JsonObject>();
    const known = named.get(name);
    if (known && known !== content && !isDeepStrictEqual(known, content)) {
      throw new Error(`Two different ${section} are called ${name}.`);
    }
    this.#sections.set(section, named.set(name, content));
    return { $ref: `#/components/${section}/${name}` };
  }

  /** Makes a component of a schema whose title is in PascalCase, and of those inside it. */
  schema(schema: object): JsonObject {
    const known = this.#converted.get(schema);
    if (known) return known;
    const converted = this.#convert(schema);
    this.#converted.set(schema, converted);
    return converted;
  }

  #convert(schema: object): JsonObject {
    const content = Object.fromEntries(
      Object.entries(asEnumeration(schema)).map(([keyword, value]) => [keyword, this.#value(keyword, value)]),
    );
    const { title } = content;
    if (typeof title !== 'string' || !nameForm.test(title)) return content;
    if (!('enum' in content)) return this.refer('schemas', title, content);
    // A named enumeration has a different meaning in each place, so its description stays there.
    const { description, ...values } = content;
    return { ...this.refer('schemas', title, values), ...(description ? { description } : {}) };
  }

  toJson(): JsonObject {
    const sections = [...this.#sections].map(([section, named]) => [section, inOrderOfName(named)]);
    return Object.fromEntries(sections);
  }

  /** Visits only schemas, because an example may have a field called `title`. */
  #value(keyword: string, value: unknown): unknown {
    if (schemaKeywords.has(keyword) && isObject(value)) return this.schema(value);
    if (listKeywords.has(keyword) && Array.isArray(value)) return value.map((item) => this.schema(item));
    if (mapKeywords.has(keyword) && isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.schema(item)]));
    }
    return value;
  }
}

/** Writes a choice between texts as an enumeration with its type, which readers and generators handle better. */
function asEnumeration(schema: { anyOf?: unknown; enum?: unknown }): object {
  const { anyOf, ...others } = schema;
  const values = others.enum ?? (Array.isArray(anyOf) ? anyOf.map((choice) => choice.const) : undefined);
  const isTexts = Array.isArray(values) && values.every((value) => typeof value === 'string');
  return isTexts ? { type: 'string', ...others, enum: values } : schema;
}

function inOrderOfName(named: ReadonlyMap<string, JsonObject>): JsonObject {
  return Object.fromEntries([...named].sort(([left], [right]) => (left < right ? -1 : 1)));
}

function isObject(value: unknown): value is Record<string, object> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
