/** How long links to the form, and to the status of a case, live. */

/** Counted from the last save. */
export const writeMinutes = 60;
export const writeHoursAtMost = 24;
export const statusDays = 90;
/** How long an expired link is reported as expired instead of unknown. */
export const rememberedDays = 7;
