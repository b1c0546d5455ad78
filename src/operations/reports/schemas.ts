/** The shapes of the daily report on the wire. */
import Type, { type Static } from 'typebox';
import { csvLine } from '../../http/answers/csv.js';
import { time } from '../../http/shapes.js';
import type { Amount } from '../../money/amount.js';
import { amountToText } from '../../money/literal.js';
import { orderStates } from '../../orders/order/transitions.js';
import type { Counted, DayReport } from './report.js';

export const DayQuery = Type.Object(
  {
    day: Type.String({ format: 'date', description: 'The day, by the clocks of the merchants.' }),
    timeZone: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9_+/-]{1,40}$',
        description: 'The time zone of the day; UTC by default.',
        examples: ['Europe/Madrid'],
      }),
    ),
    merchant: Type.Optional(Type.String({ maxLength: 64, description: 'Only the merchant with this client id.' })),
  },
  { additionalProperties: false, examples: [{ day: '2026-11-15', timeZone: 'Europe/Madrid' }] },
);

const amountText = (description: string) =>
  Type.String({ description: `${description}, with all decimals of the currency.` });
const currency = Type.String({ description: 'The currency.' });
const count = Type.Integer({ description: 'How many.' });
const totals = (description: string) =>
  Type.Array(Type.Object({ currency, count, amount: amountText('The sum') }), { description });

export const DayReportShape = Type.Object(
  {
    from: time('The first moment of the day.'),
    to: time('The first moment of the next day.'),
    created: Type.Array(
      Type.Object({
        state: Type.Enum([...orderStates], { description: 'The state that they have now.' }),
        currency,
        count,
        amount: amountText('What is to be paid in'),
      }),
      { description: 'Orders that were created on the day.' },
    ),
    received: totals('What payers paid in, for orders and in suspense.'),
    payoutsSubmitted: totals('Payouts that were given to a rail.'),
    payoutsFailed: totals('Payouts that rails refused.'),
    payoutsReturned: totals('Payouts that came back after they were paid.'),
    refunded: totals('What was paid back.'),
    charges: totals('What banks charged.'),
    losses: totals('What was lost or written off; negative for what was recovered.'),
    corridors: Type.Array(
      Type.Object({
        fiatIn: Type.String({ description: 'The currency that is paid in.' }),
        fiatOut: Type.String({ description: 'The currency that arrives.' }),
        count: Type.Integer({ description: 'Conversions, less those that were reversed.' }),
        amountIn: amountText('What was converted, in `fiatIn`'),
        amountOut: amountText('What is to arrive, in `fiatOut`'),
        fee: amountText('Fees, in `fiatIn`'),
        margin: amountText('The margin, in `fiatOut`'),
      }),
      { description: 'What was converted and earned. A reversal on the day counts as less.' },
    ),
    suspense: Type.Array(
      Type.Object({ currency, opening: amountText('At the beginning'), closing: amountText('At the end') }),
      { description: 'Money whose order is not known.' },
    ),
  },
  {
    title: 'DayReport',
    examples: [
      {
        from: '2026-11-14T23:00:00.000Z',
        to: '2026-11-15T23:00:00.000Z',
        created: [{ state: 'COMPLETED', currency: 'EUR', count: 12, amount: '1840.00' }],
        received: [{ currency: 'EUR', count: 13, amount: '1890.00' }],
        payoutsSubmitted: [{ currency: 'MXN', count: 12, amount: '36418.10' }],
        payoutsFailed: [],
        payoutsReturned: [],
        refunded: [],
        charges: [],
        losses: [],
        corridors: [
          {
            fiatIn: 'EUR',
            fiatOut: 'MXN',
            count: 12,
            amountIn: '1840.00',
            amountOut: '36418.10',
            fee: '15.60',
            margin: '443.20',
          },
        ],
        suspense: [{ currency: 'EUR', opening: '0.00', closing: '50.00' }],
      },
    ],
  },
);

export function encodeReport(report: DayReport): Static<typeof DayReportShape> {
  const { from, to, created, corridors, suspense } = report;
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    created: created.map(({ state, count: orders, amountIn }) => ({ state, count: orders, ...encodeAmount(amountIn) })),
    received: encodeTotals(report.received),
    payoutsSubmitted: encodeTotals(report.payoutsSubmitted),
    payoutsFailed: encodeTotals(report.payoutsFailed),
    payoutsReturned: encodeTotals(report.payoutsReturned),
    refunded: encodeTotals(report.refunded),
    charges: encodeTotals(report.charges),
    losses: encodeTotals(report.losses),
    corridors: corridors.map(({ count: conversions, amountIn, amountOut, fee, margin }) => ({
      fiatIn: amountIn.currency,
      fiatOut: amountOut.currency,
      count: conversions,
      amountIn: amountToText(amountIn),
      amountOut: amountToText(amountOut),
      fee: amountToText(fee),
      margin: amountToText(margin),
    })),
    suspense: suspense.map(({ opening, closing }) => ({
      currency: opening.currency,
      opening: amountToText(opening),
      closing: amountToText(closing),
    })),
  };
}

function encodeTotals(counted: readonly Counted[]) {
  return counted.map(({ count: number, total }) => ({ count: number, ...encodeAmount(total) }));
}

function encodeAmount(value: Amount) {
  return { currency: value.currency as string, amount: amountToText(value) };
}

/** One line for each figure, so that a spreadsheet can add them up by any column. */
export function csvOf(report: Static<typeof DayReportShape>): string {
  const lines: (string | number)[][] = [['section', 'name', 'currency', 'count', 'amount']];
  const totals = (section: string, rows: readonly { currency: string; count: number; amount: string }[]) => {
    for (const { currency: code, count: number, amount } of rows) lines.push([section, '', code, number, amount]);
  };
  for (const row of report.created) lines.push(['created', row.state, row.currency, row.count, row.amount]);
  totals('received', report.received);
  totals('payoutsSubmitted', report.payoutsSubmitted);
  totals('payoutsFailed', report.payoutsFailed);
  totals('payoutsReturned', report.payoutsReturned);
  totals('refunded', report.refunded);
  totals('charges', report.charges);
  totals('losses', report.losses);
  for (const { fiatIn, fiatOut, count: number, amountIn, amountOut, fee, margin } of report.corridors) {
    const name = `${fiatIn}-${fiatOut}`;
    lines.push(['convertedIn', name, fiatIn, number, amountIn], ['convertedOut', name, fiatOut, number, amountOut]);
    lines.push(['fee', name, fiatIn, number, fee], ['margin', name, fiatOut, number, margin]);
  }
  for (const { currency: code, opening, closing } of report.suspense)
    lines.push(['suspenseOpening', '', code, '', opening], ['suspenseClosing', '', code, '', closing]);
  return lines.map(csvLine).join('');
}
