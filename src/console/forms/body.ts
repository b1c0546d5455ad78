/**
 * Makes the JSON body of a command from the fields of its form. Numbers stay as they were typed, so that an amount is
 * never a float. Pure.
 */
import type { FieldFault } from '../../errors.js';
import { type Field, fieldsOf, plain, type Schema } from '../screens/schema.js';

export type FormValues = ReadonlyMap<string, string>;

export interface ReadBody {
  /** Undefined when the command takes no body. */
  readonly text: string | undefined;
  /** What cannot be written as JSON. Everything else the command checks itself. */
  readonly faults: readonly FieldFault[];
}

export function bodyOf(schema: Schema | undefined, values: FormValues): ReadBody {
  if (!schema) return { text: undefined, faults: [] };
  const faults: FieldFault[] = [];
  if (schema.type === 'array') return { text: jsonText('', values.get('') ?? '[]', faults), faults };
  return { text: objectText(schema, values, '', faults) ?? '{}', faults };
}

/** How a field is entered. */
export type Entry = 'object' | 'choices' | 'lines' | 'json' | 'choice' | 'yesNo' | 'number' | 'time' | 'long' | 'secret' | 'text';

export function entryOf({ name, schema }: Pick<Field, 'name' | 'schema'>): Entry {
  if (schema.enum) return 'choice';
  if (schema.type === 'boolean') return 'yesNo';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'object' && schema.properties && Object.keys(schema.properties).length > 0) return 'object';
  if (schema.type === 'array') {
    const items = plain(schema.items ?? {});
    if (items.enum) return 'choices';
    return items.type === 'string' ? 'lines' : 'json';
  }
  if (schema.type !== 'string') return 'json';
  if (schema.writeOnly) return 'secret';
  if (schema.format === 'date-time') return 'time';
  const isLong = (schema.maxLength ?? 0) > 500 || /^(note|csv|document|reason|internalReason)$/.test(name);
  return isLong ? 'long' : 'text';
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
  const { schema, isRequired, isNullable } = field;
  const entry = entryOf(field);
  if (entry === 'object') return objectText(schema, values, path, faults);
  if (entry === 'choices') return choicesText(schema, values, path, isRequired);
  const entered = (values.get(path) ?? '').replaceAll('\r\n', '\n');
  if (entered.trim() === '') {
    if (!isRequired) return undefined;
    if (isNullable) return 'null';
    return entry === 'lines' ? '[]' : undefined;
  }
  if (entry === 'number') return numberText(path, entered.trim(), faults);
  if (entry === 'yesNo') return entered === 'true' ? 'true' : 'false';
  if (entry === 'json') return jsonText(path, entered, faults);
  if (entry === 'lines') return JSON.stringify(entered.split('\n').map((line) => line.trim()).filter((line) => line !== ''));
  if (entry === 'time') return JSON.stringify(timeText(entered));
  return JSON.stringify(entry === 'text' ? entered.trim() : entered);
}

function choicesText(schema: Schema, values: FormValues, path: string, isRequired: boolean): string | undefined {
  const names = plain(schema.items ?? {}).enum ?? [];
  const chosen = names.filter((name) => values.has(`${path}[${String(name)}]`));
  return chosen.length === 0 && !isRequired ? undefined : JSON.stringify(chosen);
}

function numberText(path: string, entered: string, faults: FieldFault[]): string {
  if (/^-?(0|[1-9]\d{0,30})(\.\d{1,30})?$/.test(entered)) return entered;
  faults.push({ field: path, code: 'wrong_format', message: 'write the number with a point and without groups: 1234.56' });
  return '0';
}

function jsonText(path: string, entered: string, faults: FieldFault[]): string {
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
export function valuesOf(schema: Schema | undefined, record: Readonly<Record<string, unknown>>, above = ''): Map<string, string> {
  const values = new Map<string, string>();
  for (const field of fieldsOf(schema)) {
    const value = record[field.name];
    const path = pathOf(above, field.name);
    if (value === undefined || value === null) continue;
    const entry = entryOf(field);
    if (entry === 'object') for (const each of valuesOf(field.schema, value as Record<string, unknown>, path)) values.set(...each);
    else if (entry === 'choices') for (const name of value as string[]) values.set(`${path}[${name}]`, 'on');
    else if (entry === 'lines') values.set(path, (value as string[]).join('\n'));
    else if (entry === 'json') values.set(path, JSON.stringify(value, undefined, 2));
    else values.set(path, String(value));
  }
  return values;
}
