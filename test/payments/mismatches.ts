/** Payments that do not match: pays orders in the sandbox, and reads what became of the money. */

import { expect } from 'vitest';
import { done } from '../harness/api.js';
import type { Remesa } from '../harness/remesa.js';
import { get, placed, sender } from '../orders/orders.js';

export const defaults = {
  ...{ short: 'wait', over: 'suspense', late: 'requote' },
  ...{ duplicate: 'suspense', wrongCurrency: 'suspense', afterEnd: 'suspense' },
} as const;

/** Declares the policies of acme: the defaults, but for these. */
export async function declare(
  { api, acme }: Pick<Remesa, 'api' | 'acme'>,
  policies: Record<string, string> = {},
): Promise<void> {
  const { token } = acme;
  const { version } = (await api.get('/merchant/policies', { token })).json;
  const body = { ...defaults, ...policies, version };
  expect((await api.call('PUT', '/merchant/policies', { token, body })).status).toBe(200);
}

/** An order of 100 dollars that waits for its payment. */
// biome-ignore lint/suspicious/noExplicitAny: the order as JSON, which the tests examine.
export async function awaiting(running: Remesa): Promise<any> {
  return placed(running, await sender(running));
}

// biome-ignore lint/suspicious/noExplicitAny: the payment as JSON, which the tests examine.
export async function payIn(running: Remesa, body: object): Promise<any> {
  const { api, acme } = running;
  return done(await api.post('/sandbox/payments', { token: acme.token, body }));
}

/** A moment after the rate of the order was guaranteed. */
export function lateFor(order: { rateGuaranteedUntil: string }): string {
  return new Date(Date.parse(order.rateGuaranteedUntil) + 1).toISOString();
}

// biome-ignore lint/suspicious/noExplicitAny: the order as JSON, which the tests examine.
export async function shown(running: Remesa, id: string): Promise<any> {
  return (await get(running, id)).json;
}

/**
 * Each journal about the payment, its suspense record and its order, but for the movement: `event: +account minor -…`.
 */
export async function journalsOf({ sql }: Remesa, paymentId: string): Promise<string[]> {
  const { rows } = await sql.query(
    `SELECT journal.event, string_agg((CASE WHEN amount_minor > 0 THEN '+' ELSE '-' END) || split_part(account, ':', 1)
              || ' ' || abs(amount_minor) || ' ' || split_part(account, ':', 2), ' ' ORDER BY amount_minor DESC, account) AS text
       FROM ledger_postings AS posting JOIN ledger_journals AS journal USING (merchant_id, journal_id)
      WHERE journal.journal_id IN (
              SELECT journal_id FROM ledger_postings
               WHERE reference = $1
                  OR reference IN (SELECT suspense_id FROM suspense_records WHERE payment_id = $1))
        AND journal.event <> 'movement_in'
      GROUP BY journal.journal_id, journal.event ORDER BY journal.event`,
    [paymentId],
  );
  return rows.map(({ event, text }) => `${event}: ${text}`);
}
