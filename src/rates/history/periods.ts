/** Pure: the days or hours of a history. */
export const periodKinds = ['day', 'hour'] as const;
export type PeriodKind = (typeof periodKinds)[number];

const hourMs = 3_600_000;
const lengthMs: Readonly<Record<PeriodKind, number>> = { day: 24 * hourMs, hour: hourMs };

/** The longest range of a history, and the usual one: rates are kept for 400 days. */
export const longestRange: Readonly<Record<PeriodKind, number>> = { day: 400, hour: 31 * 24 };
const usualRange: Readonly<Record<PeriodKind, number>> = { day: 30, hour: 48 };

export interface Range {
  readonly by: PeriodKind;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

export interface Period {
  readonly start: Date;
  /** Exclusive. Of the current period: now. */
  readonly end: Date;
}

/**
 * The days (UTC) or hours that begin in the range, the oldest first. Undefined when the range is longer than
 * `longestRange`.
 */
export function periodsIn({ by, from, to }: Range, now: Date): Period[] | undefined {
  const length = lengthMs[by];
  const endMs = Math.min((to ?? now).getTime(), now.getTime());
  const lastMs = startOf(endMs - 1, length);
  const firstMs = from ? startOf(from.getTime() + length - 1, length) : lastMs - (usualRange[by] - 1) * length;
  if (lastMs - firstMs >= longestRange[by] * length) return undefined;
  const periods: Period[] = [];
  for (let startMs = firstMs; startMs <= lastMs; startMs += length) {
    periods.push({ start: new Date(startMs), end: new Date(Math.min(startMs + length, now.getTime())) });
  }
  return periods;
}

/** When the period that has this moment began. */
function startOf(atMs: number, length: number): number {
  return atMs - (atMs % length);
}
