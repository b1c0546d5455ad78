import { describe, expect, it } from 'vitest';
import type { Question } from '../../src/kyc/cases/requirements.js';
import { checkDate, isDate } from '../../src/kyc/checks/dates.js';
import { answersOfFields, exampleDate, fieldsOfAnswers } from '../../src/kyc-form/pages/fields/form-values.js';
import { boxesIn } from '../../src/kyc-form/pages/texts/customs.js';

const birth: Question = { id: 'dateOfBirth', kind: 'date', isRequired: true, dateRule: 'birth' };
const name: Question = { id: 'firstName', kind: 'text', isRequired: true };
const photo: Question = { id: 'documentFront', kind: 'document', isRequired: true };

const dateFrom = (day: string, month: string, year: string) =>
  answersOfFields([birth], { 'dateOfBirth-day': day, 'dateOfBirth-month': month, 'dateOfBirth-year': year });

describe('what was entered becomes answers', () => {
  it.each([
    ['7', '3', '1985', '1985-03-07'],
    ['07', '03', '1985', '1985-03-07'],
    [' 7 ', ' 3', '1985 ', '1985-03-07'],
    ['٧', '٠٣', '١٩٨٥', '١٩٨٥-٠٣-0٧'],
    ['31', '2', '1985', '1985-02-31'],
    ['', '', '', ''],
  ])('three boxes %j %j %j are %j', (day, month, year, date) => {
    expect(dateFrom(day, month, year)).toEqual({ dateOfBirth: date });
  });

  it.each([
    ['', '3', '1985'],
    ['x', '3', '1985'],
    ['7', '3', '85'],
    ['7', '3', ''],
  ])('what is no date stays none: %j %j %j', (day, month, year) => {
    const { dateOfBirth } = dateFrom(day, month, year);
    expect(isDate(dateOfBirth ?? '')).toBe(false);
    expect(dateOfBirth).not.toBe('');
  });

  it('only what is asked for is read, and a file is no answer', () => {
    const given = { firstName: 'Ana', documentFront: 'x', isAdmin: 'yes', __proto__: 'x' };
    expect(answersOfFields([name, photo], given)).toEqual({ firstName: 'Ana' });
  });
});

describe('answers become fields again', () => {
  it('as they were entered', () => {
    const fields = fieldsOfAnswers([birth, name], { dateOfBirth: '1985-03-07', firstName: 'Ana' });
    expect(fields).toEqual({
      'dateOfBirth-day': '7',
      'dateOfBirth-month': '3',
      'dateOfBirth-year': '1985',
      firstName: 'Ana',
    });
  });

  it.each(['birth', 'ahead', 'recent'] as const)('an example is one that would be taken: %s', (dateRule) => {
    for (const today of ['2026-01-01', '2026-02-28', '2028-02-29', '2026-12-31']) {
      const question: Question = { ...birth, dateRule };
      const example = exampleDate(question, { country: 'ES', now: new Date(`${today}T12:00:00Z`) });
      const [day = '', month = '', year = ''] = example.split(' ');
      expect(checkDate(dateFrom(day, month, year).dateOfBirth ?? '', dateRule, today)).toBe(undefined);
    }
  });

  it.each([
    ['US', ['month', 'day', 'year']],
    ['PR', ['month', 'day', 'year']],
    ['ES', ['day', 'month', 'year']],
    ['MX', ['day', 'month', 'year']],
    ['JP', ['year', 'month', 'day']],
    ['CN', ['year', 'month', 'day']],
    [undefined, ['day', 'month', 'year']],
  ])('in the order in which people of %s write a date', (country, boxes) => {
    expect(boxesIn(country)).toEqual(boxes);
  });
});
