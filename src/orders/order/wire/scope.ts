/** Whose orders a caller may see: all of a merchant, or those of one user. */
import type { MerchantCaller, SelectedUser, UserCaller } from '../../../caller.js';
import type { MerchantId, UserId } from '../../../ids.js';

export interface OrderScope {
  readonly merchantId: MerchantId;
  readonly userId: UserId | undefined;
}

export function scopeOf({
  caller,
  user,
}: {
  readonly caller: MerchantCaller | UserCaller;
  readonly user: SelectedUser | undefined;
}): OrderScope {
  return { merchantId: caller.merchantId, userId: user?.id };
}
