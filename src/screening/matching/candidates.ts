/**
 * Finds the names that can reach a score, without comparing any other. For each name it notes which parts of the query it
 * has. Most names have one part only, which is too little; they cost a few nanoseconds each. Names are numbered by weight,
 * so that the number alone tells whether a name has too much else in it to qualify.
 */
import type { IndexData } from './index-data.js';
import type { Query, SimilarWords } from './query.js';

/** A part of the query, or neighbouring parts written as one. */
interface Unit {
  readonly similar: SimilarWords;
  readonly weight: number;
  /** How many names contain a similar word. The units with the fewest names come first. */
  readonly names: number;
  /** The most that a listed name can gain by one of the similar words. */
  readonly listedBound: number;
}

const initialValue = 0.8;
const initialWeight = 0.2;
const heaviestPart = 1;
/** Two initials of a listed name may stand for any two parts of the query. */
const mostListedInitials = 2;
/** Units have one bit each. Parts come first, so that a very long name loses joined words only. */
const mostUnits = 12;
const unknownLimit = -1;

export class Candidates {
  readonly #unitsOfName: Uint16Array;
  readonly #touched: number[] = [];
  /** By the units that a name has, the first name that is too heavy. Filled as needed, and cleared after each search. */
  readonly #limits = new Int32Array(2 ** mostUnits).fill(unknownLimit);

  constructor(readonly data: IndexData) {
    this.#unitsOfName = new Uint16Array(data.nameWeights.length);
  }

  /** `floor` is the least name score, from 0 to 1. Names below it may be among the result, names above it always are. */
  find(query: Query, floor: number): number[] {
    const units = this.#unitsOf(query);
    const limitOf = (mask: number) => this.#limitOf(mask, units, query, floor);
    for (const [index, unit] of units.entries()) {
      // A name that has none of the earlier parts must qualify by this one and the later ones.
      const laterUnits = (1 << units.length) - (1 << index);
      this.#mark(unit, 1 << index, limitOf(laterUnits));
    }
    const found = this.#touched.filter((name) => {
      const mask = this.#unitsOfName[name] ?? 0;
      if (this.#limits[mask] === unknownLimit) this.#limits[mask] = limitOf(mask);
      return name < (this.#limits[mask] ?? 0) && this.#mayReach(name, query, floor);
    });
    this.#limits.fill(unknownLimit, 0, 1 << units.length);
    for (const name of this.#touched) this.#unitsOfName[name] = 0;
    this.#touched.length = 0;
    return found;
  }

  #unitsOf({ parts, joined }: Query): Unit[] {
    const ofParts = parts.map(({ similar, weight }) => this.#unit(similar, weight));
    const ofJoined = joined.map(({ similar, mask }) =>
      this.#unit(
        similar,
        parts.reduce((sum, part, index) => sum + (mask & (1 << index) ? part.weight : 0), 0),
      ),
    );
    const units = [...ofParts, ...ofJoined].filter(({ similar }) => similar.size > 0).slice(0, mostUnits);
    return units.sort((left, right) => left.names - right.names);
  }

  #unit(similar: SimilarWords, weight: number): Unit {
    const { starts } = this.data.namesOfWord;
    let [names, listedBound] = [0, 0];
    for (const word of similar.keys()) {
      names += (starts[word + 1] ?? 0) - (starts[word] ?? 0);
      listedBound = Math.max(listedBound, this.data.wordBounds[word] ?? 0);
    }
    return { similar, weight, names, listedBound };
  }

  /** Notes the unit for names that are already candidates, and makes the names below `newNamesBelow` candidates. */
  #mark({ similar }: Unit, bit: number, newNamesBelow: number): void {
    const { starts, values } = this.data.namesOfWord;
    for (const word of similar.keys()) {
      const end = starts[word + 1] ?? 0;
      for (let position = starts[word] ?? 0; position < end; position += 1) {
        const name = values[position] ?? 0;
        const mask = this.#unitsOfName[name] ?? 0;
        if (mask === 0) {
          if (name >= newNamesBelow) continue;
          this.#touched.push(name);
        }
        this.#unitsOfName[name] = mask | bit;
      }
    }
  }

  /** Adds up the best resemblance of each part. Names with initials or joined words are left to the exact comparison. */
  #mayReach(name: number, query: Query, floor: number): boolean {
    const { partsOfName, joinedOfName, wordWeights, nameWeights, initialNames } = this.data;
    if (name < initialNames || joinedOfName.starts[name] !== joinedOfName.starts[name + 1]) return true;
    if (query.joined.length > 0 || query.parts.some(({ text }) => text.length === 1)) return true;
    const end = partsOfName.starts[name + 1] ?? 0;
    let [own, listed] = [0, 0];
    for (const { similar, weight } of query.parts) {
      let best = 0;
      for (let position = partsOfName.starts[name] ?? 0; position < end; position += 1) {
        const word = partsOfName.values[position] ?? 0;
        const value = similar.get(word)?.value ?? 0;
        best = Math.max(best, value);
        listed += value * (wordWeights[word] ?? 0);
      }
      own += best * weight;
    }
    return own / query.weight + Math.min(1, listed / (nameWeights[name] ?? 1)) >= 2 * floor - 1e-5;
  }

  /** The number of the first name that is too heavy to qualify by these units. */
  #limitOf(mask: number, units: readonly Unit[], query: Query, floor: number): number {
    const { initialNames, nameWeights } = this.data;
    const initials = initialValue * query.parts.filter(({ text }) => text.length === 1).length;
    let [own, listed] = [initials * initialWeight, initials * heaviestPart];
    for (const [index, unit] of units.entries()) {
      if ((mask & (1 << index)) === 0) continue;
      own += unit.weight;
      listed += unit.listedBound;
    }
    const missing = 2 * floor - Math.min(1, own / query.weight);
    if (missing <= 0) return nameWeights.length;
    if (missing <= 1) return firstHeavier(nameWeights, listed / missing, initialNames);
    const withInitials = (own + mostListedInitials * initialValue * heaviestPart) / query.weight;
    return 2 * floor - Math.min(1, withInitials) <= 1 ? initialNames : 0;
  }
}

/** The names with initials come first, whatever their weight. All others are sorted by weight. */
function firstHeavier(weights: Float32Array, heaviest: number, start: number): number {
  let [low, high] = [start, weights.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    // A weight of 32 bits may be a little more than the sum it was made from.
    if ((weights[middle] ?? 0) <= heaviest + 1e-5) low = middle + 1;
    else high = middle;
  }
  return low;
}
