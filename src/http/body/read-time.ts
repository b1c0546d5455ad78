/** Reads a time of a request. Its schema has checked the form, by RFC 3339. */
import { invalidField } from '../../errors.js';

/** Throws `invalid_fields` for a time that RFC 3339 allows and `Date` cannot represent, such as a leap second. */
export function readTime(field: string, text: string): Date;
export function readTime(field: string, text: string | undefined): Date | undefined;
export function readTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw invalidField(field, 'wrong_format', 'must be a valid date-time');
}
