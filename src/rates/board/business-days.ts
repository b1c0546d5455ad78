/** Business days are Monday to Friday by the UTC date. Holidays are not considered. */

const dayMs = 86_400_000;
/** 1 January 1970, the day 0, was a Thursday. */
const daysFromMondayToDayZero = 3;

/** Counts the business days after the date of `from`, up to and including that of `to`; 0 when `to` is not later. */
export function businessDaysBetween(from: Date, to: Date): number {
  return Math.max(0, businessDaysUntil(dayNumber(to)) - businessDaysUntil(dayNumber(from)));
}

/** Returns the midnight (UTC) at which the day of `moment` began, in milliseconds since 1970. */
export function startOfDay(moment: Date): number {
  const milliseconds = moment.getTime();
  return milliseconds - (milliseconds % dayMs);
}

function dayNumber(moment: Date): number {
  const day = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()) / dayMs;
  // Every comparison with NaN is false, so an impossible date would never be too old.
  if (Number.isNaN(day)) throw new RangeError('businessDaysBetween needs two real dates');
  return day;
}

/** Counts the business days from a fixed Monday up to and including the day. */
function businessDaysUntil(day: number): number {
  const days = day + daysFromMondayToDayZero;
  const daysIntoWeek = ((days % 7) + 7) % 7;
  const wholeWeeks = (days - daysIntoWeek) / 7;
  return wholeWeeks * 5 + Math.min(daysIntoWeek + 1, 5);
}
