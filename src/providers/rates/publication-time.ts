/** When rates were published, from the ways in which sources say it. Each is undefined where the text is no such time. */

const brusselsHour = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Brussels',
  hour: '2-digit',
  hourCycle: 'h23',
});

/** Midnight UTC of a day written `2026-04-13`. */
function dayOf(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  // The 31st of February would silently become a day of March.
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

/** `2026-04-13T16:00:00+02:00`; the zone is never guessed. A day alone means its beginning in UTC. */
export function instantOf(text: string): Date | undefined {
  const [, day, clock, zone] =
    /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)([Zz]|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  if (day === undefined) return dayOf(text);
  const instant = new Date(`${day}T${clock}${zone?.toUpperCase()}`);
  return dayOf(day) && !Number.isNaN(instant.getTime()) ? instant : undefined;
}

/** Whole seconds since 1970. The bounds tell them from milliseconds: 2001 to 2286. */
export function unixSecondsOf(literal: string): Date | undefined {
  return /^[1-9]\d{9}$/.test(literal) ? new Date(Number(literal) * 1000) : undefined;
}
