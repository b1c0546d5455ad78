/** Whether the sender still holds the KYC level that the amount of an order requires. */
import type { KycService } from '../../kyc/service.js';
import { type KycLevel, kycLevels } from '../../kyc-level.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Corridor } from '../../rates/corridors/corridor.js';
import { levelFor } from '../admission.js';
import type { Order } from '../order.js';

/** Returns the level that is required and not held; undefined when nothing is missing. */
export type MissingLevel = (database: Queryable, order: Order) => Promise<KycLevel | undefined>;

export interface LevelOptions {
  readonly kyc: Pick<KycService, 'levels'>;
  /** Also a closed corridor: its orders finish by its rules. */
  readonly corridor: (fiatIn: CurrencyCode, fiatOut: CurrencyCode) => Corridor | undefined;
}

export function missingLevelBy({ kyc, corridor }: LevelOptions): MissingLevel {
  return async (database, { merchantId, userId, amountIn, amountOut }) => {
    const terms = corridor(amountIn.currency, amountOut.currency);
    const required = terms ? levelFor(terms.kycBands, amountIn) : kycLevels.at(-1);
    if (required === undefined) return undefined;
    const held = await kyc.levels(database, merchantId, userId);
    return held.includes(required) ? undefined : required;
  };
}
