/** The requirements are data: what holds for all of them, and where zones differ. */
import { describe, expect, it } from 'vitest';
import { type KycLevel, kycLevels, parts, type Zone, zones } from '../../src/kyc/cases/case.js';
import { questionIds, requirementsOf, stepIds } from '../../src/kyc/cases/requirements.js';
import { countriesOf } from '../../src/kyc/cases/zones.js';
import { partsOf } from '../../src/kyc/submissions/state.js';

const every = kycLevels.flatMap((level) => zones.map((zone) => ({ level, zone })));

function asked(level: KycLevel, zone: Zone): string[] {
  return requirementsOf(level, zone).flatMap((step) => step.questions.map(({ id }) => id));
}

describe.each(every)('$level in $zone', ({ level, zone }) => {
  const steps = requirementsOf(level, zone);

  it('asks each question once, in steps that come in their order and are never empty', () => {
    const ids = asked(level, zone);
    expect(new Set(ids).size).toBe(ids.length);
    const order = steps.map(({ id }) => stepIds.indexOf(id));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(steps.filter((step) => step.questions.length === 0)).toEqual([]);
  });

  it('makes a question depend only on one that was asked before it in the same step', () => {
    const wrong = steps.flatMap((step) =>
      step.questions.filter(({ onlyWhen }, index) => {
        const before = step.questions.slice(0, index).find(({ id }) => id === onlyWhen?.question);
        return onlyWhen && !onlyWhen.isOneOf.every((value) => before?.options?.includes(value));
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('bounds every text, offers something in every choice, and lets people live in the zone only', () => {
    const questions = steps.flatMap((step) => step.questions);
    expect(questions.filter((one) => one.kind === 'text' && !(Number(one.maxLength) > 0))).toEqual([]);
    expect(questions.filter((one) => one.kind === 'choice' && !(Number(one.options?.length) > 1))).toEqual([]);
    expect(questions.find(({ id }) => id === 'countryCode')?.options).toEqual(countriesOf(zone));
  });

  it('can have each of its steps asked for again', () => {
    const stepNames: readonly string[] = steps.map(({ id }) => id);
    const ofSteps = partsOf(level, zone).filter((part) => stepNames.includes(part));
    expect(ofSteps).toEqual(stepNames);
  });
});

describe('the levels', () => {
  it('are cumulative in every zone', () => {
    for (const zone of zones) {
      const [one, two, three] = kycLevels.map((level) => asked(level, zone));
      expect(two?.slice(0, one?.length)).toEqual(one);
      expect(three?.slice(0, two?.length)).toEqual(two);
    }
  });

  it('ask identity and address first, then the document and a selfie, then proof of address and funds', () => {
    const stepsOf = (level: KycLevel) => requirementsOf(level, 'GB').map(({ id }) => id);
    expect(stepsOf('LEVEL_1')).toEqual(['person', 'address']);
    expect(stepsOf('LEVEL_2')).toEqual(['person', 'address', 'document', 'selfie']);
    expect(stepsOf('LEVEL_3')).toEqual([...['person', 'address', 'document', 'selfie', 'proofOfAddress', 'funds']]);
  });
});

describe('the zones', () => {
  it('differ where their rules do', () => {
    const only = (question: string) => zones.filter((zone) => asked('LEVEL_1', zone).includes(question));
    expect(only('taxIdLastFour')).toEqual(['US']);
    expect(only('secondSurname')).toEqual(['LATAM']);
    expect(only('nationalIdNumber')).toEqual(['LATAM', 'AFRICA']);
    expect(only('placeOfBirth')).toEqual(['EEA', 'CH']);
  });

  it('leave no question and no part unused', () => {
    const used = new Set(every.flatMap(({ level, zone }) => asked(level, zone)));
    expect(questionIds.filter((id) => !used.has(id))).toEqual([]);
    expect(partsOf('LEVEL_3', 'US')).toEqual([...parts]);
  });
});
