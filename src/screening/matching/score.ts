/**
 * The score of a subject against an entry: what is found of both names, then what birth date and country add or take
 * away. All figures are points of 100. They depend on the two sides only, so a list that changes elsewhere changes no
 * score.
 */

import type { BirthRelation } from '../lists/birth-date.js';
import type { SubjectKind } from '../screening.js';
import type { Alignment } from './align.js';

export type CountryRelation = 'equal' | 'differs';

export interface Evidence {
  readonly kind: SubjectKind;
  readonly alignment: Alignment;
  readonly birth: BirthRelation | undefined;
  readonly country: CountryRelation | undefined;
}

export interface Effects {
  readonly commonName: number;
  readonly birth: number;
  readonly country: number;
}

/** The most that birth date and country can add: a name that lacks more than this cannot become a match. */
export const mostAdded = 12;

/** Two rare words. Names of less weight are shared by many people. */
const tellingWeight = 1.55;
const commonNameCost = 7;
const birthEffects = { equal: 9, within: 5, close: 0 } as const;
const leastBirthCost = 16;
const commonBirthCost = 14;
const countryEffects = { equal: 3, differs: -6 } as const;

/** Lists write names in full and people leave names out, so that a missing part of the listed name costs less. */
export const subjectPoints = 60;
export const listedPoints = 40;

function nameScore({ subjectShare, listedShare }: Alignment): number {
  return subjectPoints * subjectShare + listedPoints * listedShare;
}

export function effectsOf({ kind, alignment, birth, country }: Evidence): Effects {
  return {
    commonName: kind === 'person' ? -commonNameCost * lack(alignment.foundWeight, tellingWeight, 0.45) : 0,
    birth: birthEffect(birth, alignment.foundWeight),
    country: country === undefined ? 0 : countryEffects[country],
  };
}

/** The sum of all effects, which may be above 100: of two names that both reach 100, the better one is shown. */
export function pointsOf(evidence: Evidence): number {
  const { commonName, birth, country } = effectsOf(evidence);
  return nameScore(evidence.alignment) + commonName + birth + country;
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
