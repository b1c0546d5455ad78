/** Whether a user may place an order of this size: a check that runs after the quote and the user have been locked. */
import type { MerchantId, UserId } from '../../ids.js';
import type { KycLevel } from '../../kyc-level.js';
import type { Amount } from '../../money/amount.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Corridor, KycBand } from '../../rates/corridors/corridor.js';
import type { CountedValue } from '../order/order.js';

export interface AdmissionRequest {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  /** The sender's country, by ISO 3166-1 in two letters. */
  readonly country: string;
  readonly amountIn: Amount;
  readonly corridor: Corridor;
}

/**
 * Returns the value by which limits count the order. Throws `kyc_level_required` when the user does not hold the level
 * that the amount needs, `limit_exceeded`, and `rates_unavailable` when the order cannot be valued.
 */
export type Admit = (tx: Transaction, request: AdmissionRequest) => Promise<CountedValue | undefined>;

/** The KYC level that sending this amount requires. */
export function levelFor(bands: readonly KycBand[], { minor }: Amount): KycLevel | undefined {
  return bands.find(({ upToMinor }) => upToMinor === undefined || minor <= upToMinor)?.level;
}
