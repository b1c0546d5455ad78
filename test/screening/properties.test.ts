import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListEntry } from '../../src/screening/lists/entry.js';
import { reasonsFor } from '../../src/screening/matching/reasons.js';
import { editsBetween } from '../../src/screening/names/edits.js';
import { namePartsOf } from '../../src/screening/names/name-parts.js';
import type { Subject } from '../../src/screening/screening.js';
import { rounds } from '../harness/rounds.js';
import { nameLists } from './corpus/name-lists.js';
import { personIndex } from './figures.js';

const runs = { numRuns: rounds(60, 1000) };
const words = [...new Set(nameLists.flatMap(({ given, family }) => [...given, ...family]))];
const word = fc.constantFrom(...words.filter((text) => text.length > 4));
const name = fc.array(word, { minLength: 2, maxLength: 5 }).map((parts) => parts.join(' '));
const anyText = fc.oneof(
  name,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);

function listed(names: readonly string[], id = '1'): ListEntry {
  return { id, kind: 'person', names, birthDates: [], countries: [] };
}

function scores(entries: readonly ListEntry[], subject: Subject, matchScore = 60): Map<string, number> {
  const found = personIndex(entries).search(subject, matchScore);
  return new Map(found.map(({ entry, score }) => [entry.id, score]));
}

const person = (...names: string[]): Subject => ({ kind: 'person', names });

describe('a score', () => {
  it('is 93 or more for a name with itself, whatever the name: only common names cost something', () => {
    fc.assert(
      fc.property(name, (text) => {
        expect(scores([listed([text])], person(text)).get('1')).toBeGreaterThanOrEqual(93);
      }),
      runs,
    );
  });

  it('does not depend on the order of the words, on either side', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 5 }), name, (parts, other) => {
        const reversed = [...parts].reverse();
        const forwards = scores([listed([other])], person(parts.join(' ')), 1);
        expect(scores([listed([other])], person(reversed.join(' ')), 1)).toEqual(forwards);
        expect(scores([listed([parts.join(' ')])], person(other), 1)).toEqual(
          scores([listed([reversed.join(' ')])], person(other), 1),
        );
      }),
      runs,
    );
  });

  it('is a whole number from the threshold to 100, and the sum of its reasons, for any text', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 4 }), anyText, (names, text) => {
        const index = personIndex([listed(names)]);
        for (const found of index.search({ ...person(text), birthDate: '1970-01-01', countries: ['DE'] }, 1)) {
          expect(Number.isInteger(found.score) && found.score >= 1 && found.score <= 100).toBe(true);
          const sum = reasonsFor(found).reduce((total, { effect }) => total + effect, 100);
          expect(Math.abs(sum - found.points)).toBeLessThan(1);
        }
      }),
      runs,
    );
  });

  it('does not depend on the other entries of the list, and no entry is lost among them', () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 12 }), name, (names, text) => {
        const together = scores(
          names.map((own, index) => listed([own], String(index))),
          person(text),
        );
        const alone = names.flatMap((own, index) => [...scores([listed([own], String(index))], person(text))]);
        expect(together).toEqual(new Map(alone));
      }),
      runs,
    );
  });
});

describe('another name', () => {
  it('never loses a match or lowers its score when the entry has it', () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), name, name, (names, alias, text) => {
        const before = scores([listed(names)], person(text)).get('1') ?? 0;
        expect(scores([listed([...names, alias])], person(text)).get('1') ?? 0).toBeGreaterThanOrEqual(before);
      }),
      runs,
    );
  });

  it('never loses a match or lowers its score when the subject has it', () => {
    fc.assert(
      fc.property(name, name, name, (own, alias, text) => {
        const before = scores([listed([own])], person(text)).get('1') ?? 0;
        expect(scores([listed([own])], person(text, alias)).get('1') ?? 0).toBeGreaterThanOrEqual(before);
      }),
      runs,
    );
  });
});

describe('the parts of a name', () => {
  it('are at most twelve words of Latin letters, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { parts, joined } of namePartsOf(text, { kind: 'person', isSearched: true })) {
          expect(parts.length).toBeLessThanOrEqual(12);
          expect([...parts, ...joined].every((part) => /^[a-z0-9]{1,40}$/.test(part.text))).toBe(true);
        }
      }),
      runs,
    );
  });
});

describe('the typing errors between two words', () => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

  it('are the same in both directions, none for equal words, and one after one edit', () => {
    fc.assert(
      fc.property(short, short, fc.nat(8), (left, right, at) => {
        expect(editsBetween(left, right, 2)).toBe(editsBetween(right, left, 2));
        expect(editsBetween(left, left, 1)).toBe(0);
        const inserted = `${left.slice(0, at)}x${left.slice(at)}`;
        expect(editsBetween(left, inserted, 1)).toBe(1);
      }),
      runs,
    );
  });
});
