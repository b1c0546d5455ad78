/**
 * The score of a subject against an entry: what is found of both names, then what birth date and country add or take
 * away. All figures are points of 100. They depend on the two sides only, so a list that changes elsewhere changes no
 * score.
 */

import type { BirthRelation } from '../lists/birth-date.js';
import type { NameKind } from '../names/word-weights.js';
import type { Alignment } from './align.js';

export type CountryRelation = 'equal' | 'differs';

export interface Evidence {
  /** As which the names are compared. */
  readonly kind: NameKind;
  /** The subject is a company and the entry a person, or the reverse. */
  readonly isOtherKind: boolean;
  /** A few words of a long name are compared. */
  readonly isWindow: boolean;
  /** Somebody has seen a document with the birth date and the country of the subject. */
  readonly isVerified: boolean;
  readonly alignment: Alignment;
  readonly birth: BirthRelation | undefined;
  readonly country: CountryRelation | undefined;
}

export interface Effects {
  readonly contained: number;
  readonly window: number;
  readonly otherKind: number;
  readonly commonName: number;
  readonly birth: number;
  readonly country: number;
}

/** The most that birth date and country can add: a name that lacks more than this cannot become a match. */
export const mostAdded = 12;

/** Two rare words. Names of less weight are shared by many people. */
const tellingWeight = 1.55;
const commonNameCost = 7;
/** A listed name that is found in full among others stays a match. It has two rare words. */
const containedShare = 0.9;
const containedWeight = 1.8;
const mostExtraCost = 20;
const windowCost = 5;
const otherKindCost = 5;
const birthEffects = { equal: 9, within: 5, close: 0 } as const;
const leastBirthCost = 16;
const commonBirthCost = 14;
const countryEffects = { equal: 3, differs: -6 } as const;

/** Lists write names in full and people leave names out, so that a missing part of the listed name costs less. */
export const subjectPoints = 60;
export const listedPoints = 40;

/** What the names alone are worth, before common names cost something. */
export function namePoints(alignment: Pick<Alignment, 'subjectShare' | 'listedShare' | 'foundWeight'>): number {
  const { subjectShare, listedShare } = alignment;
  return subjectPoints * subjectShare + listedPoints * listedShare + containedEffect(alignment);
}

/** The most that a listed name of this weight can have in common with the words of a name that weigh `foundWeight`. */
export function heaviestContained(foundWeight: number, listedWeight: number): number {
  return foundWeight >= containedWeight ? listedWeight / containedShare : 0;
}

/** Whether a few words of a long name are enough to mean somebody. */
export function isTelling({ isWindow, alignment }: Pick<Evidence, 'isWindow' | 'alignment'>): boolean {
  return !isWindow || alignment.foundWeight >= tellingWeight;
}

/** More words than the listed name has cost `mostExtraCost` at most. */
function containedEffect({ subjectShare, listedShare, foundWeight }: Parameters<typeof namePoints>[0]): number {
  if (listedShare < containedShare || foundWeight < containedWeight) return 0;
  return Math.max(0, subjectPoints * (1 - subjectShare) - mostExtraCost);
}

export function effectsOf({ kind, alignment, birth, country, ...evidence }: Evidence): Effects {
  return {
    contained: containedEffect(alignment),
    window: evidence.isWindow ? -windowCost : 0,
    otherKind: evidence.isOtherKind ? -otherKindCost : 0,
    commonName: kind === 'person' ? -commonNameCost * lack(alignment.foundWeight, tellingWeight, 0.45) : 0,
    birth: lowered(birthEffect(birth, alignment.foundWeight), evidence),
    country: country === undefined ? 0 : lowered(countryEffects[country], evidence),
  };
}

/** What somebody only claims may raise a score; it lowers none. */
function lowered(effect: number, { isVerified }: Pick<Evidence, 'isVerified'>): number {
  return isVerified ? effect : Math.max(0, effect);
}

/** The sum of all effects, which may be above 100: of two names that both reach 100, the better one is shown. */
export function pointsOf(evidence: Evidence): number {
  const { window, otherKind, commonName, birth, country } = effectsOf(evidence);
  return namePoints(evidence.alignment) + window + otherKind + commonName + birth + country;
}

export function scoreOf(points: number): number {
  return Math.max(0, Math.min(100, Math.round(points)));
}

/** A wrong birth date clears a common name; a rare name in full stays a match for a person to look at. */
function birthEffect(birth: BirthRelation | undefined, foundWeight: number): number {
  if (birth === undefined) return 0;
  if (birth !== 'differs') return birthEffects[birth];
  return -leastBirthCost - commonBirthCost * lack(foundWeight, 2.2, 1.1);
}

/** From 0, when the weight is enough, to 1, when it is less by `range`. */
function lack(weight: number, enough: number, range: number): number {
  return Math.max(0, Math.min(1, (enough - weight) / range));
}
