/** Compares two names of people directly, with the same rules as a search in a list. */
import { buildIndex } from '../search-index/build-index.js';
import { NameIndex } from './name-index.js';

/** Lower scores are not told apart. */
const leastScore = 50;

/** From 0 to 100. Order, script and spelling matter as little as they do in a search. */
export function nameSimilarity(name: string, otherNames: readonly string[]): number {
  const entry = { id: '1', kind: 'person', names: [name], birthDates: [], countries: [] } as const;
  const index = new NameIndex(buildIndex([entry], 'person'));
  const found = index.search({ kind: 'person', names: otherNames }, leastScore);
  return Math.max(0, ...found.map(({ score }) => score));
}
