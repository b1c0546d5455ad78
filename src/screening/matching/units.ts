/** What a search looks names up by: a part of the query, or neighbouring parts written as one. */
import type { Query, SimilarWords } from './query.js';

export interface Unit {
  readonly similar: SimilarWords;
  readonly weight: number;
}

/** Units have one bit each. Parts come first, so that a very long name loses joined words only. */
export const mostUnits = 12;

/** The units with the fewest names come first. */
export function unitsOf({ parts, joined }: Query): Unit[] {
  const ofJoined = joined.map(({ similar, mask }) => ({
    similar,
    weight: parts.reduce((sum, part, index) => sum + (mask & (1 << index) ? part.weight : 0), 0),
  }));
  const units = [...parts, ...ofJoined].filter(({ similar }) => similar.words.length > 0).slice(0, mostUnits);
  return units.sort((left, right) => left.similar.names - right.similar.names);
}
