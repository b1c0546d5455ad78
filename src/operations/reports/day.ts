/** When a day begins and ends in a time zone. Pure. */

/** False for a name that no zone has. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** `day`: `2026-11-15`. The first moment of the day, and the first of the next one. */
export function boundsOf(day: string, timeZone: string): { readonly from: Date; readonly to: Date } {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return { from: instantOf(midnight, timeZone), to: instantOf(midnight + 86_400_000, timeZone) };
}

/** The moment at which the clocks of the zone show what UTC shows at `wall`. */
function instantOf(wall: number, timeZone: string): Date {
  const guess = wall - offsetMs(wall, timeZone);
  // The offset may be another one at the guess, because clocks are changed in between.
  return new Date(wall - offsetMs(guess, timeZone));
}

function offsetMs(at: number, timeZone: string): number {
  const options = { timeZone, hourCycle: 'h23', era: 'short' } as const;
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const parts = new Intl.DateTimeFormat('en-US', { ...options, ...fields, second: 'numeric' }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return wall - Math.floor(at / 1000) * 1000;
}
