/** What a name can score at most, given a part of what is known about it. Names that cannot match are not compared in full. */

import type { BirthRelation } from '../lists/birth-date.js';
import type { SubjectKind } from '../screening.js';
import type { EntryRelations } from './entry-relations.js';
import { type Evidence, mostAdded, pointsOf, scoreOf } from './score.js';

/** The most that can be found: the shares of both names, and the weight of what is found. */
export interface Bound {
  readonly subjectShare: number;
  readonly listedShare: number;
  readonly foundWeight: number;
}

export type ImpossibleBirths = ReadonlySet<BirthRelation | undefined>;

/** Weights are stored in 32 bits, so that a sum may be a little too small. */
const tolerance = 1e-5;

export class Reach {
  /** The least name score of a match, from 0 to 1, when birth date and country speak for it. */
  readonly floor: number;

  constructor(
    readonly kind: SubjectKind,
    readonly relations: EntryRelations,
    readonly matchScore: number,
  ) {
    this.floor = (matchScore - mostAdded - 0.5) / 100;
  }

  /** The birth dates that rule a match out, whatever the country is. */
  impossibleBirths(bound: Bound): ImpossibleBirths {
    const { possibleBirths, bestCountry } = this.relations;
    return new Set(possibleBirths.filter((birth) => !this.#isReached(bound, { birth, country: bestCountry })));
  }

  mayMatch(name: number, bound: Bound): boolean {
    return this.#isReached(bound, this.relations.of(name));
  }

  #isReached(bound: Bound, relation: Pick<Evidence, 'birth' | 'country'>): boolean {
    const alignment = {
      pairs: [],
      subjectShare: Math.min(1, bound.subjectShare),
      listedShare: Math.min(1, bound.listedShare),
      foundWeight: bound.foundWeight + tolerance,
    };
    return scoreOf(pointsOf({ kind: this.kind, alignment, ...relation }) + tolerance) >= this.matchScore;
  }
}
