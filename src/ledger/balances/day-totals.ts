/** What the daily report asks of the ledger: what moved between two moments, and what was in suspense. */
import type { TenantId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { Queryable } from '../../postgres/statement.js';
import { type AccountKind, currencyOf, kindOf } from '../account.js';
import { findBalances } from './balance-store.js';
import { listLedgers, type Period, sumsByCorridor, sumsByEvent } from './day-totals-store.js';

/** The postings of one kind of journal on one kind of account. A debit is positive. */
export interface EventTotal {
  readonly event: string;
  readonly kind: AccountKind;
  readonly count: number;
  readonly total: Amount;
}

/** What was converted, less what was reversed. */
export interface CorridorTotal {
  readonly count: number;
  readonly amountIn: Amount;
  readonly amountOut: Amount;
  readonly fee: Amount;
  readonly margin: Amount;
}

export async function totalsByEvent(
  database: Queryable,
  merchantId: TenantId | undefined,
  period: Period,
): Promise<EventTotal[]> {
  const rows = await sumsByEvent(database, merchantId, period);
  return rows.map(({ event, kind, currency, count, minor }) => ({ event, kind, count, total: { currency, minor } }));
}

export async function totalsByCorridor(
  database: Queryable,
  merchantId: TenantId | undefined,
  period: Period,
): Promise<CorridorTotal[]> {
  const rows = await sumsByCorridor(database, merchantId, period);
  return rows.map((row) => ({
    count: row.count,
    amountIn: { currency: row.fiat_in, minor: row.in_minor },
    amountOut: { currency: row.fiat_out, minor: row.out_minor },
    fee: { currency: row.fiat_in, minor: row.fee_minor },
    margin: { currency: row.fiat_out, minor: row.margin_minor },
  }));
}

/** The money in suspense just before a moment, by currency, in minor units. */
export async function suspenseBefore(
  database: Queryable,
  merchantId: TenantId | undefined,
  before: Date,
): Promise<ReadonlyMap<CurrencyCode, bigint>> {
  const sums = new Map<CurrencyCode, bigint>();
  const tenants = merchantId === undefined ? await listLedgers(database) : [merchantId];
  // One after the other, so that a report does not take all connections.
  for (const tenant of tenants)
    for (const [account, minor] of await findBalances(database, tenant, { before })) {
      if (kindOf(account) !== 'suspense') continue;
      const currency = currencyOf(account);
      sums.set(currency, (sums.get(currency) ?? 0n) - minor);
    }
  return sums;
}
