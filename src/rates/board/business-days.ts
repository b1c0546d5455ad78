/** Business days are Monday to Friday by the UTC date; no calendar of holidays. */

const dayMs = 86_400_000;
/** 1 January 1970, the day 0, was a Thursday. */
const daysFromMondayToDayZero = 3;

/** The business days after `from`'s date, up to and including `to`'s; 0 where `to` is not later. */
export function businessDaysBetween(from: Date, to: Date): number {
  return Math.max(0, businessDaysUntil(dayNumber(to)) - businessDaysUntil(dayNumber(from)));
}

/** Midnight UTC at which the moment's day began, in milliseconds since 1970. */
export function startOfDay(moment: Date): number {
  const milliseconds = moment.getTime();
  return milliseconds - (milliseconds % dayMs);
}

function dayNumber(moment: Date): number {
  const day = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()) / dayMs;
  // A comparison with NaN is false: an impossible date would look young for ever.
  if (Number.isNaN(day)) throw new RangeError('businessDaysBetween needs two real dates');
  return day;
}

/** Those from a fixed Monday up to and including the day. */
function businessDaysUntil(day: number): number {
  const days = day + daysFromMondayToDayZero;
  const daysIntoWeek = ((days % 7) + 7) % 7;
  const wholeWeeks = (days - daysIntoWeek) / 7;
  return wholeWeeks * 5 + Math.min(daysIntoWeek + 1, 5);
}
