/** Reads times and dates as requests, files and command lines have them. Pure. */

const timeForm =
  /^(\d{4}-\d{2}-\d{2})[Tt](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const dateForm = /^\d{4}-\d{2}-\d{2}$/;

/** A time by RFC 3339; its seconds may be absent. Undefined for a day or a time that does not exist. */
export function timeOf(text: string): Date | undefined {
  const [, day] = timeForm.exec(text) ?? [];
  if (day === undefined || dateOf(day) === undefined) return undefined;
  const time = new Date(text.toUpperCase());
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** The beginning of the day (UTC), of a date such as 2026-11-15. Undefined for a day that does not exist. */
export function dateOf(text: string): Date | undefined {
  if (!dateForm.test(text)) return undefined;
  const time = new Date(`${text}T00:00:00Z`);
  // `Date` makes the 2nd of March of the 30th of February.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text) ? time : undefined;
}

/** When a bank booked something: a time, or a date, which counts from its beginning (UTC). */
export function bookingTimeOf(text: string): Date | undefined {
  return dateOf(text) ?? timeOf(text);
}
