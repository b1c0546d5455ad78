/**
 * Decides whether a user may send an amount: the KYC level that it needs, and the limits of the level that the user
 * holds.
 */
import { type RemesaError, userNotFound } from '../../errors.js';
import type { MerchantId, UserId } from '../../ids.js';
import type { KycService } from '../../kyc/service.js';
import { type KycLevel, levelsUpTo } from '../../kyc-level.js';
import type { Amount } from '../../money/amount.js';
import type { Queryable } from '../../postgres/statement.js';
import { pairKey } from '../../rates/board/guard.js';
import type { Corridor, KycBand } from '../../rates/corridors/corridor.js';
import type { UserService } from '../../users/service.js';
import type { CountedValue } from '../order/order.js';
import { type Admit, levelFor } from './admission.js';
import { exceededBy, type Limit, type LimitTable, levelAfter, limitsOf, type Usage, unpaidLimitOf } from './limits.js';
import { levelRequired, limitExceeded, noUsdRate } from './refusals.js';
import { findUsage } from './store.js';
import { type UsdRates, usdValueOf } from './usd-value.js';
import type { NextLevel, UserLimits } from './user-limits.js';

export interface LimitOptions {
  readonly kyc: Pick<KycService, 'levels'>;
  readonly users: Pick<UserService, 'profile'>;
  readonly rates: UsdRates;
  readonly table: LimitTable;
  /** The corridors in which orders that ended unpaid count. */
  readonly countingPairs: () => readonly string[];
}

interface Sender {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
}

/** An amount that somebody wants to send. */
export interface IntendedAmount {
  readonly amountIn: Amount;
  readonly kycBands: readonly KycBand[];
  /** Undefined where the corridor is not open. */
  readonly corridor: Pick<Corridor, 'fiatIn' | 'fiatOut' | 'maxUnpaidOrders'> | undefined;
}

export interface Assessment {
  /** Everything that stands against the order; empty when it is allowed. */
  readonly refusals: readonly RemesaError[];
  /** Undefined when there is no rate to value the order by. */
  readonly counted: CountedValue | undefined;
}

export class LimitService {
  readonly #options: LimitOptions;

  constructor(options: LimitOptions) {
    this.#options = options;
  }

  /**
   * Decides on an order in the transaction that creates it, under the lock of the user. Throws `kyc_level_required`,
   * `rates_unavailable` or `limit_exceeded`.
   */
  readonly admit: Admit = async (tx, { merchantId, userId, country, amountIn, corridor }) => {
    const limits = await this.limitsOf(tx, { merchantId, userId }, country);
    const { refusals, counted } = this.assess(limits, { amountIn, kycBands: corridor.kycBands, corridor });
    if (refusals[0]) throw refusals[0];
    return counted;
  };

  /** Throws `user_not_found` when the user was deleted meanwhile. */
  async show(database: Queryable, sender: Sender): Promise<UserLimits> {
    const profile = await this.#options.users.profile(database, sender.merchantId, sender.userId);
    if (!profile) throw userNotFound();
    return this.limitsOf(database, sender, profile.countryCode);
  }

  /** What the user may send now. `country` is the user's. */
  async limitsOf(database: Queryable, sender: Sender, country: string): Promise<UserLimits> {
    const { merchantId, userId } = sender;
    const [levels, usage] = await Promise.all([
      this.#options.kyc.levels(database, merchantId, userId),
      findUsage(database, merchantId, userId, this.#options.countingPairs()),
    ]);
    const level = levels.at(-1);
    return {
      level,
      country,
      limits: limitsOf(this.#options.table, level, usage),
      unpaidPairs: usage.unpaidPairs,
      next: this.#nextLevel(level, usage),
    };
  }

  /** Returns everything that `admit` could throw for this amount. */
  assess(limits: UserLimits, { amountIn, kycBands, corridor }: IntendedAmount): Assessment {
    const requiredLevel = levelFor(kycBands, amountIn);
    const isHeld = requiredLevel === undefined || holds(limits.level, requiredLevel);
    const levelRefusals = isHeld ? [] : [levelRequired(requiredLevel, limits)];
    const counted = usdValueOf(this.#options.rates, amountIn);
    if (!counted) return { refusals: [...levelRefusals, noUsdRate(amountIn.currency)], counted };
    const { usdMinor } = counted;
    const exceeded = exceededBy(withLimitOf(corridor, limits), usdMinor);
    const limitRefusals = exceeded.length === 0 ? [] : [limitExceeded(limits, exceeded, usdMinor)];
    return { refusals: [...levelRefusals, ...limitRefusals], counted };
  }

  #nextLevel(level: KycLevel | undefined, usage: Usage): NextLevel | undefined {
    const next = levelAfter(level);
    return next && { level: next, limits: limitsOf(this.#options.table, next, usage) };
  }
}

/** A corridor that allows fewer unpaid orders stands for the limit on all of them once it is reached. */
function withLimitOf(corridor: IntendedAmount['corridor'], { limits, unpaidPairs }: UserLimits): readonly Limit[] {
  if (!corridor) return limits;
  const key = pairKey(corridor.fiatIn, corridor.fiatOut);
  const ofCorridor = unpaidLimitOf(corridor.maxUnpaidOrders, unpaidPairs.filter((pair) => pair === key).length);
  if (ofCorridor.left > 0n) return limits;
  return limits.map((limit) => (limit.name === 'unpaid_orders' ? ofCorridor : limit));
}

function holds(level: KycLevel | undefined, required: KycLevel): boolean {
  return level !== undefined && levelsUpTo(level).includes(required);
}
