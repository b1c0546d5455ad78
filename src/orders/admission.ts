/** Whether a user may place an order of this size: a check that runs after the quote and the user have been locked. */
import { RemesaError } from '../errors.js';
import type { MerchantId, UserId } from '../ids.js';
import type { KycService } from '../kyc/service.js';
import { zoneOf } from '../kyc/zones.js';
import type { KycLevel } from '../kyc-level.js';
import type { Amount } from '../money/amount.js';
import type { Transaction } from '../postgres/statement.js';
import type { Corridor, KycBand } from '../rates/corridors/corridor.js';
import type { CountedValue } from './order.js';

export interface AdmissionRequest {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  /** The sender's country, by ISO 3166-1 in two letters. */
  readonly country: string;
  readonly amountIn: Amount;
  readonly corridor: Corridor;
}

/**
 * Returns the value by which limits count the order, if they count it. Throws `kyc_level_required` when the user does not
 * hold the level that the amount needs.
 */
export type Admit = (tx: Transaction, request: AdmissionRequest) => Promise<CountedValue | undefined>;

/** Requires the KYC level of the corridor's band. */
export function admitByLevel(kyc: Pick<KycService, 'levels'>): Admit {
  return async (tx, { merchantId, userId, country, amountIn, corridor }) => {
    const requiredLevel = levelFor(corridor.kycBands, amountIn);
    if (requiredLevel === undefined) return undefined;
    const levels = await kyc.levels(tx, merchantId, userId);
    if (!levels.includes(requiredLevel)) throw levelRequired(requiredLevel, zoneOf(country));
    return undefined;
  };
}

export function levelFor(bands: readonly KycBand[], { minor }: Amount): KycLevel | undefined {
  return bands.find(({ upToMinor }) => upToMinor === undefined || minor <= upToMinor)?.level;
}

function levelRequired(requiredLevel: KycLevel, zone: string | undefined): RemesaError {
  const formPath = zone === undefined ? null : `/kyc/register/${requiredLevel}/${zone}`;
  return new RemesaError(
    'forbidden',
    'kyc_level_required',
    `Sending this amount requires ${requiredLevel}, which the user does not hold.`,
    { members: { requiredLevel, zone: zone ?? null, formPath } },
  );
}
