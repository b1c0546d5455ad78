/** Builds the rooms through which money moves: orders, and the rooms above them that orders reach through their ports. */
import type { Payouts } from '../orders/order/ports.js';
import { type OrderRoom, type OrderRoomOptions, orderRoom } from '../orders/room.js';
import { PayinAccountService } from '../payments/accounts/service.js';
import { payerRule } from '../payments/applications/payer-rule.js';
import { type PaymentRoom, type PaymentRoomOptions, paymentRoom } from '../payments/room.js';
import { type PayoutRoom, type PayoutRoomOptions, payoutRoom } from '../payouts/room.js';
import type { FindPayer } from '../payouts/service.js';

type MoneyRoomOptions = Omit<OrderRoomOptions, 'payinAccounts' | 'payouts' | 'gateRules' | 'mode'> &
  Omit<PaymentRoomOptions, 'accounts' | 'orders' | 'suspenseRefunds'> &
  Omit<PayoutRoomOptions, 'orders' | 'findPayer' | 'suspenseOutcomes'> & {
    readonly mode: 'sandbox' | 'live';
    /** What tests put in the place of the room that pays out. */
    readonly replacedPayouts: Payouts | undefined;
  };

export interface MoneyRooms {
  readonly orders: OrderRoom;
  readonly payments: PaymentRoom;
  readonly payouts: PayoutRoom;
}

export async function moneyRooms({ mode, replacedPayouts, ...options }: MoneyRoomOptions): Promise<MoneyRooms> {
  const accounts = new PayinAccountService({ hasSimulated: mode === 'sandbox' });
  const ports = {
    payinAccounts: accounts,
    payouts: () => replacedPayouts ?? payouts.service,
    gateRules: [payerRule],
  };
  const orders: OrderRoom = await orderRoom({ ...options, mode, ...ports });
  const suspenseRefunds = () => payouts.suspenseRefunds;
  const payments = paymentRoom({ ...options, accounts, orders, suspenseRefunds });
  const findPayer: FindPayer = (...order) => payments.service.payingAccount(...order);
  const payouts: PayoutRoom = await payoutRoom({
    ...options,
    orders,
    findPayer,
    suspenseOutcomes: payments.refundOutcomes,
  });
  return { orders, payments, payouts };
}
