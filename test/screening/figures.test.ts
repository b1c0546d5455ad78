import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readOfac } from '../../src/screening/lists/ofac.js';
import { rounds } from '../harness/rounds.js';
import { inventedList } from './corpus/invented-list.js';
import { publicFigures } from './corpus/public-figures.js';
import { figuresFound, flaggedShare, personIndex, recall, shareOf } from './figures.js';

describe('people of an invented list', () => {
  // Without usual family names: somebody with the very name of an ordinary person would be flagged rightly.
  const entries = inventedList(1500, 0);
  const index = personIndex(entries);

  it('are found in five disguises by name alone, at least 97 % of them', () => {
    expect(shareOf(recall(index, entries.slice(0, rounds(150, 1500)), false))).toBeGreaterThanOrEqual(0.97);
  });

  it('are rarely confused with ordinary people: under 1 % with birth date, under 3 % without', () => {
    expect(flaggedShare(index, rounds(600, 5000), true)).toBeLessThan(0.01);
    expect(flaggedShare(index, rounds(600, 5000), false)).toBeLessThan(0.03);
  });
});

describe('public figures', () => {
  it('are found across scripts in both directions, at least 85 % of them', () => {
    expect(publicFigures.length).toBeGreaterThanOrEqual(60);
    expect(shareOf(figuresFound('listed in Latin'))).toBeGreaterThanOrEqual(0.85);
    expect(shareOf(figuresFound('listed in own script'))).toBeGreaterThanOrEqual(0.85);
  });
});

it('people as OFAC writes them are found in five disguises by name alone, at least 97 % of them', async () => {
  const read = (file: string) => readFileSync(new URL(`ofac/${file}`, import.meta.url));
  const entries = await readOfac({ sdn: read('sdn.csv'), alt: read('alt.csv') });
  expect(entries).toHaveLength(30);
  expect(shareOf(recall(personIndex(entries), entries, false))).toBeGreaterThanOrEqual(0.97);
});
