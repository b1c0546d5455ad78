/**
 * Finds the names that can match, so that no other is compared in full. What a name can score at most is known from the
 * words that it shares with the query: each stands for one part, and the best that birth date and country can add is
 * known too.
 */
import type { ListedName, ListedWord } from '../search-index/list-index.js';
import { initialSimilarity } from './align.js';
import type { EntryRelations } from './entry-relations.js';
import type { Query, QueryJoined, QueryPart } from './query.js';
import {
  type Evidence,
  heaviestContained,
  isTelling,
  listedPoints,
  mostAdded,
  namePoints,
  pointsOf,
  scoreOf,
  subjectPoints,
} from './score.js';

/** What a name is looked up by: a part of the query, or neighbouring parts written as one. */
type Unit = Pick<QueryPart | QueryJoined, 'weight' | 'similar'>;

/** The most that a listed word can add to the shares of both names. */
interface Gain {
  readonly weight: number;
  readonly value: number;
}

const initialWeight = 0.2;
const heaviestPart = 1;
/** Sums of the same weights in another order differ in their last digits. */
const tolerance = 1e-6;

/** Names that cannot match may be among the result; a name that matches always is. */
export function findCandidates(
  query: Query,
  facts: Pick<Evidence, 'kind' | 'isOtherKind' | 'isVerified'>,
  relations: EntryRelations,
  matchScore: number,
): ListedName[] {
  const units = unitsOf(query);
  const gains = gainsOf(units);
  return [...namesOf(units, query, matchScore)].filter((name) => {
    const bound = boundOf(name, query, gains);
    if (namePoints(bound) + mostAdded + 0.5 < matchScore) return false;
    const evidence = { ...facts, isWindow: query.isWindow, alignment: bound };
    if (!isTelling(evidence)) return false;
    const points = pointsOf({ ...evidence, ...relations.of(name.entry) });
    return scoreOf(points + tolerance) >= matchScore;
  });
}

/** Those with the fewest names come first. Initials are not looked up. */
function unitsOf({ parts, joined }: Query): Unit[] {
  const count = ({ similar }: Unit) => [...similar.keys()].reduce((sum, { names }) => sum + names.length, 0);
  return [...parts, ...joined]
    .filter(({ similar }) => similar.size > 0)
    .map((unit) => ({ unit, names: count(unit) }))
    .sort((left, right) => left.names - right.names)
    .map(({ unit }) => unit);
}

/**
 * All names of the rarest unit. Of the next one, a name that is not among them lacks the rarest unit, so that a name
 * with much else in it cannot match any more; and so on. That leaves few names of a frequent word.
 */
function namesOf(units: readonly Unit[], query: Query, matchScore: number): Set<ListedName> {
  const names = new Set<ListedName>();
  for (const [index, { similar }] of units.entries()) {
    const heaviest = heaviestWith(units.slice(index), query, matchScore);
    for (const word of similar.keys()) {
      for (const name of word.names) if (name.weight <= heaviest || name.initials > 0) names.add(name);
    }
  }
  return names;
}

/** The weight of the heaviest name that can match by these units and the initials of the query alone. */
function heaviestWith(units: readonly Unit[], query: Query, matchScore: number): number {
  let own = query.initials * initialSimilarity.value * initialWeight;
  let listed = query.initials * initialSimilarity.value * heaviestPart;
  for (const { weight, similar } of units) {
    own += weight;
    listed += [...similar.keys()].reduce((most, word) => Math.max(most, word.mostWeight), 0);
  }
  const missing = matchScore - mostAdded - 0.5 - subjectPoints * Math.min(1, own / query.weight);
  if (missing <= 0) return Number.POSITIVE_INFINITY;
  const heaviest = missing > listedPoints ? 0 : (listedPoints * listed) / missing;
  return Math.max(heaviest, heaviestContained(own, listed)) + tolerance;
}

function gainsOf(units: readonly Unit[]): Map<ListedWord, Gain> {
  const gains = new Map<ListedWord, Gain>();
  for (const { weight, similar } of units) {
    for (const [word, { value }] of similar) {
      const known = gains.get(word);
      gains.set(word, {
        weight: Math.max(weight * value, known?.weight ?? 0),
        value: Math.max(value, known?.value ?? 0),
      });
    }
  }
  return gains;
}

/** The most that comparing the name in full can find. */
function boundOf({ parts, joined, weight, initials }: ListedName, query: Query, gains: Map<ListedWord, Gain>) {
  let own = initialSimilarity.value * (initials * heaviestPart + query.initials * initialWeight);
  let listed = initials * initialWeight + initialSimilarity.value * query.initials * heaviestPart;
  for (const part of parts) {
    const gain = gains.get(part);
    if (!gain) continue;
    own += gain.weight;
    listed += gain.value * part.weight;
  }
  for (const { word, weight: joinedWeight } of joined) {
    const gain = gains.get(word);
    if (!gain) continue;
    own += gain.weight;
    listed += gain.value * joinedWeight;
  }
  return {
    pairs: [],
    subjectShare: Math.min(1, own / query.weight),
    listedShare: Math.min(1, listed / weight),
    foundWeight: own,
  };
}
