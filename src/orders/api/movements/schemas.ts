/** The shapes of the movements of a day and of the overview on the wire. */
import Type from 'typebox';
import { time } from '../../../http/shapes.js';
import { StatusShape } from '../../order/wire/order-shape.js';
import { movementKinds } from '../../timeline/movements.js';

const count = Type.Integer({ description: 'How many.' });
const currency = Type.String({ description: 'The currency of the amount.' });
const amountText = (description: string) =>
  Type.String({ description: `${description}, with all decimals of the currency.` });

export const MovementTotalsShape = Type.Object(
  {
    from: time('The first moment of the day.'),
    to: time('The first moment of the next day.'),
    totals: Type.Array(
      Type.Object({
        kind: Type.Enum([...movementKinds], {
          description: '`payment`: came in. `payout`, `refund`: left. `fee`: was earned by the operator.',
        }),
        currency,
        count,
        amount: amountText('The sum, less what was undone on the day'),
      }),
      { description: 'By kind and currency; what did not happen is absent.' },
    ),
  },
  {
    title: 'MovementTotals',
    examples: [
      {
        from: '2026-11-15T00:00:00.000Z',
        to: '2026-11-16T00:00:00.000Z',
        totals: [
          { kind: 'fee', currency: 'EUR', count: 2, amount: '2.60' },
          { kind: 'payment', currency: 'EUR', count: 2, amount: '200.00' },
          { kind: 'payout', currency: 'MXN', count: 1, amount: '1981.54' },
        ],
      },
    ],
  },
);

const countedOrders = (description: string) =>
  Type.Array(Type.Object({ status: StatusShape, currency, count, amount: amountText('What is to be paid in') }), {
    description,
  });

export const OverviewShape = Type.Object(
  {
    open: countedOrders('Orders that are not finished.'),
    createdToday: countedOrders('Orders that were created today (UTC), by the status that they have now.'),
  },
  {
    title: 'Overview',
    examples: [
      {
        open: [{ status: 'AWAITING_PAYMENT', currency: 'EUR', count: 3, amount: '410.00' }],
        createdToday: [
          { status: 'AWAITING_PAYMENT', currency: 'EUR', count: 1, amount: '100.00' },
          { status: 'COMPLETED', currency: 'EUR', count: 12, amount: '1840.00' },
        ],
      },
    ],
  },
);
