/** Reads a time of a request. Its schema has checked the form. */
import { invalidField } from '../../errors.js';
import { bookingTimeOf, timeOf } from '../../times.js';

/** Throws `invalid_fields` for a time that does not exist, such as one on the 30th of February or a leap second. */
export function readTime(field: string, text: string): Date;
export function readTime(field: string, text: string | undefined): Date | undefined;
export function readTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = timeOf(text);
  if (time) return time;
  throw invalidField(field, 'wrong_format', 'must be a valid date-time');
}

/** When a bank booked something: a time, or a date alone. Throws `invalid_fields`. */
export function readBookingTime(field: string, text: string): Date;
export function readBookingTime(field: string, text: string | undefined): Date | undefined;
export function readBookingTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = bookingTimeOf(text);
  if (time) return time;
  throw invalidField(
    field,
    'wrong_format',
    'must be a date such as 2026-11-15, or a time such as 2026-11-15T09:30:00Z',
  );
}
