import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { faultsOf } from '../foundation/refusal.js';

it('SCREENING_LISTS names lists of both formats, and numbers those of the same format', () => {
  const text = 'ofac:/lists/ofac, opensanctions:/lists/targets.simple.csv,ofac:/lists/consolidated/sdn.csv';
  expect(readConfig({ SCREENING_LISTS: text }).screeningLists).toEqual([
    { name: 'ofac', format: 'ofac', path: '/lists/ofac' },
    { name: 'opensanctions', format: 'opensanctions', path: '/lists/targets.simple.csv' },
    { name: 'ofac-2', format: 'ofac', path: '/lists/consolidated/sdn.csv' },
  ]);
});

it('nonsense in the screening settings is refused, all of it at once, with what would be right', () => {
  const faults = faultsOf({
    SCREENING_LISTS: 'ofac:lists,un:/lists/un.xml,ofac:/a,ofac:/a,',
    SCREENING_MATCH_SCORE: '90',
    SCREENING_STRONG_SCORE: '85',
    SCREENING_LIST_MAX_AGE_DAYS: '0',
  });
  expect(faults).toEqual([
    'SCREENING_LIST_MAX_AGE_DAYS must be a whole number from 1 to 365, not "0"',
    'SCREENING_LISTS entry 1 needs an absolute path after ofac:, not "lists"',
    'SCREENING_LISTS entry 2 must be ofac:PATH or opensanctions:PATH, not "un:/lists/un.xml"',
    'SCREENING_LISTS entry 4 names /a a second time',
    'SCREENING_LISTS entry 5 must be ofac:PATH or opensanctions:PATH, not ""',
    'SCREENING_STRONG_SCORE must not be below SCREENING_MATCH_SCORE',
  ]);
});
