/**
 * Finds the names that can match, without comparing any other. A name matches by one word that is heavy enough, or by at
 * least two. The first are looked up by word, the others by pair of words: a frequent word has thousands of names in a long
 * list, a pair of words has few. Names are numbered by weight, so that the number alone tells whether a name has too much
 * else in it to qualify.
 */
import { forEachValue } from '../search-index/hash.js';
import { groupOf, type IndexData } from '../search-index/index-data.js';
import { pairHash } from '../search-index/word-pairs.js';
import type { Query, SimilarWords } from './query.js';
import type { Bound, ImpossibleBirths, Reach } from './reach.js';
import { listedPoints, subjectPoints } from './score.js';
import { mostUnits, type Unit, unitsOf } from './units.js';

const initialValue = 0.8;
const initialWeight = 0.2;
const heaviestPart = 1;
/** Two initials of a listed name may stand for any two parts of the query. */
const mostListedInitials = 2;
const unknownLimit = -1;

interface Search {
  readonly query: Query;
  readonly units: readonly Unit[];
  readonly reach: Reach;
  /** By the units that a name has. Filled as needed. */
  readonly impossibleBirths: ImpossibleBirths[];
}

export class Candidates {
  readonly #isTouched: Uint8Array;
  readonly #touched: number[] = [];
  /** A bit for each unit that a word is similar to. Cleared after each search, as is everything else here. */
  readonly #unitsOfWord: Uint16Array;
  /** By the units that a name has, the first name that is too heavy. Filled as needed. */
  readonly #limits = new Int32Array(2 ** mostUnits).fill(unknownLimit);

  constructor(readonly data: IndexData) {
    this.#isTouched = new Uint8Array(data.nameWeights.length);
    this.#unitsOfWord = new Uint16Array(data.wordWeights.length);
  }

  /** Names that cannot match may be among the result; a name that matches always is. */
  find(query: Query, reach: Reach): number[] {
    const search = { query, reach, units: unitsOf(query), impossibleBirths: [] };
    this.#setWords(search.units);
    for (const index of search.units.keys()) this.#touchNamesOf(index, search);
    const found = this.#touched.filter((name) => this.#qualifies(name, search));
    for (const name of this.#touched) this.#isTouched[name] = 0;
    this.#touched.length = 0;
    this.#limits.fill(unknownLimit, 0, 1 << search.units.length);
    this.#clearWords(search.units);
    return found;
  }

  #setWords(units: readonly Unit[]): void {
    const masks = this.#unitsOfWord;
    for (const [index, { similar }] of units.entries()) {
      for (const word of similar.words) masks[word] = (masks[word] ?? 0) | (1 << index);
    }
  }

  #clearWords(units: readonly Unit[]): void {
    for (const { similar } of units) for (const word of similar.words) this.#unitsOfWord[word] = 0;
  }

  /** Touches the names that can match and whose rarest unit is this one. */
  #touchNamesOf(index: number, search: Search): void {
    const { units } = search;
    const unit = units[index] as Unit;
    const laterUnits = (1 << units.length) - (1 << index);
    const limit = this.#limitOf(laterUnits, search);
    if (limit === 0) return;
    const later = units.slice(index + 1);
    const pairs = unit.similar.words.length * later.reduce((sum, { similar }) => sum + similar.words.length, 0);
    const usesPairs = pairs < unit.similar.names;
    for (const word of unit.similar.words) {
      this.#touchNamesOfWord(word, usesPairs ? this.#limitOf(this.#unitsOfWord[word] ?? 0, search) : limit);
    }
    if (!usesPairs) return;
    for (const word of unit.similar.words) {
      for (const { similar } of later) this.#touchNamesOfPairs(word, similar, limit);
    }
  }

  #touchNamesOfWord(word: number, limit: number): void {
    const { starts, values } = this.data.namesOfWord;
    const end = starts[word + 1] ?? 0;
    for (let position = starts[word] ?? 0; position < end; position += 1) {
      const name = values[position] ?? 0;
      if (name >= limit) return;
      this.#touch(name);
    }
  }

  #touchNamesOfPairs(word: number, others: SimilarWords, limit: number): void {
    for (const other of others.words) {
      forEachValue(this.data.namesOfPair, pairHash(word, other), (name) => {
        if (name < limit) this.#touch(name);
      });
    }
  }

  #touch(name: number): void {
    if (this.#isTouched[name] === 1) return;
    this.#isTouched[name] = 1;
    this.#touched.push(name);
  }

  /** The birth date comes first: it takes one look at the memory, and the words of a name take several. */
  #qualifies(name: number, search: Search): boolean {
    const hasInitials = name < this.data.initialNames;
    const allUnits = (1 << search.units.length) - 1;
    if (!hasInitials && this.#isRuledOutByBirth(name, allUnits, search)) return false;
    const mask = this.#unitsOf(name);
    if (name >= this.#limitOf(mask, search)) return false;
    if (hasInitials) return true;
    if (this.#isRuledOutByBirth(name, mask, search)) return false;
    const { subjectShare, listedShare, foundWeight } = boundOf(mask, search);
    const weight = this.data.nameWeights[name] ?? 1;
    const bound = { subjectShare, listedShare: listedShare / weight, foundWeight };
    return search.reach.mayMatch(name, bound) && this.#mayMatchByWords(name, search);
  }

  /** How much of the listed name these units are depends on its weight, so here they may be all of it. */
  #isRuledOutByBirth(name: number, mask: number, search: Search): boolean {
    const { impossibleBirths, reach } = search;
    impossibleBirths[mask] ??= reach.impossibleBirths({ ...boundOf(mask, search), listedShare: 1 });
    const impossible = impossibleBirths[mask];
    return impossible.size > 0 && impossible.has(reach.relations.birthOf(name));
  }

  /** The units that a name has among its words, and its neighbouring words written as one. */
  #unitsOf(name: number): number {
    const { partsOfName, joinedOfName } = this.data;
    let mask = 0;
    const end = partsOfName.starts[name + 1] ?? 0;
    for (let position = partsOfName.starts[name] ?? 0; position < end; position += 1) {
      mask |= this.#unitsOfWord[partsOfName.values[position] ?? 0] ?? 0;
    }
    const joinedEnd = joinedOfName.starts[name + 1] ?? 0;
    for (let position = joinedOfName.starts[name] ?? 0; position < joinedEnd; position += 2) {
      mask |= this.#unitsOfWord[joinedOfName.values[position] ?? 0] ?? 0;
    }
    return mask;
  }

  /** Adds up the best resemblance of each part. Names with initials or joined words are left to the exact comparison. */
  #mayMatchByWords(name: number, { query, reach }: Search): boolean {
    const { joinedOfName, wordWeights, nameWeights } = this.data;
    if (query.joined.length > 0 || joinedOfName.starts[name] !== joinedOfName.starts[name + 1]) return true;
    if (query.parts.some(({ text }) => text.length === 1)) return true;
    let [own, listed] = [0, 0];
    for (const { similar, weight } of query.parts) {
      let best = 0;
      for (const word of groupOf(this.data.partsOfName, name)) {
        const value = similar.get(word)?.value ?? 0;
        best = Math.max(best, value);
        listed += value * (wordWeights[word] ?? 0);
      }
      own += best * weight;
    }
    const listedShare = listed / (nameWeights[name] ?? 1);
    return reach.mayMatch(name, { subjectShare: own / query.weight, listedShare, foundWeight: own });
  }

  /** The number of the first name that is too heavy to qualify by these units. */
  #limitOf(mask: number, search: Search): number {
    const known = this.#limits[mask] ?? unknownLimit;
    if (known !== unknownLimit) return known;
    const limit = this.#findLimit(boundOf(mask, search), search);
    this.#limits[mask] = limit;
    return limit;
  }

  #findLimit({ subjectShare, listedShare }: Bound, { query, reach: { floor } }: Search): number {
    const { initialNames, nameWeights } = this.data;
    const listedShareNeeded = (own: number) => (100 * floor - subjectPoints * Math.min(1, own)) / listedPoints;
    const missing = listedShareNeeded(subjectShare);
    if (missing <= 0) return nameWeights.length;
    if (missing <= 1) return firstHeavier(nameWeights, listedShare / missing, initialNames);
    const withInitials = subjectShare + (mostListedInitials * initialValue * heaviestPart) / query.weight;
    return listedShareNeeded(withInitials) <= 1 ? initialNames : 0;
  }
}

/** What these units give at most, with the listed side as a weight, and the initials of the query with them. */
function boundOf(mask: number, { query, units }: Search): Bound {
  const initials = initialValue * query.initials;
  let [own, listed] = [initials * initialWeight, initials * heaviestPart];
  for (let index = 0; index < units.length; index += 1) {
    if ((mask & (1 << index)) === 0) continue;
    own += units[index]?.weight ?? 0;
    listed += units[index]?.similar.listedBound ?? 0;
  }
  return { subjectShare: own / query.weight, listedShare: listed, foundWeight: Math.min(own, query.weight) };
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
