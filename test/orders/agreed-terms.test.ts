/** An order is converted and paid out at the terms of its quote, or not at all. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasQuotedRounding } from '../../src/ledger/postings.js';
import { amount, largestMinor } from '../../src/money/amount.js';
import type { CurrencyCode } from '../../src/money/currency.js';
import { roundDownToSignificant } from '../../src/money/rate.js';
import type { Corridor } from '../../src/rates/corridors/corridor.js';
import { defaultRateTerms, defaultWaitingTerms } from '../../src/rates/corridors/default-terms.js';
import { price } from '../../src/rates/pricing.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { operate, placed, sender } from './orders.js';
import { pay, reaches, TestPayouts } from './paid-orders.js';
import { rewriteOrder } from './rewritten.js';

const payouts = new TestPayouts();
const running = useRemesa({ hasRates: true, payouts });
const { sql } = running;

const quotedTimesTen = (id: string) =>
  withoutTriggers(sql, (client) =>
    client.query('UPDATE quotes SET amount_out_minor = amount_out_minor * 10 WHERE taken_by = $1', [id]),
  );
const reviewOf = async (id: string) =>
  (await running.api.get(`/operator/orders/${id}/review`, { token: running.admin })).json;

const timesTen = 'amount_out_minor = amount_out_minor * 10';

describe('an order with other terms than its quote, even where its newest change names them', () => {
  it.each([
    ['ten times what arrives', timesTen],
    ['a better rate', 'rate = rate * 2, mid_rate = mid_rate * 2'],
    ['no fee', 'fee_minor = 0'],
    ['the same change in its quote', timesTen],
  ])('is reviewed, never converted, and cannot be approved: %s', async (what, assignments) => {
    const { id } = await placed(running, await sender(running));
    await rewriteOrder(running, id, assignments);
    if (what === 'the same change in its quote') await quotedTimesTen(id);
    await pay(running, id);
    await reaches(running, id, 'IN_REVIEW');
    const { reasons, version } = await reviewOf(id);
    expect(reasons).toEqual(['terms_differ']);
    const approved = await running.api.post(`/operator/orders/${id}/approve`, {
      token: running.admin,
      body: { note: 'Looks fine.', version },
    });
    expect(told(approved)).toEqual([409, 'order_terms_differ']);
    expect(running.logText()).toContain('the terms of an order differ from its quote');
    await operate(running, id, 'refuse', { reason: 'other' });
    await reaches(running, id, 'REFUND_PENDING');
    expect(payouts.payoutsOf(id)).toBe(0);
    expect(payouts.refundsOf(id)).toEqual([10_000n]);
  });

  it('is reviewed before its payout too, when it was changed after the conversion', async () => {
    const { id } = await placed(running, await sender(running));
    // The route is open for the conversion, and not for the payout.
    payouts.closesAfter = 1;
    await pay(running, id);
    await reaches(running, id, 'CONVERTED');
    await rewriteOrder(running, id, timesTen);
    payouts.obstacle = undefined;
    await sql.query('UPDATE orders SET try_at = NULL WHERE order_id = $1', [id]);
    await reaches(running, id, 'IN_REVIEW');
    expect(payouts.payoutsOf(id)).toBe(0);
  });
});

describe('the rounding of a conversion', () => {
  const currencies: readonly CurrencyCode[] = ['EUR', 'USD', 'JPY', 'MXN', 'IDR', 'KES'];
  const priced = fc.record({
    fiatIn: fc.constantFrom(...currencies),
    fiatOut: fc.constantFrom(...currencies),
    numerator: fc.bigInt(1n, 10n ** 4n),
    denominator: fc.bigInt(1n, 10n ** 9n),
    minor: fc.bigInt(1n, 10n ** 8n),
    margin: fc.integer({ min: 0, max: 5000 }),
    feePart: fc.integer({ min: 0, max: 5000 }),
  });

  it('is that of every price that a quote can have, and of none that pays 1 % and eight units more', () => {
    let compared = 0;
    fc.assert(
      fc.property(priced, ({ fiatIn, fiatOut, numerator, denominator, minor, margin, feePart }) => {
        const ratio = { numerator, denominator };
        const corridor: Corridor = {
          ...{ fiatIn, fiatOut, isOpen: true, minInMinor: 1n, maxInMinor: largestMinor, minOutMinor: 1n },
          ...{ marginBasisPoints: margin, feeFixedMinor: 0n, feeBasisPoints: feePart, quoteLifetimeSeconds: 60 },
          ...{ kycBands: [], payoutMethods: ['mobile_wallet'], version: 1 },
          ...defaultRateTerms(fiatIn, fiatOut),
          ...defaultWaitingTerms,
        };
        const amountIn = amount(fiatIn, minor);
        const offered = price(corridor, ratio, amountIn);
        if ('refusal' in offered) return;
        const { fee, amountOut } = offered;
        const terms = {
          amountIn,
          fee,
          amountOut,
          marginBasisPoints: margin,
          midRate: roundDownToSignificant(ratio, 15),
        };
        expect(hasQuotedRounding(terms)).toBe(true);
        const more = amountOut.minor + amountOut.minor / 100n + 8n;
        if (more > largestMinor) return;
        expect(hasQuotedRounding({ ...terms, amountOut: amount(fiatOut, more) })).toBe(false);
        compared += 1;
      }),
      { numRuns: 1000 },
    );
    expect(compared).toBeGreaterThan(300);
  });
});
