/** What an operator decided about the risk of a user, and how long it holds. Pure. */
import type { OperatorId } from '../ids.js';
import { isHigher, type Rated, type RiskBand } from './rating.js';

export interface RiskReview {
  /** The band that holds instead of the rated one; undefined: the rated one. */
  readonly band: RiskBand | undefined;
  /** The rated band at that time. */
  readonly ratedBand: RiskBand;
  readonly by: OperatorId;
  readonly at: Date;
}

/** What holds: the band that an operator chose, unless the facts have become worse than they were then. */
export function bandInForce({ band: rated }: Pick<Rated, 'band'>, review: RiskReview | undefined): RiskBand {
  if (review?.band === undefined) return rated;
  const isMilder = isHigher(rated, review.band);
  return isMilder && isHigher(rated, review.ratedBand) ? rated : review.band;
}

/** Whether a decision lets a user through that would be looked at more closely without it. */
export function isLowering(chosen: RiskBand | undefined, inForce: RiskBand, rated: RiskBand): boolean {
  return isHigher(inForce, chosen ?? rated);
}
