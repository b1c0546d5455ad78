/** The search leaves out names that cannot match. Compared with every name of the list, it finds exactly the same. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ListEntry } from '../../src/screening/lists/entry.js';
import { alignName } from '../../src/screening/matching/align.js';
import { EntryRelations } from '../../src/screening/matching/entry-relations.js';
import { NameIndex } from '../../src/screening/matching/name-index.js';
import { WordSearch } from '../../src/screening/matching/query.js';
import { pointsOf, scoreOf } from '../../src/screening/matching/score.js';
import { namePartsOf } from '../../src/screening/names/name-parts.js';
import type { Subject } from '../../src/screening/screening.js';
import { ListIndex } from '../../src/screening/search-index/list-index.js';
import { rounds } from '../harness/rounds.js';
import { nameLists } from './corpus/name-lists.js';

// Few words, so that the names of a list and the subject's have words in common.
const words = [...new Set(nameLists.flatMap(({ given, family }) => [...given, ...family]))].slice(0, 40);
const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words) },
  { weight: 2, arbitrary: fc.constantFrom(...words).map((text) => `${text.slice(0, 2)}${text.slice(3)}`) },
  { weight: 1, arbitrary: fc.constantFrom(...words).map((text) => text.slice(0, 1)) },
);
// A name of nothing but initials is not searched for.
const name = fc
  .tuple(fc.constantFrom(...words), fc.array(word, { maxLength: 3 }))
  .map(([first, others]) => [first, ...others].join(' '));
const year = fc.integer({ min: 1968, max: 1972 });
const day = fc
  .tuple(year, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([y, m, d]) => `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`);
const ranges = fc.array(
  fc.record({
    y: year,
    m: fc.integer({ min: 1, max: 12 }),
    isDay: fc.boolean(),
    isApproximate: fc.boolean(),
  }),
  { maxLength: 2 },
);
const entry = fc.record({
  names: fc.array(name, { minLength: 1, maxLength: 2 }),
  birthDates: ranges.map((dates) =>
    dates.map(({ y, m, isDay, isApproximate }) => ({
      from: y * 10_000 + (isDay ? m * 100 + 5 : 101),
      to: y * 10_000 + (isDay ? m * 100 + 5 : 1231),
      isApproximate,
    })),
  ),
  countries: fc.subarray(['DE', 'MX', 'RU'], { maxLength: 2 }),
});
const subject: fc.Arbitrary<Subject> = fc.record(
  {
    kind: fc.constant('person' as const),
    names: fc.array(name, { minLength: 1, maxLength: 2 }),
    birthDate: day,
    countries: fc.subarray(['DE', 'MX', 'RU'], { minLength: 1 }),
    isVerified: fc.boolean(),
  },
  { requiredKeys: ['kind', 'names'] },
);

function exhaustive(entries: readonly ListEntry[], searched: Subject, matchScore: number): Map<string, number> {
  const index = new ListIndex('person');
  for (const each of entries) index.add(each);
  const search = new WordSearch(index);
  const relations = new EntryRelations(searched);
  const best = new Map<string, number>();
  const queries = searched.names.flatMap((text) => namePartsOf(text, { kind: searched.kind, isSearched: true }));
  for (const query of queries.map((parts) => search.prepare(parts))) {
    for (const listed of index.names) {
      const alignment = alignName(query, listed);
      // Names that have nothing but initials in common are not found.
      if (alignment.pairs.every(({ similarity }) => similarity.code === 'initial')) continue;
      const facts = {
        kind: searched.kind,
        isOtherKind: false,
        isWindow: false,
        isVerified: searched.isVerified ?? false,
      };
      const score = scoreOf(pointsOf({ ...facts, alignment, ...relations.of(listed.entry) }));
      const { id } = listed.entry;
      if (score >= matchScore) best.set(id, Math.max(best.get(id) ?? 0, score));
    }
  }
  return best;
}

it('finds every entry that reaches the score, with names, initials, typing errors, birth dates and countries', () => {
  fc.assert(
    fc.property(
      fc.array(entry, { minLength: 1, maxLength: 30 }),
      subject,
      fc.constantFrom(60, 70, 80, 90),
      (entries, searched, matchScore) => {
        const listed = entries.map((each, id): ListEntry => ({ id: String(id), kind: 'person', ...each }));
        const index = new NameIndex('person');
        for (const each of listed) index.add(each);
        const found = index.search(searched, matchScore).map(({ entry: owner, score }) => [owner.id, score] as const);
        expect(new Map(found)).toEqual(exhaustive(listed, searched, matchScore));
      },
    ),
    { numRuns: rounds(200, 5_000) },
  );
});
