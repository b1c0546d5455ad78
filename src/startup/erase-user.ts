/** Lets every room with data of a user take part in the user's erasure. */
import type { BeneficiaryRoom } from '../beneficiaries/room.js';
import type { KycRoom } from '../kyc/room.js';
import type { OrderRoom } from '../orders/room.js';
import type { ErasureGuard, RetentionEnded } from '../users/user.js';

interface RoomsOfUsers {
  readonly beneficiaries: BeneficiaryRoom;
  readonly orders: OrderRoom;
  readonly kyc: KycRoom;
}

/** The rooms are built after the users room, so they are read when a user is erased. */
export function eraseUser(rooms: () => RoomsOfUsers): ErasureGuard {
  return async (...user) => {
    const { beneficiaries, orders, kyc } = rooms();
    await beneficiaries.service.erase(...user);
    const ofOrders = await orders.erasure.erase(...user);
    const ofKyc = await kyc.service.erase(...user);
    const mustRetain = ofOrders.mustRetain || ofKyc.mustRetain;
    if (!ofOrders.hasOpenOrders && !mustRetain) await orders.erasure.forget(...user);
    return { hasOpenOrders: ofOrders.hasOpenOrders, mustRetain };
  };
}

/**
 * The retained key was destroyed: what the rooms still have of the user goes too. Throws while an order of the user is open,
 * because nobody could pay its money back without the key. The key then stays, and the job tries again.
 */
export function endRetention(rooms: () => Pick<RoomsOfUsers, 'orders' | 'kyc'>): RetentionEnded {
  return async (...user) => {
    const { orders, kyc } = rooms();
    if (await orders.erasure.hasOpenOrders(...user)) throw new Error('an order of the erased user is open');
    await orders.erasure.forget(...user);
    await kyc.service.retentionEnded(...user);
  };
}
