import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readOfac } from '../../src/screening/lists/ofac.js';
import { indexEntries } from '../../src/screening/loading/indexed-list.js';
import { rounds } from '../harness/rounds.js';
import { inventedList } from './corpus/invented-list.js';
import { flaggedShare, foundByScript, personIndex, recall, shareOf } from './figures.js';

/** A kanji has many readings, and Thai is spelled by habit: what is not read goes to a person. */
const unreadableScripts = new Set(['Japanese', 'Thai']);

describe('people of an invented list', () => {
  // Without usual family names: somebody with the very name of an ordinary person would be flagged rightly.
  const entries = inventedList(1500, 0);
  const list = indexEntries(entries);

  it('are found in five disguises by name alone, at least 97 % of them', () => {
    expect(shareOf(recall(list.persons, entries.slice(0, rounds(150, 1500)), false))).toBeGreaterThanOrEqual(0.97);
  });

  it('are rarely confused with ordinary people: under 1 % with birth date, under 3 % without', () => {
    expect(flaggedShare(list, rounds(600, 5000), true)).toBeLessThan(0.01);
    expect(flaggedShare(list, rounds(600, 5000), false)).toBeLessThan(0.03);
  });
});

describe('names in other scripts', () => {
  it.each(['listed in Latin', 'listed in own script'] as const)(
    '%s: nine of ten are found in each script that can be read, and the rest of the others goes to a person',
    (direction) => {
      for (const { script, tried, found, missed } of foundByScript(direction)) {
        const share = unreadableScripts.has(script) ? (tried - missed.length) / tried : found / tried;
        expect({ script, missed, isEnough: tried >= 30 && share >= 0.9 }).toMatchObject({ isEnough: true });
      }
    },
  );
});

it('people as OFAC writes them are found in five disguises by name alone, at least 97 % of them', async () => {
  const read = (file: string) => readFileSync(new URL(`ofac/${file}`, import.meta.url));
  const entries = await readOfac({ sdn: read('sdn.csv'), alt: read('alt.csv') });
  expect(entries).toHaveLength(30);
  expect(shareOf(recall(personIndex(entries), entries, false))).toBeGreaterThanOrEqual(0.97);
});
