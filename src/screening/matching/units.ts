/** What a search looks names up by: a part of the query, or neighbouring parts written as one. */
import type { IndexData } from './index-data.js';
import type { Query, SimilarWords } from './query.js';

export interface Unit {
  readonly similar: SimilarWords;
  readonly weight: number;
  /** How many names contain a similar word. */
  readonly names: number;
  /** The most that a listed name can gain by one of the similar words. */
  readonly listedBound: number;
}

/** Units have one bit each. Parts come first, so that a very long name loses joined words only. */
export const mostUnits = 12;

/** The units with the fewest names come first. */
export function unitsOf({ parts, joined }: Query, data: IndexData): Unit[] {
  const ofParts = parts.map(({ similar, weight }) => unit(similar, weight, data));
  const ofJoined = joined.map(({ similar, mask }) => {
    const weight = parts.reduce((sum, part, index) => sum + (mask & (1 << index) ? part.weight : 0), 0);
    return unit(similar, weight, data);
  });
  const units = [...ofParts, ...ofJoined].filter(({ similar }) => similar.size > 0).slice(0, mostUnits);
  return units.sort((left, right) => left.names - right.names);
}

function unit(similar: SimilarWords, weight: number, data: IndexData): Unit {
  const { starts } = data.namesOfWord;
  let [names, listedBound] = [0, 0];
  for (const word of similar.keys()) {
    names += (starts[word + 1] ?? 0) - (starts[word] ?? 0);
    listedBound = Math.max(listedBound, data.wordBounds[word] ?? 0);
  }
  return { similar, weight, names, listedBound };
}
