/** Compares two names of people directly, with the same rules as a search in a list. */
import { NameIndex } from './name-index.js';

/** Lower scores are not told apart. */
const leastScore = 50;

/** From 0 to 100. Order, script and spelling matter as little as they do in a search. */
export function nameSimilarity(name: string, otherNames: readonly string[]): number {
  const index = new NameIndex('person');
  index.add({ id: '1', kind: 'person', names: [name], birthDates: [], countries: [] });
  const found = index.search({ kind: 'person', names: otherNames }, leastScore);
  return Math.max(0, ...found.map(({ score }) => score));
}
