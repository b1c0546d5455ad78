/** Query and path parameters arrive as text; those that a schema declares as integers become numbers, nothing else. */
import type { TObject } from 'typebox';

export function readQueryValues(
  schema: TObject,
  raw: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    const type = (schema.properties[name] as { type?: string } | undefined)?.type;
    const isInteger = type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value);
    values[name] = isInteger ? Number(value) : value;
  }
  return values;
}
