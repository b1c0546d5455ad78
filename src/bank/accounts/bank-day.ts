/** Days of banks, as YYYY-MM-DD: such texts are compared as texts. Pure. */

/** The day of a moment at a place. */
export function dayAt(moment: Date, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((found) => found.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

const dayMs = 86_400_000;

/**
 * The day, or the Monday after it when it is a Saturday or a Sunday: banks then book what was ordered since Friday.
 * Holidays are not considered.
 */
export function nextBankDay(day: string): string {
  const midnight = new Date(`${day}T00:00:00Z`);
  const weekday = midnight.getUTCDay();
  const daysToMonday = weekday === 6 ? 2 : weekday === 0 ? 1 : 0;
  return new Date(midnight.getTime() + daysToMonday * dayMs).toISOString().slice(0, 10);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes a hundred times as long as using it. There are as many as time zones of accounts. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en', { timeZone, calendar: 'gregory', numberingSystem: 'latn', ...digits });
  formats.set(timeZone, format);
  return format;
}
