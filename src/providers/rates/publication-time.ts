/** Reads publication times in the formats that sources use. Each function returns undefined for any other text. */

const brusselsHour = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Brussels',
  hour: '2-digit',
  hourCycle: 'h23',
});

/** Midnight UTC of a day written `2026-04-13`. */
function dayOf(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  // `Date` turns the 31st of February into a day of March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : undefined;
}

/** That day at 16:00 in Brussels, which is 14:00 UTC in summer and 15:00 UTC in winter. */
export function afternoonInBrussels(text: string): Date | undefined {
  const moment = dayOf(text);
  if (!moment) return undefined;
  moment.setUTCHours(14);
  if (brusselsHour.format(moment) !== '16') moment.setUTCHours(15);
  return moment;
}

/** Reads `2026-04-13T16:00:00+02:00`. The zone is required. A day without a time means midnight UTC. */
export function instantOf(text: string): Date | undefined {
  const [, day, clock, zone] =
    /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)([Zz]|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  if (day === undefined) return dayOf(text);
  const instant = new Date(`${day}T${clock}${zone?.toUpperCase()}`);
  return dayOf(day) && !Number.isNaN(instant.getTime()) ? instant : undefined;
}

/** Reads whole seconds since 1970. Ten digits, the years 2001 to 2286, cannot be confused with milliseconds. */
export function unixSecondsOf(literal: string): Date | undefined {
  return /^[1-9]\d{9}$/.test(literal) ? new Date(Number(literal) * 1000) : undefined;
}
