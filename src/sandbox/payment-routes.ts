/** Lets a merchant pay orders in the sandbox: a movement on its simulated account. */
import Type from 'typebox';
import type { FieldFault } from '../errors.js';
import { command, type Route } from '../http/route.js';
import { encodeRecorded } from '../payments/routes.js';
import { currency, PaymentShape } from '../payments/schemas.js';
import type { SimulationService } from '../payments/simulation-service.js';

const SimulatedPaymentShape = Type.Object(
  {
    orderId: Type.Optional(
      Type.String({ maxLength: 40, description: 'The order to pay. Send either this or `reference`.' }),
    ),
    reference: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'What the payer wrote: a pay-in reference, or any text, to try out what happens then.',
      }),
    ),
    amount: Type.Optional(Type.Number({ description: 'Absent: exactly what the order needs.' })),
    currency: Type.Optional(currency),
    bookedAt: Type.Optional(
      Type.String({ maxLength: 40, description: 'When the bank booked it. Absent: now, by your clock.' }),
    ),
    payerName: Type.Optional(
      Type.String({ minLength: 1, maxLength: 140, description: 'Absent: the name of the user.' }),
    ),
  },
  {
    title: 'SimulatedPayment',
    additionalProperties: false,
    examples: [{ orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F' }],
  },
);

export function sandboxPaymentRoutes(simulation: SimulationService): Route[] {
  return [
    command({
      tag: 'Sandbox',
      method: 'POST',
      path: '/sandbox/payments',
      operationId: 'payInSandbox',
      summary: 'Pay an order',
      description:
        'Simulates a payment into your account. With `orderId` alone, the order is paid exactly. With other values you see what happens to payments that are short, late, in another currency, or without a reference.',
      returns: 'The payment, and what became of it.',
      access: { token: 'merchant', scope: 'orders', user: 'none' },
      body: SimulatedPaymentShape,
      inspect: choiceFaults,
      literals: ['/amount'],
      answer: PaymentShape,
      refusals: ['order_not_found', 'ledger_fault'],
      async run(call, tx) {
        const { orderId, reference, currency: asked, bookedAt, payerName } = call.body;
        const amount = call.literal('/amount');
        const payment = { orderId, reference, amount, currency: asked, bookedAt, payerName };
        return encodeRecorded(await simulation.pay(tx, call.by, call.caller.merchantId, payment));
      },
    }),
  ];
}

function choiceFaults(body: unknown): FieldFault[] {
  const { orderId, reference } = (body ?? {}) as Record<string, unknown>;
  if ((orderId === undefined) !== (reference === undefined)) return [];
  const code = orderId === undefined ? 'required' : 'not_allowed';
  return [{ field: 'orderId', code, message: 'send either orderId or reference' }];
}
