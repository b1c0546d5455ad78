/**
 * Real time, asked once per operation. Validity of quotes, cases and orders is not judged by this clock but in
 * SQL by `remesa_now(merchant)`, which a sandbox merchant can move forward.
 */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
