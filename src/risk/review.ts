/** What an operator decided about the risk of a user, and how long it holds. Pure. */
import type { OperatorId } from '../ids.js';
import { isHigher, type Rated, type RiskBand, type RiskPoints } from './rating.js';

export interface RiskReview {
  /** The band that holds instead of the rated one; undefined: the rated one. */
  readonly band: RiskBand | undefined;
  /** What the facts gave at that time. */
  readonly points: number;
  readonly by: OperatorId;
  readonly at: Date;
}

/**
 * What holds: the band that an operator chose. A milder one than the rated one ends when the facts give more points
 * than they did then, and never holds for who is politically exposed.
 */
export function bandInForce({ band: rated, points, because }: Rated, review: RiskReview | undefined): RiskBand {
  if (review?.band === undefined) return rated;
  const isMilder = isHigher(rated, review.band);
  return isMilder && (points > review.points || isAboutExposure(because)) ? rated : review.band;
}

/** Enhanced measures are a duty then: nobody lowers the band. */
export function isAboutExposure(because: readonly RiskPoints[]): boolean {
  return because.some(({ factor }) => factor === 'exposure');
}

/** Whether a decision lets a user through that would be looked at more closely without it. */
export function isLowering(chosen: RiskBand | undefined, inForce: RiskBand, rated: RiskBand): boolean {
  return isHigher(inForce, chosen ?? rated);
}
