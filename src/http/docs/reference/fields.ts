/** The fields of a schema as a table of Markdown, those of inner objects with their path. */
import { type ApiDocument, resolve, type Schema } from './document.js';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

const deepest = 3;

/** Empty where the schema has no fields. `shown`: the named schemas that the page has a section for. */
export function fieldTable(document: ApiDocument, schema: Schema, shown: ReadonlySet<string>): string {
  return table(fieldsOf(document, schema, { shown, path: '', depth: 0 }));
}

export function table(fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(({ name, type, isRequired, description }) => {
    const cells = [`\`${name}\``, isRequired ? type : `${type}, optional`, description];
    return `| ${cells.map(inCell).join(' | ')} |`;
  });
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n+\s*/g, ' ');
}

interface Place {
  readonly shown: ReadonlySet<string>;
  readonly path: string;
  readonly depth: number;
}

function fieldsOf(document: ApiDocument, schema: Schema, place: Place): Field[] {
  const { properties = {}, required = [] } = objectOf(document, schema) ?? {};
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${place.path}${name}`;
    const described = resolve<Schema>(document, property as never);
    const field = {
      name: path,
      type: typeOf(document, property, place.shown),
      isRequired: required.includes(name),
      description: property.description ?? described?.description ?? '',
    };
    const inner = innerObject(document, property, place.shown);
    if (!inner || place.depth === deepest) return [field];
    const list = isList(document, property) ? '[]' : '';
    return [field, ...fieldsOf(document, inner, { ...place, path: `${path}${list}.`, depth: place.depth + 1 })];
  });
}

/** The object whose fields stand below the field. Undefined where the page has a section for it. */
function innerObject(document: ApiDocument, schema: Schema, shown: ReadonlySet<string>): Schema | undefined {
  const name = nameOf(schema);
  if (name !== undefined && shown.has(name)) return undefined;
  const resolved = resolve<Schema>(document, schema as never);
  if (resolved?.items) return innerObject(document, resolved.items, shown);
  return objectOf(document, schema);
}

function isList(document: ApiDocument, schema: Schema): boolean {
  return resolve<Schema>(document, schema as never)?.items !== undefined;
}

function objectOf(document: ApiDocument, schema: Schema): Schema | undefined {
  const resolved = resolve<Schema>(document, schema as never);
  if (resolved?.properties) return resolved;
  const choices = (resolved?.anyOf ?? resolved?.oneOf ?? []).filter(({ type }) => type !== 'null');
  return choices.length === 1 && choices[0] ? objectOf(document, choices[0]) : undefined;
}

/** As a reader says it: `a text`, `one of …`, `a list of Order`. */
export function typeOf(document: ApiDocument, schema: Schema, shown: ReadonlySet<string>): string {
  const name = nameOf(schema);
  if (name !== undefined && shown.has(name)) return `[${name}](#${name.toLowerCase()})`;
  const resolved = resolve<Schema>(document, schema as never) ?? {};
  if (resolved.enum) return resolved.enum.map((value) => `\`${value}\``).join(', ');
  if (resolved.const !== undefined) return `\`${resolved.const}\``;
  if (resolved.items) return `list of ${typeOf(document, resolved.items, shown)}`;
  const choices = resolved.anyOf ?? resolved.oneOf;
  if (choices) return [...new Set(choices.map((choice) => typeOf(document, choice, shown)))].join(' or ');
  const types = [resolved.type ?? 'object'].flat().map((type) => typeNames[type] ?? type);
  return types.join(' or ');
}

const typeNames: Readonly<Record<string, string>> = { string: 'text', integer: 'integer', array: 'list' };

export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1);
}
