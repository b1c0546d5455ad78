/** What a form sends is checked question by question; every fault has a code that a page can explain. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KycLevel, Zone } from '../../src/kyc/cases/case.js';
import { type QuestionId, requirementsOf, type StepId } from '../../src/kyc/cases/requirements.js';
import { answerFaultCodes } from '../../src/kyc/checks/answer-fault.js';
import { readStep } from '../../src/kyc/checks/answers.js';
import { nationalIdFault, nationalIds } from '../../src/kyc/checks/national-id.js';

const today = '2026-11-15';

function stepOf(id: StepId, level: KycLevel = 'LEVEL_3', zone: Zone = 'GB') {
  const step = requirementsOf(level, zone).find((one) => one.id === id);
  if (!step) throw new Error(`no step ${id}`);
  return step;
}

/** What becomes of one answer: itself as it is kept, or the code of its fault. */
function become(question: QuestionId, given: string, more: Record<string, string> = {}, zone: Zone = 'GB') {
  const step = requirementsOf('LEVEL_3', zone).find((one) => one.questions.some(({ id }) => id === question));
  const { answers, faults } = readStep(step?.questions ?? [], { ...more, [question]: given }, today);
  const fault = faults.find((one) => one.question === question);
  return fault ? `! ${fault.code}${fault.limit === undefined ? '' : ` ${fault.limit}`}` : answers[question];
}

describe('an answer', () => {
  it.each([
    ['firstName', '  Ana   María\t', 'Ana María'],
    ['firstName', 'Мария', 'Мария'],
    ['firstName', '美咲', '美咲'],
    ['firstName', 'عائشة', 'عائشة'],
    ['firstName', 'O’Brien-Søren', 'O’Brien-Søren'],
    ['firstName', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['firstName', '', '! required'],
    ['firstName', ' \t\n', '! required'],
    ['firstName', '---', '! wrong_format'],
    ['firstName', 'A\u0000na', '! control_characters'],
    ['firstName', 'A\u202Ena', '! control_characters'],
    ['firstName', 'A\u200Bna', '! control_characters'],
    ['firstName', 'علی\u200Cرضا', 'علی\u200Cرضا'],
    ['firstName', 'é'.repeat(100), 'é'.repeat(100)],
    ['firstName', '😀a'.repeat(51), '! too_long 100'],
    ['middleName', '', undefined],
    ['dateOfBirth', '1990-04-12', '1990-04-12'],
    ['dateOfBirth', '1990-02-30', '! no_such_day 28'],
    ['dateOfBirth', '1992-02-30', '! no_such_day 29'],
    ['dateOfBirth', '1990-04-31', '! no_such_day 30'],
    ['dateOfBirth', '1990-04-00', '! no_such_day 30'],
    ['dateOfBirth', '1990-13-12', '! no_such_month'],
    ['dateOfBirth', '12/04/1990', '! incomplete_date'],
    ['dateOfBirth', '1990--12', '! incomplete_date'],
    ['dateOfBirth', '1990-April-12', '! not_digits'],
    ['dateOfBirth', '90-04-12', '! short_year'],
    ['dateOfBirth', '1990-04-12-1', '! not_a_date'],
    ['dateOfBirth', '2026-11-16', '! in_the_future 2026-11-15'],
    ['dateOfBirth', '2008-11-15', '2008-11-15'],
    ['dateOfBirth', '2008-11-16', '! too_young 18'],
    ['dateOfBirth', '1906-11-14', '! too_long_ago 120'],
    ['nationality', 'br', 'BR'],
    ['nationality', 'BRA', '! not_allowed'],
    ['nationality', 'XX', '! not_allowed'],
    ['nationality', 'ﬁ', '! not_allowed'],
    ['countryCode', 'GB', 'GB'],
    ['countryCode', 'FR', '! not_allowed'],
    ['documentType', 'passport', 'passport'],
    ['documentType', 'libraryCard', '! not_allowed'],
    ['documentNumber', 'ab 12-34', 'AB 12-34'],
    ['documentNumber', 'X!45', '! wrong_characters'],
    ['documentNumber', 'X1', '! too_short 3'],
    ['documentNumber', 'X-1', '! too_short 3'],
    ['documentNumber', 'X1234-', '! wrong_format'],
    ['documentNumber', 'X12--34', '! wrong_format'],
    ['documentNumber', 'X'.repeat(31), '! too_long 30'],
    ['documentExpiresOn', '2026-11-15', '2026-11-15'],
    ['documentExpiresOn', '2026-11-14', '! in_the_past 2026-11-15'],
    ['proofOfAddressIssuedOn', '2026-08-15', '2026-08-15'],
    ['proofOfAddressIssuedOn', '2026-08-14', '! too_long_ago 92'],
    ['proofOfAddressIssuedOn', '2026-11-16', '! in_the_future 2026-11-15'],
  ] as const)('is read for %s: %j becomes %j', (question, given, expected) => {
    expect(become(question, given)).toBe(expected);
  });

  it('is read as it is meant when a number has the digits of the person’s own script', () => {
    expect(become('dateOfBirth', '١٩٩٠-٠٤-١٢')).toBe('1990-04-12');
    expect(become('dateOfBirth', '۱۹۹۰-0۴-۱۲')).toBe('1990-04-12');
    expect(become('phoneNumber', '+٩٧١ ٥٠ ١٢٣ ٤٥٦٧', {}, 'MENA')).toBe('+971501234567');
    expect(become('taxIdLastFour', '١٢٣٤', { taxIdKind: 'ssn' }, 'US')).toBe('1234');
    expect(become('documentNumber', 'a٢٠٤٥')).toBe('A2045');
    expect(become('firstName', '٣ نوح')).toBe('٣ نوح');
  });

  it.each([
    ['+254 712 345 678', '+254712345678'],
    ['00254 (712) 345-678', '+254712345678'],
    ['0712345678', '! wrong_format'],
    ['+12', '! too_short 7'],
    ['+2547123456789012', '! too_long 15'],
    ['+254 call me', '! wrong_characters'],
    ['', undefined],
  ])('is read for phoneNumber: %j becomes %j', (given, expected) => {
    expect(become('phoneNumber', given, {}, 'AFRICA')).toBe(expected);
  });

  it.each([
    ['CO', '1.023.456-7', '1.023.456-7'],
    ['CO', '12!34', '! wrong_characters'],
    ['CO', '123', '! too_short 4'],
    ['CO', '1..2345', '! wrong_format'],
    ['BR', '390.533.447-0', '! wrong_length 11'],
    ['BR', '390.533.447-0A', '! wrong_format'],
    ['MX', 'BOX', '! wrong_length 18'],
    ['MX', 'BOXW311320HNERXN09', '! wrong_format'],
    ['BR', '390.533.447-05', '390.533.447-05'],
    ['BR', '390.533.447-06', '! wrong_check_digits'],
    ['MX', 'BOXW310820HNERXN09', 'BOXW310820HNERXN09'],
    ['MX', 'BOXW310820HNERXN08', '! wrong_check_digits'],
    ['CL', '12.531.909-2', '12.531.909-2'],
    ['CL', '12.531.909-3', '! wrong_check_digits'],
  ])('is read for nationalIdNumber of %s: %j becomes %j', (country, given, expected) => {
    expect(become('nationalIdNumber', given, { nationalIdCountry: country }, 'LATAM')).toBe(expected);
  });

  it.each(Object.entries(nationalIds))(
    'may look like the example for nationalIdNumber of %s',
    (country, { example }) => {
      expect(nationalIdFault(country, example)).toBeUndefined();
    },
  );

  it.each([
    ['EEA', 'ES', '28013', '28013'],
    ['EEA', 'ES', '28 013', '28013'],
    ['EEA', 'ES', '999999999', '! wrong_format'],
    ['EEA', 'ES', '1234', '! wrong_format'],
    ['EEA', 'PT', '2725079', '2725-079'],
    ['EEA', 'IE', 'a65f4e2', 'A65F4E2'],
    ['GB', 'GB', 'sw1a 1aa', 'SW1A 1AA'],
    ['GB', 'GB', '90210', '! wrong_format'],
    ['US', 'US', '90210', '90210'],
    ['US', 'US', '902101234', '90210-1234'],
    ['US', 'US', '9021', '! wrong_format'],
    ['CA', 'CA', 'k1a0b1', 'K1A0B1'],
    ['LATAM', 'MX', '٠٦٠٨٢', '06082'],
    ['MENA', 'AE', 'Box 12', 'BOX 12'],
    ['MENA', 'AE', '', undefined],
  ] as const)('is read for postalCode in %s, %s: %j becomes %j', (zone, countryCode, given, expected) => {
    expect(become('postalCode', given, { countryCode }, zone)).toBe(expected);
  });

  it('says whether the characters of documentMrz or their number are wrong', () => {
    expect(become('documentMrz', 'P<GBR', { documentType: 'passport' })).toBe('! wrong_length');
    expect(become('documentMrz', 'P>GBR', { documentType: 'passport' })).toBe('! wrong_characters');
  });

  it('says how a postalCode looks in that country when it is wrong', () => {
    const { faults } = readStep(
      stepOf('address', 'LEVEL_1', 'EEA').questions,
      { countryCode: 'ES', postalCode: '1' },
      today,
    );
    expect(faults).toContainEqual({ question: 'postalCode', code: 'wrong_format', example: '28039' });
  });

  it('is four digits for taxIdLastFour', () => {
    expect(become('taxIdLastFour', '0123', { taxIdKind: 'ssn' }, 'US')).toBe('0123');
    expect(become('taxIdLastFour', '12a4', { taxIdKind: 'ssn' }, 'US')).toBe('! wrong_format');
    expect(become('taxIdLastFour', '01234', { taxIdKind: 'ssn' }, 'US')).toBe('! too_long 4');
  });
});

describe('a step', () => {
  it('tells every fault at once, in the order of its questions', () => {
    const { faults } = readStep(stepOf('person').questions, { lastName: 'Ruiz', nationality: 'ZZ' }, today);
    expect(faults).toEqual([
      { question: 'firstName', code: 'required' },
      { question: 'dateOfBirth', code: 'required' },
      { question: 'nationality', code: 'not_allowed' },
      { question: 'politicallyExposed', code: 'required' },
    ]);
  });

  it('reads nothing that it did not ask for', () => {
    const raw = { ...funds, token: 'secret', firstName: 'Ana', constructor: 'x' };
    expect(readStep(stepOf('funds').questions, raw, today).answers).toEqual(funds);
  });

  it('asks for an explanation of some sources of funds only, and drops one that is not asked for', () => {
    const { questions } = stepOf('funds');
    const explained = { ...funds, fundsExplanation: 'From my aunt.' };
    expect(readStep(questions, explained, today).answers).toEqual(funds);
    expect(readStep(questions, { ...funds, sourceOfFunds: 'gift' }, today).faults).toEqual([
      { question: 'fundsExplanation', code: 'required' },
    ]);
    expect(readStep(questions, { ...explained, sourceOfFunds: 'gift' }, today)).toEqual({
      answers: { ...explained, sourceOfFunds: 'gift' },
      faults: [],
    });
  });

  it('reads what it kept to the same: nothing changes when it is saved again', () => {
    const { questions } = stepOf('person', 'LEVEL_1', 'LATAM');
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...questions.map(({ id }) => id)), fc.string()), (raw) => {
        const { answers } = readStep(questions, raw, today);
        expect(readStep(questions, answers as Record<string, string>, today).answers).toEqual(answers);
      }),
    );
  });

  it('has a code for every fault that the pages know, whatever is sent', () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('1990-01-01', 'US'));
    const { questions } = stepOf('document');
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...questions.map(({ id }) => id)), texts), (raw) => {
        for (const { code } of readStep(questions, raw, today).faults) expect(answerFaultCodes).toContain(code);
      }),
    );
  });
});

const funds = { occupation: 'Baker', sourceOfFunds: 'salary' };
