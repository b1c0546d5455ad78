/** The bank of the sandbox: a movement on the merchant's simulated account. A live instance has no such verb. */

import { simulatedAccountId } from '../bank/accounts/bank-account.js';
import type { By } from '../caller.js';
import { invalidFields, type RemesaError } from '../errors.js';
import { type MerchantId, newPublicId, publicId } from '../ids.js';
import { type Amount, isZero } from '../money/amount.js';
import { currencyCode } from '../money/currency.js';
import { amountToLiteral } from '../money/literal.js';
import { lockOrder, orderNotFound } from '../orders/order/finding.js';
import type { Order } from '../orders/order/order.js';
import { missingOf } from '../orders/order/payable.js';
import { readMerchantClock } from '../postgres/merchant-clock.js';
import type { Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import { findCandidate } from './matching/candidates.js';
import type { Candidate } from './matching/matching.js';
import { readMovement } from './movement-fields.js';
import type { PaymentService, RecordedPayment } from './service.js';

export interface SimulationOptions {
  readonly users: UserService;
  readonly payments: PaymentService;
}

/** Exactly one of `orderId` and `reference`. What is absent is what the order needs. */
export interface SimulatedPayment {
  readonly orderId: string | undefined;
  /** The text that the payer wrote. */
  readonly reference: string | undefined;
  /** The number as it was written. */
  readonly amount: string | undefined;
  readonly currency: string | undefined;
  readonly bookedAt: string | undefined;
  readonly payerName: string | undefined;
}

export class SimulationService {
  readonly #options: SimulationOptions;

  constructor(options: SimulationOptions) {
    this.#options = options;
  }

  /** Throws `order_not_found`, and `invalid_fields` when the amount is absent and no order says it. */
  async pay(
    tx: Transaction,
    { requestId }: By,
    merchantId: MerchantId,
    asked: SimulatedPayment,
  ): Promise<RecordedPayment> {
    const { text, candidate } = await this.#find(tx, merchantId, asked);
    const order = 'order' in candidate ? candidate.order : undefined;
    const due = order && dueOf(order);
    const currency = currencyCode(asked.currency) ?? due?.currency;
    const amount = asked.amount ?? (due && due.currency === currency ? amountToLiteral(due) : undefined);
    if (currency === undefined) throw required('currency');
    if (amount === undefined) throw required('amount');
    const read = readMovement(
      {
        amount,
        currency,
        bankReference: `SIMULATED-${newPublicId('pay').slice(4)}`,
        bookedAt: asked.bookedAt ?? (await readMerchantClock(tx, merchantId)).toISOString(),
        payerName: asked.payerName ?? (await this.#senderOf(tx, order)),
        // Refunds go back there, on the simulated rail.
        payerAccount: `SIMULATED-${order?.userId ?? 0}`,
        remittanceText: text,
      },
      { currency, timeZone: undefined },
    );
    if ('faults' in read) throw invalidFields(read.faults);
    const account = { ownerId: merchantId, accountId: simulatedAccountId };
    const by: By = {
      actor: { kind: 'system', name: 'sandbox bank' },
      ...(requestId === undefined ? {} : { requestId }),
    };
    const { payments } = this.#options;
    return payments.record(tx, by, { account, movement: read.movement, source: 'sandbox', candidate });
  }

  async #find(
    tx: Transaction,
    merchantId: MerchantId,
    { orderId: id, reference = '' }: SimulatedPayment,
  ): Promise<{ text: string; candidate: Candidate }> {
    if (id === undefined) {
      const candidate = await findCandidate(tx, merchantId, reference);
      return { text: reference, candidate };
    }
    const orderId = publicId('ord', id);
    if (!orderId) throw orderNotFound();
    const order = await lockOrder(tx, this.#options.users, { merchantId, orderId });
    return { text: order.payinReference, candidate: { order } };
  }

  async #senderOf(tx: Transaction, order: Order | undefined): Promise<string> {
    const profile = order && (await this.#options.users.profile(tx, order.merchantId, order.userId));
    return profile ? `${profile.firstName} ${profile.lastName}` : 'Simulated Payer';
  }
}

/** What is missing; the whole amount once nothing is. */
function dueOf(order: Order): Amount {
  const missing = missingOf(order);
  return isZero(missing) ? order.amountIn : missing;
}

function required(field: string): RemesaError {
  return invalidFields([
    { field, code: 'required', message: 'is required, because the payment names no order to take it from' },
  ]);
}
