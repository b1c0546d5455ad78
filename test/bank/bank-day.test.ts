/** When a payment is late: banks book by days, at their place, and nothing at the weekend. */
import { describe, expect, it } from 'vitest';
import { defaultTimeZone, isTimeZone } from '../../src/bank/accounts/time-zones.js';
import { amount } from '../../src/money/amount.js';
import type { Order } from '../../src/orders/order/order.js';
import { decide } from '../../src/payments/matching/matching.js';
import { readMovement } from '../../src/payments/movement-fields.js';
import { defaultPolicies } from '../../src/payments/policies/policies.js';

const euros = amount('EUR', 10_000n);

/** Whether money that the bank booked so is late for an order that was guaranteed until then. */
function isLate(timeZone: string | undefined, guaranteedUntil: string, bookedAt: string): boolean {
  const texts = { bankReference: '1', amount: '100', currency: 'EUR', bookedAt, payerName: 'Ana Reyes' };
  const read = readMovement({ ...texts, payerAccount: '', remittanceText: '' }, { currency: 'EUR', timeZone });
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  const order = {
    ...{ state: 'AWAITING_PAYMENT', memories: {}, amountIn: euros, amountReceived: amount('EUR', 0n) },
    ...{ rateGuaranteedUntil: new Date(guaranteedUntil), payinAccount: timeZone === undefined ? {} : { timeZone } },
  } as unknown as Order;
  const policies = { ...defaultPolicies, late: 'suspense' } as const;
  const decision = decide(read.movement, order, { policies, requote: () => 'rates_unavailable' });
  return decision.kind === 'suspense' && decision.reason === 'late';
}

describe('a payment on the account of a bank', () => {
  const madrid = 'Europe/Madrid';

  it.each([
    ['a date of the last day, because the bank does not say when', '2026-11-17T09:00:00Z', '2026-11-17', false],
    ['a date of the next day', '2026-11-17T09:00:00Z', '2026-11-18', true],
    ['a time of the last day, as a date of that day would be', '2026-11-17T09:00:00Z', '2026-11-17T22:59:59Z', false],
    ['midnight in Madrid', '2026-11-17T09:00:00Z', '2026-11-17T23:00:00Z', true],
    ['Monday, when the guarantee ended on Saturday', '2026-11-14T17:00:00Z', '2026-11-16', false],
    ['Monday, when the guarantee ended on Sunday', '2026-11-15T17:00:00Z', '2026-11-16', false],
    ['Tuesday, when the guarantee ended on Saturday', '2026-11-14T17:00:00Z', '2026-11-17', true],
    ['Monday, when the guarantee ended on Friday', '2026-11-13T17:00:00Z', '2026-11-16', true],
    ['Monday, when it was Saturday in Madrid already', '2026-11-13T23:30:00Z', '2026-11-16', false],
  ])('keeps the rate until the end of the bank’s day: %s', (_what, guaranteedUntil, bookedAt, late) => {
    expect(isLate(madrid, guaranteedUntil, bookedAt)).toBe(late);
  });

  it('is judged at the place of the account', () => {
    const guaranteedUntil = '2026-11-18T02:00:00Z';
    expect(isLate('America/New_York', guaranteedUntil, '2026-11-18')).toBe(true);
    expect(isLate('Europe/Madrid', guaranteedUntil, '2026-11-18')).toBe(false);
    expect(isLate('America/New_York', guaranteedUntil, '2026-11-18T04:59:59Z')).toBe(false);
    expect(isLate('Asia/Tokyo', guaranteedUntil, '2026-11-18T15:00:00Z')).toBe(true);
  });
});

it('a payment on the simulated account is judged to the millisecond', () => {
  expect(isLate(undefined, '2026-11-17T09:00:00.000Z', '2026-11-17T09:00:00.000Z')).toBe(false);
  expect(isLate(undefined, '2026-11-17T09:00:00.000Z', '2026-11-17T09:00:00.001Z')).toBe(true);
});

it('every country with a default has a time zone that this Node.js knows', () => {
  const countries = ['US', 'ES', 'GB', 'CA', 'AU', 'CH', 'JP', 'SG', 'AE', 'MX', 'IN', 'KE'];
  for (const country of countries) expect(isTimeZone(defaultTimeZone(country) ?? '')).toBe(true);
  expect([defaultTimeZone('US'), defaultTimeZone('XX'), isTimeZone('Europe/Nowhere')]).toEqual([
    ...['America/New_York', undefined, false],
  ]);
});
