/** Checks answers against what was asked for, and says what is still missing. Pure. */
import type { FieldFault } from '../../errors.js';
import { type RequirementCode, requirementOf } from '../order/requirement.js';
import type { Answer, Answers } from './sealed.js';

/** What is still missing after these answers. */
export function missingAfter(asked: readonly RequirementCode[], answers: Answers): RequirementCode[] {
  const answered = answers.map(({ code }) => code);
  return asked.filter((code) => !answered.includes(code));
}

/** Empty when each answer is to something that was asked for, and is one. `documentIds` are those of the order. */
export function answerFaults(
  asked: readonly RequirementCode[],
  answers: Answers,
  documentIds: ReadonlySet<string>,
): FieldFault[] {
  return answers.flatMap((answer, index) => {
    const at = `answers.${index}`;
    const { code } = answer;
    const isRepeated = answers.findIndex((other) => other.code === code) < index;
    if (isRepeated) return [fault(`${at}.code`, 'not_allowed', `${code} is answered twice`)];
    if (!asked.includes(code)) return [fault(`${at}.code`, 'not_allowed', `${code} was not asked for`)];
    return [...contentFaults(at, answer), ...documentFaults(at, answer, documentIds)];
  });
}

function contentFaults(at: string, { code, answer, documentIds = [] }: Answer): FieldFault[] {
  const { needs, options = [] } = requirementOf(code);
  if (needs !== 'document' && answer === undefined)
    return [fault(`${at}.answer`, 'required', `${code} needs an answer`)];
  if (needs === 'choice' && !options.some((known) => known === answer))
    return [{ ...fault(`${at}.answer`, 'not_allowed', `must be ${options.join(' or ')}`), allowed: options }];
  if (needs === 'document' && documentIds.length === 0)
    return [fault(`${at}.documentIds`, 'required', `${code} needs a document; upload it first`)];
  return [];
}

function documentFaults(at: string, { documentIds = [] }: Answer, known: ReadonlySet<string>): FieldFault[] {
  return documentIds.flatMap((documentId, index) =>
    known.has(documentId) ? [] : [fault(`${at}.documentIds.${index}`, 'not_allowed', 'is no document of this order')],
  );
}

function fault(field: string, code: string, message: string): FieldFault {
  return { field, code, message };
}
