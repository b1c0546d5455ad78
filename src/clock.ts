/**
 * Real time, read once per operation. The expiry of quotes, cases and orders does not depend on this clock: SQL checks
 * it with `merchantNow` (src/postgres/merchant-clock.ts), which a sandbox merchant can move forward.
 */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
