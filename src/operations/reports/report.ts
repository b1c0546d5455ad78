/** The daily report: what came, what left, what was earned, and what is still to be decided. */
import type { MerchantId } from '../../ids.js';
import {
  type CorridorTotal,
  type EventTotal,
  suspenseBefore,
  totalsByCorridor,
  totalsByEvent,
} from '../../ledger/balances/day-totals.js';
import type { Amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { CreatedOrders, OrderDesk } from '../../orders/operator/desk/service.js';
import type { Queryable } from '../../postgres/statement.js';

/** One line of a section: how many, and how much. */
export interface Counted {
  readonly count: number;
  readonly total: Amount;
}

export interface SuspenseOfDay {
  readonly opening: Amount;
  readonly closing: Amount;
}

export interface DayReport {
  readonly from: Date;
  readonly to: Date;
  /** Orders that were created on the day, by the state that they have now. */
  readonly created: readonly CreatedOrders[];
  readonly received: readonly Counted[];
  readonly payoutsSubmitted: readonly Counted[];
  readonly payoutsFailed: readonly Counted[];
  readonly payoutsReturned: readonly Counted[];
  readonly refunded: readonly Counted[];
  readonly charges: readonly Counted[];
  /** Negative: what was recovered. */
  readonly losses: readonly Counted[];
  readonly corridors: readonly CorridorTotal[];
  readonly suspense: readonly SuspenseOfDay[];
}

export async function dayReport(
  database: Queryable,
  desk: OrderDesk,
  merchantId: MerchantId | undefined,
  period: { readonly from: Date; readonly to: Date },
): Promise<DayReport> {
  const totals = await totalsByEvent(database, merchantId, period);
  return {
    ...period,
    created: await desk.countCreated(database, merchantId, period),
    received: sumOf(totals, { kind: 'payin', events: ['payment_received', 'payment_over', 'payment_unassigned'] }),
    payoutsSubmitted: sumOf(totals, { kind: 'payout', events: ['payout_submitted'] }),
    payoutsFailed: sumOf(totals, { kind: 'payout', events: ['payout_failed'], isCredit: true }),
    payoutsReturned: sumOf(totals, { kind: 'payout', events: ['payout_returned'], isCredit: true }),
    refunded: sumOf(totals, { kind: 'refund', events: ['refunded'] }),
    charges: sumOf(totals, { kind: 'charges' }),
    losses: sumOf(totals, { kind: 'writeoff' }),
    corridors: await totalsByCorridor(database, merchantId, period),
    suspense: suspenseOf(
      await suspenseBefore(database, merchantId, period.from),
      await suspenseBefore(database, merchantId, period.to),
    ),
  };
}

interface Asked {
  readonly kind: EventTotal['kind'];
  /** Absent: all events. */
  readonly events?: readonly string[];
  /** Whether credits count, and not debits. */
  readonly isCredit?: boolean;
}

/** What these events have posted on accounts of this kind, by currency. */
function sumOf(totals: readonly EventTotal[], { kind, events, isCredit = false }: Asked): Counted[] {
  const asked = totals.filter((row) => row.kind === kind && (events?.includes(row.event) ?? true));
  const currencies = [...new Set(asked.map(({ total }) => total.currency))].sort();
  return currencies.map((currency) => {
    const rows = asked.filter(({ total }) => total.currency === currency);
    const debit = rows.reduce((sum, { total }) => sum + total.minor, 0n);
    return {
      count: rows.reduce((sum, { count }) => sum + count, 0),
      total: { currency, minor: isCredit ? -debit : debit },
    };
  });
}

function suspenseOf(
  opening: ReadonlyMap<CurrencyCode, bigint>,
  closing: ReadonlyMap<CurrencyCode, bigint>,
): SuspenseOfDay[] {
  const currencies = [...new Set([...opening.keys(), ...closing.keys()])].sort();
  return currencies.map((currency) => ({
    opening: { currency, minor: opening.get(currency) ?? 0n },
    closing: { currency, minor: closing.get(currency) ?? 0n },
  }));
}
