/** Compares the totals with the journals: hours with their postings, days with their hours, months with their days. */
import type { TenantId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import * as store from './verify-store.js';

const hoursAtOnce = 24;

/** Checks the periods that the journals after `from` up to `to` belong to. Returns what is wrong. */
export async function totalsFaults(
  database: Queryable,
  merchantId: TenantId,
  from: bigint,
  to: bigint,
): Promise<string[]> {
  if (from >= to) return [];
  const hours = await store.listHoursOf(database, merchantId, from, to);
  const faults: string[] = [];
  for (let at = 0; at < hours.length; at += hoursAtOnce) {
    const some = hours.slice(at, at + hoursAtOnce);
    faults.push(...texts('hour', await store.findWrongHourTotals(database, merchantId, some)));
  }
  const days = startsOf(hours, 'day');
  faults.push(...texts('day', await store.findWrongSumTotals(database, merchantId, days, 'day')));
  const months = startsOf(hours, 'month');
  faults.push(...texts('month', await store.findWrongSumTotals(database, merchantId, months, 'month')));
  return faults;
}

function startsOf(hours: readonly Date[], period: 'day' | 'month'): Date[] {
  const starts = hours.map((hour) =>
    Date.UTC(hour.getUTCFullYear(), hour.getUTCMonth(), period === 'day' ? hour.getUTCDate() : 1),
  );
  return [...new Set(starts)].map((start) => new Date(start));
}

function texts(period: string, wrong: readonly store.WrongTotal[]): string[] {
  return wrong.map(
    ({ startsAt, account }) =>
      `the total of ${account} in the ${period} of ${startsAt.toISOString()} is wrong`,
  );
}
