/** Compares the totals with the journals: hours with their postings, days with their hours, months with their days. */
import type { TenantId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import * as store from './verify-store.js';

/** So much at once keeps each statement short, however long the history is. */
const atOnce = { journals: 20_000n, hours: 6, days: 31, months: 12 } as const;

/** Checks the periods that the journals after `from` up to `to` belong to. Returns what is wrong. */
export async function totalsFaults(
  database: Queryable,
  merchantId: TenantId,
  from: bigint,
  to: bigint,
): Promise<string[]> {
  const hours = await hoursOf(database, merchantId, from, to);
  const faults: string[] = [];
  for (const some of slices(hours, atOnce.hours))
    faults.push(...texts('hour', await store.findWrongHourTotals(database, merchantId, some)));
  for (const some of slices(startsOf(hours, 'day'), atOnce.days))
    faults.push(...texts('day', await store.findWrongSumTotals(database, merchantId, some, 'day')));
  for (const some of slices(startsOf(hours, 'month'), atOnce.months))
    faults.push(...texts('month', await store.findWrongSumTotals(database, merchantId, some, 'month')));
  return faults;
}

async function hoursOf(database: Queryable, merchantId: TenantId, from: bigint, to: bigint): Promise<Date[]> {
  const starts = new Set<number>();
  for (let after = from; after < to; after += atOnce.journals) {
    const last = after + atOnce.journals < to ? after + atOnce.journals : to;
    for (const hour of await store.listHoursOf(database, merchantId, after, last)) starts.add(hour.getTime());
  }
  return [...starts].map((start) => new Date(start));
}

function startsOf(hours: readonly Date[], period: 'day' | 'month'): Date[] {
  const starts = hours.map((hour) =>
    Date.UTC(hour.getUTCFullYear(), hour.getUTCMonth(), period === 'day' ? hour.getUTCDate() : 1),
  );
  return [...new Set(starts)].map((start) => new Date(start));
}

function* slices(dates: readonly Date[], size: number): Generator<readonly Date[]> {
  for (let at = 0; at < dates.length; at += size) yield dates.slice(at, at + size);
}

function texts(period: string, wrong: readonly store.WrongTotal[]): string[] {
  return wrong.map(
    ({ startsAt, account }) => `the total of ${account} in the ${period} of ${startsAt.toISOString()} is wrong`,
  );
}
