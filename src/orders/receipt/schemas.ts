/** The shapes of receipts on the wire. */
import Type from 'typebox';
import { NamedLicensee, namedLicenseeExample } from '../../licensee/schemas.js';
import { locales } from '../../locale.js';
import { orderExample, priceFields, StatusShape, time } from '../order/wire/order-shape.js';

const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const ReceiptQuery = Type.Object(
  {
    format: Type.Optional(
      Type.Enum(['json', 'html'], {
        description: 'Overrides the header `Accept`: JSON, or a page for the sender to read and print.',
      }),
    ),
    lang: Type.Optional(
      Type.Enum([...locales], {
        description: 'The language of the page. Otherwise `Accept-Language` decides, and English is the default.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ReceiptShape = Type.Object(
  {
    orderId: Type.String({ description: 'The id of the order.' }),
    externalOrderId: textOrNull('Your own id of the order.'),
    merchant: Type.String({ description: 'Your name, as users see it.' }),
    status: StatusShape,
    ...priceFields,
    transferAmount: Type.Number({ description: 'What is converted: `amountIn` less `fee`.' }),
    exchangeRate: Type.Number({
      description: 'What one unit of `transferAmount` buys, to six digits. `rate` includes the fee.',
    }),
    amountReceived: Type.Number({ description: 'What has been paid, in `fiatIn`.' }),
    amountRefunded: Type.Number({ description: 'What has been paid back, in `fiatIn`.' }),
    amountKept: Type.Number({ description: 'What was kept of a refund for charges of banks, in `fiatIn`.' }),
    amountReversed: Type.Number({ description: 'What the payer’s bank has taken back, in `fiatIn`.' }),
    reference: Type.String({ description: 'The reference of the payment.' }),
    sender: Type.Union([Type.Object({ name: Type.String({ description: 'The name of the sender.' }) }), Type.Null()], {
      description: 'Null after the user was deleted.',
    }),
    beneficiary: Type.Object(
      {
        name: textOrNull('The name of the beneficiary. Null after the user was deleted.'),
        country: Type.String({ description: 'The country that the money is paid out in.' }),
        method: Type.String({ description: 'How the money is paid out.' }),
        account: textOrNull('The end of the account number; null for cash.'),
      },
      { description: 'Who receives the money.' },
    ),
    createdAt: time('When the order was created.'),
    paidAt: time('When all of the money had arrived.'),
    estimatedArrivalAt: timeOrNull('When the beneficiary should have the money.'),
    availableOn: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description:
        'The day on which the beneficiary should have the money, by the bank holidays of the country. Null when no money will arrive.',
    }),
    completedAt: timeOrNull('When the beneficiary got the money.'),
    refundedAt: timeOrNull('When the money was paid back.'),
    cancellable: Type.Enum(['yes', 'on_request', 'no'], {
      description: 'Whether the order can be cancelled now, once its review is over, or not.',
    }),
    cancellableUntil: timeOrNull('Until when the sender has a right to cancel after paying.'),
    licensee: Type.Union([NamedLicensee, Type.Null()], {
      description: 'Who moves the money by law, who supervises it, and where to complain.',
    }),
    contact: Type.Object(
      {
        name: Type.String({ description: 'Your name.' }),
        email: textOrNull('Your e-mail address for help.'),
        url: textOrNull('Your page for help.'),
      },
      { description: 'Whom the sender asks about a mistake, from your settings.' },
    ),
    updatedAt: time('When the order last changed.'),
    version: Type.Integer({ minimum: 1, description: 'The version of the order.' }),
    proof: Type.String({
      description:
        'A signature (compact JWS, `typ` `remesa-receipt+json`) over the fields without personal data. Its key is at `/.well-known/quote-keys.json`.',
    }),
  },
  {
    title: 'Receipt',
    examples: [
      {
        orderId: orderExample.id,
        externalOrderId: orderExample.externalOrderId,
        merchant: 'Acme Remit',
        status: 'COMPLETED',
        fiatIn: 'EUR',
        fiatOut: 'MXN',
        amountIn: 100,
        amountOut: 1952.04,
        rate: 19.5204,
        fee: 2,
        transferAmount: 98,
        exchangeRate: 19.9187,
        amountReceived: 100,
        amountRefunded: 0,
        amountKept: 0,
        amountReversed: 0,
        reference: orderExample.payIn.reference,
        sender: { name: 'Ana García' },
        beneficiary: {
          name: 'Guadalupe Ortega Ruiz',
          country: 'MX',
          method: 'bank_account',
          account: '****9719',
        },
        createdAt: '2026-11-15T09:30:00.000Z',
        paidAt: '2026-11-15T09:41:00.000Z',
        estimatedArrivalAt: '2026-11-16T12:00:00.000Z',
        availableOn: '2026-11-17',
        completedAt: '2026-11-16T10:02:00.000Z',
        refundedAt: null,
        cancellable: 'no',
        cancellableUntil: null,
        licensee: namedLicenseeExample,
        contact: { name: 'Acme Remit', email: 'help@acme.example', url: null },
        updatedAt: '2026-11-16T10:02:00.000Z',
        version: 5,
        proof: 'eyJhbGciOiJFZERTQSJ9.eyJvcmRlcklkIjoi…',
      },
    ],
  },
);
