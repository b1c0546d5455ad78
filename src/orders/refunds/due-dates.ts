/** When things are due, in business days: Monday to Friday by the UTC date. Pure. */

const dayMs = 86_400_000;
const weekend = [0, 6];

/** In business days after the refund was decided. */
export const refundBusinessDays = 3;

/** The same time of day, so many business days later. */
export function businessDaysAfter(moment: Date, days: number): Date {
  let due = moment;
  for (let counted = 0; counted < days; ) {
    due = new Date(due.getTime() + dayMs);
    if (!weekend.includes(due.getUTCDay())) counted += 1;
  }
  return due;
}
