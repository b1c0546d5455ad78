/**
 * Finds the names that can reach a score, without comparing any other. It adds up what each name shares with the query at
 * most. The longest posting lists are read only as far as a name could still qualify by them alone: a person called
 * Muhammad Zarqawi is looked for among the Zarqawis, not among all Muhammads.
 */
import { groupOf, type IndexData } from './index-data.js';
import type { Query, SimilarWords } from './query.js';

/** A part of the query, or neighbouring parts written as one. */
interface Unit {
  readonly similar: SimilarWords;
  readonly weight: number;
  /** How many names contain a similar word. */
  readonly size: number;
  /** The most that a listed name can gain by one of the similar words. */
  readonly listedBound: number;
}

const initialValue = 0.8;
const heaviestPart = 1;
const initialWeight = 0.2;

export class Candidates {
  readonly #subjectFound: Float32Array;
  readonly #listedFound: Float32Array;
  readonly #touched: number[] = [];

  constructor(readonly data: IndexData) {
    this.#subjectFound = new Float32Array(data.nameWeights.length);
    this.#listedFound = new Float32Array(data.nameWeights.length);
  }

  /** `floor` is the least name score, from 0 to 1. Names below it may be among the result, names above it always are. */
  find(query: Query, floor: number): number[] {
    if (query.parts.length === 0) return [];
    const initials = initialValue * query.parts.filter(({ text }) => text.length === 1).length;
    const { essential, others } = split(this.#unitsOf(query), query.weight, floor);
    for (const unit of essential) this.#add(unit);
    const limit = heaviestName(others, { queryWeight: query.weight, initials, floor });
    for (const unit of others) this.#touch(unit, limit);
    const gains = gainsOf(others, this.data.wordBounds);
    const found = this.#touched.filter((name) => this.#bound(name, { query, initials, gains }) >= floor);
    for (const name of this.#touched) {
      this.#subjectFound[name] = 0;
      this.#listedFound[name] = 0;
    }
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
    return [...ofParts, ...ofJoined].filter(({ similar }) => similar.size > 0);
  }

  #unit(similar: SimilarWords, weight: number): Unit {
    const { starts } = this.data.namesOfWord;
    let [size, listedBound] = [0, 0];
    for (const word of similar.keys()) {
      size += (starts[word + 1] ?? 0) - (starts[word] ?? 0);
      listedBound = Math.max(listedBound, this.data.wordBounds[word] ?? 0);
    }
    return { similar, weight, size, listedBound };
  }

  /** Adds what a name gains by the unit to every name that contains a similar word. */
  #add({ similar, weight }: Unit): void {
    const { namesOfWord, wordBounds } = this.data;
    for (const [word, { value }] of similar) {
      const [ownGain, listedGain] = [weight * value, (wordBounds[word] ?? 0) * value];
      const end = namesOfWord.starts[word + 1] ?? 0;
      for (let position = namesOfWord.starts[word] ?? 0; position < end; position += 1) {
        const name = namesOfWord.values[position] ?? 0;
        if (this.#subjectFound[name] === 0) this.#touched.push(name);
        this.#subjectFound[name] = (this.#subjectFound[name] ?? 0) + ownGain;
        this.#listedFound[name] = (this.#listedFound[name] ?? 0) + listedGain;
      }
    }
  }

  /** Notes the names up to a weight that contain a similar word. */
  #touch({ similar }: Unit, heaviest: number): void {
    const { namesOfWord, nameWeights, initialsOfName } = this.data;
    for (const word of similar.keys()) {
      const end = namesOfWord.starts[word + 1] ?? 0;
      for (let position = namesOfWord.starts[word] ?? 0; position < end; position += 1) {
        const name = namesOfWord.values[position] ?? 0;
        if (searchOrder(nameWeights[name] ?? 0, initialsOfName[name] ?? 0) > heaviest) break;
        if (this.#subjectFound[name] !== 0) continue;
        this.#touched.push(name);
        this.#subjectFound[name] = Number.EPSILON;
      }
    }
  }

  /** The most that the name score can be. */
  #bound(
    name: number,
    context: { query: Query; initials: number; gains: ReadonlyMap<number, Gain> },
  ): number {
    const { query, initials, gains } = context;
    const listedInitials = initialValue * (this.data.initialsOfName[name] ?? 0);
    let own = (this.#subjectFound[name] ?? 0) + initials * initialWeight + listedInitials * heaviestPart;
    let listed = (this.#listedFound[name] ?? 0) + initials * heaviestPart + listedInitials * initialWeight;
    const add = (word: number) => {
      const gain = gains.get(word);
      own += gain?.own ?? 0;
      listed += gain?.listed ?? 0;
    };
    if (gains.size > 0) {
      for (const word of groupOf(this.data.partsOfName, name)) add(word);
      const joined = groupOf(this.data.joinedOfName, name);
      for (let index = 0; index < joined.length; index += 2) add(joined[index] ?? 0);
    }
    return (Math.min(1, own / query.weight) + Math.min(1, listed / (this.data.nameWeights[name] ?? 1))) / 2;
  }
}

/** What a name gains by containing a word. */
interface Gain {
  readonly own: number;
  readonly listed: number;
}

function gainsOf(units: readonly Unit[], wordBounds: Float32Array): Map<number, Gain> {
  const gains = new Map<number, Gain>();
  for (const { similar, weight } of units) {
    for (const [word, { value }] of similar) {
      const { own = 0, listed = 0 } = gains.get(word) ?? {};
      gains.set(word, { own: own + weight * value, listed: listed + (wordBounds[word] ?? 0) * value });
    }
  }
  return gains;
}

/** The order of names in a posting list: by weight. Names with initials come first, because an initial may stand for any weight. */
export function searchOrder(weight: number, initials: number): number {
  return initials > 0 ? 0 : weight;
}

/** The longest lists, as long as the parts behind them are at most half of the query, are not read in full. */
function split(
  units: readonly Unit[],
  queryWeight: number,
  floor: number,
): { essential: Unit[]; others: Unit[] } {
  const bySize = [...units].sort((left, right) => right.size - left.size);
  const others: Unit[] = [];
  let weight = 0;
  for (const unit of bySize.slice(0, -1)) {
    if ((weight + unit.weight) / queryWeight > 2 * floor - 0.75) break;
    weight += unit.weight;
    others.push(unit);
  }
  return { essential: bySize.slice(others.length), others };
}

/** The weight up to which a name can qualify by the given units alone: heavier names have too much that is not in them. */
function heaviestName(
  units: readonly Unit[],
  { queryWeight, initials, floor }: { queryWeight: number; initials: number; floor: number },
): number {
  const own = units.reduce((sum, unit) => sum + unit.weight, initials * initialWeight) / queryWeight;
  const listed = units.reduce((sum, unit) => sum + unit.listedBound, initials * heaviestPart);
  const missing = 2 * floor - Math.min(1, own);
  return missing <= 0 ? Number.POSITIVE_INFINITY : listed / missing;
}
