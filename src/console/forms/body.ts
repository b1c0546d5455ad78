/**
 * Makes the JSON body of a command from the fields of its form. Numbers stay as they were typed, so that an amount is
 * never a float.
 */
import { randomUUID } from 'node:crypto';
import type { FieldFault } from '../../errors.js';
import { type Field, fieldsOf, plain, type Schema } from '../screens/schema.js';

export type FormValues = ReadonlyMap<string, string>;

export interface ReadBody {
  /** Undefined when the command takes no body. */
  readonly text: string | undefined;
  /** What cannot be written as JSON. Everything else the command checks itself. */
  readonly faults: readonly FieldFault[];
}

/** Each form that is shown has a key of its own, so that sending it twice does one thing. */
export function newFormKey(): string {
  return randomUUID();
}

export function bodyOf(schema: Schema | undefined, values: FormValues): ReadBody {
  if (!schema) return { text: undefined, faults: [] };
  const faults: FieldFault[] = [];
  if (schema.type === 'array') return { text: jsonText({ path: '', entered: values.get('') ?? '[]', faults }), faults };
  return { text: objectText(schema, values, '', faults) ?? '{}', faults };
}

/** How a field is entered. */
export type Entry =
  | 'object'
  | 'choices'
  | 'lines'
  | 'json'
  | 'choice'
  | 'yesNo'
  | 'number'
  | 'time'
  | 'long'
  | 'secret'
  | 'file'
  | 'text';

export function entryOf({ name, schema }: Pick<Field, 'name' | 'schema'>): Entry {
  if (schema.enum) return 'choice';
  if (schema.type === 'array') return entryOfItems(plain(schema.items ?? {}));
  if (schema.type === 'object') return Object.keys(schema.properties ?? {}).length > 0 ? 'object' : 'json';
  if (schema.type === 'string') return entryOfText(name, schema);
  return entriesOfTypes[schema.type ?? ''] ?? 'json';
}

const entriesOfTypes: Readonly<Record<string, Entry>> = { boolean: 'yesNo', integer: 'number', number: 'number' };

function entryOfItems(items: Schema): Entry {
  if (items.enum) return 'choices';
  return items.type === 'string' ? 'lines' : 'json';
}

/** Bytes, which a form takes as a file. */
export function isBase64({ pattern }: Schema): boolean {
  return pattern === '^[A-Za-z0-9+/]+={0,2}$';
}

function entryOfText(name: string, schema: Schema): Entry {
  const { writeOnly, format, maxLength = 0 } = schema;
  if (isBase64(schema)) return 'file';
  if (writeOnly) return 'secret';
  if (format === 'date-time') return 'time';
  return maxLength > 500 || /^(note|csv|document|reason|internalReason)$/.test(name) ? 'long' : 'text';
}

/** The name of a field in the form: its path with dots. */
export function pathOf(above: string, name: string): string {
  return above === '' ? name : `${above}.${name}`;
}

/** Undefined when nothing in it was entered. */
function objectText(schema: Schema, values: FormValues, above: string, faults: FieldFault[]): string | undefined {
  const members = fieldsOf(schema).flatMap((field) => {
    const text = fieldText(field, values, pathOf(above, field.name), faults);
    return text === undefined ? [] : [`${JSON.stringify(field.name)}:${text}`];
  });
  return members.length === 0 ? undefined : `{${members.join(',')}}`;
}

/** Undefined for a field that is left out. */
function fieldText(field: Field, values: FormValues, path: string, faults: FieldFault[]): string | undefined {
  const { schema, isRequired } = field;
  const entry = entryOf(field);
  if (entry === 'object') return objectText(schema, values, path, faults);
  if (entry === 'choices') return choicesText(schema, values, path, isRequired);
  const entered = (values.get(path) ?? '').replaceAll('\r\n', '\n');
  return entered.trim() === '' ? emptyText(field, entry) : writers[entry]({ path, entered, faults });
}

function emptyText({ isRequired, isNullable }: Field, entry: Entry): string | undefined {
  if (!isRequired) return undefined;
  if (isNullable) return 'null';
  return entry === 'lines' ? '[]' : undefined;
}

interface Entered {
  readonly path: string;
  readonly entered: string;
  readonly faults: FieldFault[];
}

const asText = ({ entered }: Entered) => JSON.stringify(entered);
const trimmed = ({ entered }: Entered) => JSON.stringify(entered.trim());

const writers: Readonly<Record<Exclude<Entry, 'object' | 'choices'>, (entered: Entered) => string>> = {
  number: numberText,
  yesNo: ({ entered }) => (entered === 'true' ? 'true' : 'false'),
  json: jsonText,
  lines: ({ entered }) => JSON.stringify(entered.split('\n').flatMap((line) => line.trim() || [])),
  time: ({ entered }) => JSON.stringify(timeText(entered)),
  choice: trimmed,
  text: trimmed,
  long: asText,
  secret: asText,
  file: asText,
};

function choicesText(schema: Schema, values: FormValues, path: string, isRequired: boolean): string | undefined {
  const names = plain(schema.items ?? {}).enum ?? [];
  const chosen = names.filter((name) => values.has(`${path}[${String(name)}]`));
  return chosen.length === 0 && !isRequired ? undefined : JSON.stringify(chosen);
}

function numberText({ path, entered, faults }: Entered): string {
  if (/^-?(0|[1-9]\d{0,30})(\.\d{1,30})?$/.test(entered.trim())) return entered.trim();
  faults.push({
    field: path,
    code: 'wrong_format',
    message: 'write the number with a point and without groups: 1234.56',
  });
  return '0';
}

function jsonText({ path, entered, faults }: Entered): string {
  try {
    JSON.parse(entered);
    return entered;
  } catch {
    faults.push({ field: path, code: 'wrong_format', message: 'is not JSON' });
    return 'null';
  }
}

/** A time is entered in UTC. */
function timeText(entered: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(entered)) return entered;
  return `${entered.length === 16 ? `${entered}:00` : entered}.000Z`;
}

/** What the form shows at first: the record as it is now, by the paths of the fields. */
export function valuesOf(
  schema: Schema | undefined,
  record: Readonly<Record<string, unknown>>,
  above = '',
): Map<string, string> {
  const known = fieldsOf(schema).filter(({ name }) => record[name] !== undefined && record[name] !== null);
  return new Map(known.flatMap((field) => startOf(field, record[field.name], pathOf(above, field.name))));
}

function startOf(field: Field, value: unknown, path: string): (readonly [string, string])[] {
  const entry = entryOf(field);
  if (entry === 'object') return [...valuesOf(field.schema, value as Record<string, unknown>, path)];
  if (entry === 'choices') return (value as string[]).map((name) => [`${path}[${name}]`, 'on']);
  if (entry === 'lines') return [[path, (value as string[]).join('\n')]];
  return [[path, entry === 'json' ? JSON.stringify(value, undefined, 2) : String(value)]];
}
