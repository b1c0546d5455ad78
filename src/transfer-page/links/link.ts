/**
 * Owns the links to the page of an order, which the sender of that order uses. Does not own the order (orders) nor what
 * is paid out (payouts): whoever has a link calls their verbs as the sender.
 */
import type { MerchantId, PublicId, UserId } from '../../ids.js';
import type { Locale } from '../../locale.js';
import type { OrderId } from '../../orders/order/order.js';

export type LinkId = PublicId<'lnk'>;

export interface TransferLink {
  readonly merchantId: MerchantId;
  readonly linkId: LinkId;
  readonly orderId: OrderId;
  readonly userId: UserId;
  /** The language that the merchant chose. */
  readonly locale: Locale | undefined;
  /** Where the page leads back to: an address that the merchant registered. */
  readonly redirectUrl: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly withdrawnAt: Date | undefined;
  readonly isExpired: boolean;
}

export const linkDays = { least: 1, usual: 30, most: 180 } as const;
/** How long an expired link is reported as expired instead of unknown. */
export const rememberedDays = 30;
/** Of one order, whether they still work or not. */
export const linksAtMost = 100;
