/** Reads query and path parameters, which arrive as text. Those that a schema declares as integers become numbers. */
import type { TObject } from 'typebox';
import type { FieldFault } from '../../errors.js';

export function readQueryValues(schema: TObject, raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    const type = (schema.properties[name] as { type?: string } | undefined)?.type;
    values[name] = type === 'integer' && isExactInteger(value) ? Number(value) : value;
  }
  return values;
}

/** A user id has up to 16 digits. Above 2⁵³ a number would not be exact. */
function isExactInteger(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value));
}

/** PostgreSQL cannot store NUL in a text, and no caller has a reason to send it. */
export function faultsOfNul(values: Readonly<Record<string, unknown>>): FieldFault[] {
  const message = 'must not contain a NUL character';
  return Object.entries(values)
    .filter(([, value]) => typeof value === 'string' && value.includes('\0'))
    .map(([field]) => ({ field, code: 'wrong_format', message }));
}
