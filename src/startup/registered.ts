/** What rooms do for the rooms below them: those do not know who registers. */
import type { BeneficiaryRoom } from '../beneficiaries/room.js';
import type { HoldService } from '../cases/holds/service.js';
import type { ComplaintService } from '../complaints/service.js';
import type { Blocking } from '../kyc/hits/review-service.js';
import type { KycRoom } from '../kyc/room.js';
import { forgetMailsOf } from '../mail/senders/service.js';
import type { OrderRoom } from '../orders/room-options.js';
import type { PaymentRoom } from '../payments/room.js';
import type { MoneyOfUsers } from '../persons/blocks/apply-job.js';
import type { PersonIndex } from '../persons/service.js';
import type { RiskService } from '../risk/service.js';
import type { TransferPageRoom } from '../transfer-page/room.js';
import type { UserService } from '../users/service.js';
import type { Dependents } from '../users/user.js';

interface RoomsOfUsers {
  readonly beneficiaries: BeneficiaryRoom;
  readonly orders: OrderRoom;
  readonly kyc: KycRoom;
  readonly transferPages: TransferPageRoom;
  readonly persons: PersonIndex;
  /** Cases are above everything, and are built last. */
  readonly holds: () => Pick<HoldService, 'isHeld'>;
  readonly risk: () => Pick<RiskService, 'forget'>;
  readonly complaints: () => Pick<ComplaintService, 'isWaiting'>;
}

/** Users are below the rooms that have data of a user, so those take part in an erasure. */
export function dependentsOf({
  beneficiaries,
  orders,
  kyc,
  transferPages,
  persons,
  holds,
  risk,
  complaints,
}: RoomsOfUsers): Dependents {
  return {
    async erase(tx, merchantId, userId) {
      await beneficiaries.service.erase(tx, merchantId, userId);
      await transferPages.links.erase(tx, merchantId, userId);
      await transferPages.invitations.erase(tx, merchantId, userId);
      await forgetMailsOf(tx, merchantId, userId);
      const ofOrders = await orders.erasure.erase(tx, merchantId, userId);
      const ofKyc = await kyc.service.erase(tx, merchantId, userId);
      const isHeld = await holds().isHeld(tx, { merchantId, userId });
      const isWaiting = await complaints().isWaiting(tx, { merchantId, userId });
      const mustRetain = ofOrders.mustRetain || ofKyc.mustRetain || isHeld || isWaiting;
      if (!ofOrders.hasOpenOrders && !mustRetain) {
        await orders.erasure.forget(tx, merchantId, userId);
        await risk().forget(tx, { merchantId, userId });
      }
      return { hasOpenOrders: ofOrders.hasOpenOrders, mustRetain };
    },
    identityChanged: (tx, merchantId, userId, fields) => kyc.service.identityChanged(tx, merchantId, userId, fields),
    /**
     * Throws while an order of the user is open, because nobody could pay its money back without the key; while a
     * complaint waits, because nobody could answer it; and while a legal hold or an open case wants the data kept. The
     * job tries again.
     */
    async retentionEnded(tx, merchantId, userId) {
      if (await orders.erasure.hasOpenOrders(tx, merchantId, userId)) {
        throw new Error('an order of the erased user is open');
      }
      if (await holds().isHeld(tx, { merchantId, userId })) throw new Error('the data of the erased user is held');
      if (await complaints().isWaiting(tx, { merchantId, userId }))
        throw new Error('a complaint of the erased user waits for an answer');
      await orders.erasure.forget(tx, merchantId, userId);
      await kyc.service.retentionEnded(tx, merchantId, userId);
      await persons.forget(tx, { merchantId, userId });
      await risk().forget(tx, { merchantId, userId });
    },
  };
}

interface RoomsWithMoney {
  readonly orders: OrderRoom;
  readonly payments: PaymentRoom;
}

/** KYC is below the rooms that have money of a user, so those take part in blocking a person. */
export function blockingOf({ orders, payments }: RoomsWithMoney): Blocking {
  return {
    async block(tx, by, person) {
      const orderIds = await orders.freezes.block(tx, by, person);
      await payments.suspense.block(tx, by, person, orderIds);
    },
  };
}

/** The block list is below the rooms that have money of a user. */
export function moneyOf({
  users,
  orders,
  payments,
}: RoomsWithMoney & { readonly users: { readonly service: UserService } }): MoneyOfUsers {
  return {
    async freeze(tx, by, { merchantId, userId }, note) {
      await users.service.lock(tx, merchantId, userId);
      const person = { merchantId, userId, note };
      const orderIds = await orders.freezes.block(tx, by, person);
      await payments.suspense.block(tx, by, person, orderIds);
    },
  };
}
