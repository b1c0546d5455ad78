/** Builds the rooms through which money moves: orders, and the rooms above them that orders reach through their ports. */
import { type OrderRoom, type OrderRoomOptions, orderRoom } from '../orders/room.js';
import { PayinAccountService } from '../payments/accounts/service.js';
import { type PaymentRoom, type PaymentRoomOptions, paymentRoom } from '../payments/room.js';

type MoneyRoomOptions = Omit<OrderRoomOptions, 'payinAccounts'> &
  Omit<PaymentRoomOptions, 'accounts' | 'orders'> & { readonly mode: 'sandbox' | 'live' };

export interface MoneyRooms {
  readonly orders: OrderRoom;
  readonly payments: PaymentRoom;
}

export function moneyRooms({ mode, ...options }: MoneyRoomOptions): MoneyRooms {
  const accounts = new PayinAccountService({ hasSimulated: mode === 'sandbox' });
  const orders = orderRoom({ ...options, payinAccounts: accounts });
  return { orders, payments: paymentRoom({ ...options, accounts, orders }) };
}
