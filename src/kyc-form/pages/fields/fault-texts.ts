/** Labels, hints and faults of questions. A fault explains what is wrong and how to correct it. */
import { largestUploadBytes, type UploadFault } from '../../../documents/inspect.js';
import type { Question } from '../../../kyc/cases/requirements.js';
import type { AnswerFault, AnswerFaultCode } from '../../../kyc/checks/answer-fault.js';
import { localNameOf } from '../texts/customs.js';
import type { Texts } from '../texts/texts.js';
import { exampleDate, type Occasion } from './form-values.js';

export const largestMegabytes = Math.floor(largestUploadBytes / (1024 * 1024));

export function answerFaultText(texts: Texts, question: Question, occasion: Occasion, fault: AnswerFault): string {
  if (fault.code === 'required') return requiredText(texts, question, occasion.country);
  const { limit = '', count: entered = '' } = fault;
  const label = labelOf(texts, question, occasion.country);
  const example = fault.example ?? texts.dateSample(exampleDate(question, occasion));
  return texts.say(`faults.${faultKey(question, fault)}`, { label, limit, entered, example });
}

export function uploadFaultText(texts: Texts, question: Question, fault: UploadFault): string {
  return texts.say(`uploadFaults.${fault}`, {
    label: labelOf(texts, question, undefined),
    megabytes: texts.number(largestMegabytes),
  });
}

export function labelOf(texts: Texts, { id }: Question, country: string | undefined): string {
  const name = localNameOf(id, country);
  return texts.say(name ? `localNames.${name}.label` : `questions.${id}.label`);
}

export function hintText(texts: Texts, question: Question, occasion: Occasion): string | undefined {
  const example = texts.dateSample(exampleDate(question, occasion));
  return texts.sayIfThere(`questions.${question.id}.hint`, { example });
}

function requiredText(texts: Texts, { id }: Question, country: string | undefined): string {
  const name = localNameOf(id, country);
  return texts.say(name ? `localNames.${name}.required` : `questions.${id}.required`);
}

/** Most codes have one text. Some mean something else for some kinds of questions. */
function faultKey({ kind, format, dateRule }: Question, { code, example }: AnswerFault) {
  if (format === 'lastFourDigits') return 'lastFourDigits';
  if (kind === 'phone' || kind === 'mrz') return specialKey(kind, code);
  if (code === 'too_long_ago') return dateRule === 'birth' ? 'bornTooLongAgo' : 'tooOld';
  if (code !== 'wrong_format') return code as Exclude<AnswerFaultCode, 'required' | 'too_long_ago'>;
  if (format === 'postalCode') return 'postalCode';
  if (format === undefined) return 'wrong_format';
  return example === undefined ? 'separators' : 'looksLike';
}

function specialKey(kind: 'phone' | 'mrz', code: AnswerFaultCode) {
  if (kind === 'mrz') {
    if (code === 'wrong_characters') return 'mrzCharacters';
    return code === 'wrong_check_digits' ? 'mrzCheckDigits' : 'mrzLength';
  }
  if (code === 'wrong_characters') return 'phoneCharacters';
  if (code === 'too_short') return 'phoneTooShort';
  return code === 'too_long' ? 'phoneTooLong' : 'phone';
}
