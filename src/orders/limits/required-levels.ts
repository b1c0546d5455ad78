/** Whether the sender still holds the KYC level that the amount of an order requires. */
import type { MerchantId, UserId } from '../../ids.js';
import type { KycService } from '../../kyc/service.js';
import { type KycLevel, kycLevels, levelsUpTo } from '../../kyc-level.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Corridor } from '../../rates/corridors/corridor.js';
import type { Order } from '../order/order.js';
import { levelFor } from './admission.js';

export interface LevelOptions {
  readonly kyc: Pick<KycService, 'levels' | 'highestLevels'>;
  /** Also a closed corridor: its orders finish by its rules. */
  readonly corridor: (fiatIn: CurrencyCode, fiatOut: CurrencyCode) => Corridor | undefined;
}

/** The highest level that each user holds. */
export type HeldLevels = ReadonlyMap<UserId, KycLevel>;

export class RequiredLevels {
  readonly #options: LevelOptions;

  constructor(options: LevelOptions) {
    this.#options = options;
  }

  /** Returns the level that is required and not held; undefined when nothing is missing. */
  async missing(database: Queryable, order: Order): Promise<KycLevel | undefined> {
    const required = this.#required(order);
    if (required === undefined) return undefined;
    const held = await this.#options.kyc.levels(database, order.merchantId, order.userId);
    return held.includes(required) ? undefined : required;
  }

  /** The levels of several users, for `missingAmong`. */
  heldBy(database: Queryable, merchantId: MerchantId, userIds: readonly UserId[]): Promise<HeldLevels> {
    return this.#options.kyc.highestLevels(database, merchantId, userIds);
  }

  missingAmong(held: HeldLevels, order: Order): KycLevel | undefined {
    const required = this.#required(order);
    const highest = held.get(order.userId);
    const isHeld = required === undefined || (highest && levelsUpTo(highest).includes(required));
    return isHeld ? undefined : required;
  }

  #required({ amountIn, amountOut }: Order): KycLevel | undefined {
    const terms = this.#options.corridor(amountIn.currency, amountOut.currency);
    return terms ? levelFor(terms.kycBands, amountIn) : kycLevels.at(-1);
  }
}
