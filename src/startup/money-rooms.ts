/** The rooms through which money moves: orders, what is paid for them, and what is paid out. */
import type { bankRoom } from '../bank/room.js';
import type { Config } from '../config/config.js';
import type { Payouts } from '../orders/order/ports.js';
import { orderRoom } from '../orders/room.js';
import type { OrderRoom, OrderRoomOptions } from '../orders/room-options.js';
import { PayinAccountService } from '../payments/accounts/service.js';
import { payerRule } from '../payments/applications/payer-rule.js';
import { paymentRoom } from '../payments/room.js';
import { InstanceSealer } from '../payments/sealed.js';
import { OrderPayers } from '../payments/shares/order-payers.js';
import { AttemptKeys } from '../payouts/attempt-keys.js';
import { SuspenseRefundService } from '../payouts/refunds/suspense-refunds.js';
import { type PayoutRoom, type PayoutRoomOptions, payoutRoom } from '../payouts/room.js';
import type { closing } from './room.js';

export type MoneyRoomOptions = Omit<
  OrderRoomOptions,
  'payinAccounts' | 'payouts' | 'payers' | 'gateRules' | 'limits'
> & {
  readonly bank: ReturnType<typeof bankRoom>;
  readonly config: Config;
  readonly isSendingHeld: () => Promise<boolean>;
  readonly open: ReturnType<typeof closing>;
  readonly rails: PayoutRoomOptions['rails'];
  /** What tests have instead of the room of payouts. */
  readonly replacedPayouts: Payouts | undefined;
};

export async function moneyRooms({
  config,
  isSendingHeld,
  open,
  replacedPayouts,
  rails,
  bank,
  ...base
}: MoneyRoomOptions) {
  const { rootKey, mode } = base;
  const accounts = new PayinAccountService({ hasSimulated: mode === 'sandbox' });
  const payers = new OrderPayers({ users: base.users.service, sealer: new InstanceSealer(rootKey) });
  const orders: OrderRoom = open(
    await orderRoom({
      ...base,
      limits: config.limits,
      payinAccounts: accounts,
      // Orders open payouts, and payouts report to orders: so orders ask for the room above them when they need it.
      payouts: () => replacedPayouts ?? payouts.service,
      payers,
      gateRules: [payerRule],
    }),
  );
  const suspenseRefunds = new SuspenseRefundService({
    keys: new AttemptKeys(base.users.service, rootKey),
    rails: new Map(rails.all.map((rail) => [rail.name, rail])),
    routes: config.payoutRails,
    manualRail: rails.manual,
  });
  const payments = paymentRoom({ ...base, settings: config, accounts, orders, suspenseRefunds });
  const payouts: PayoutRoom = open(
    await payoutRoom({
      ...base,
      settings: config,
      isSendingHeld,
      rails,
      orders,
      findPayer: (...asked) => payers.find(...asked),
      bankAccounts: bank.accounts,
      suspenseOutcomes: payments.refundOutcomes,
      refundExits: {
        ofOrder: (...asked) => orders.refundExit.mayLeave(...asked),
        ofSuspense: (...asked) => payments.mayLeave(...asked),
      },
    }),
  );
  return { orders, payments, payouts };
}
