import { describe, expect, it } from 'vitest';
import { isDate } from '../../src/kyc/dates.js';
import { answersOfFields, boxesIn, fieldsOfAnswers } from '../../src/kyc/form/form-values.js';
import type { Question } from '../../src/kyc/requirements.js';

const birth: Question = { id: 'dateOfBirth', kind: 'date', isRequired: true, dateRule: 'birth' };
const name: Question = { id: 'firstName', kind: 'text', isRequired: true };
const digits: Question = { id: 'taxIdLastFour', kind: 'text', isRequired: true, format: 'lastFourDigits' };
const phone: Question = { id: 'phoneNumber', kind: 'phone', isRequired: false };
const photo: Question = { id: 'documentFront', kind: 'document', isRequired: true };

const dateFrom = (day: string, month: string, year: string) =>
  answersOfFields([birth], { 'dateOfBirth-day': day, 'dateOfBirth-month': month, 'dateOfBirth-year': year });

describe('what was entered becomes answers', () => {
  it.each([
    ['7', '3', '1985', '1985-03-07'],
    ['07', '03', '1985', '1985-03-07'],
    [' 7 ', ' 3', '1985 ', '1985-03-07'],
    ['٢٧', '٠٣', '١٩٨٥', '1985-03-27'],
    ['۲۷', '۳', '۱۹۸۵', '1985-03-27'],
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

  it('digits of other scripts are the same digits in codes, and stay as they are in names', () => {
    const given = { firstName: '٣ نوح', taxIdLastFour: '١٢٣٤', phoneNumber: '+٩٧١ ٥٠ ١٢٣ ٤٥٦٧' };
    expect(answersOfFields([name, digits, phone], given)).toEqual({
      firstName: '٣ نوح',
      taxIdLastFour: '1234',
      phoneNumber: '+971 50 123 4567',
    });
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

  it('with the month first where people write it so', () => {
    expect(boxesIn('US')).toEqual(['month', 'day', 'year']);
    expect(boxesIn('EEA')).toEqual(['day', 'month', 'year']);
  });
});
