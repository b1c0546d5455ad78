/** What a request would change, field by field. Pure. */
import { isDeepStrictEqual } from 'node:util';

/** A field of the body that differs from what it replaces. */
export interface FieldChange {
  /** A JSON pointer into the body. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The fields of a body that differ from what they replace. A field that the body does not name stays as it is. */
export function changesBetween(before: unknown, after: unknown, field = ''): FieldChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isNested(before) || !isNested(after) || !areAlike(before, after)) return [{ field, before, after }];
  return Object.keys(after).flatMap((name) =>
    changesBetween(before[name] ?? null, after[name], `${field}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

function isNested(value: unknown): value is Record<string, unknown> {
  const isListOfRecords = Array.isArray(value) && value.length > 0 && value.every(isRecord);
  return isListOfRecords || isRecord(value);
}

/** Lists are compared item by item when they have the same length. */
function areAlike(before: object, after: object): boolean {
  if (!Array.isArray(before) && !Array.isArray(after)) return true;
  return Array.isArray(before) && Array.isArray(after) && before.length === after.length;
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
