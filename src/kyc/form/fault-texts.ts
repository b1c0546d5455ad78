/** Faults in words that say how to mend them. */
import { largestUploadBytes, type UploadFault } from '../documents/inspect.js';
import type { AnswerFault, AnswerFaultCode } from '../form-view.js';
import type { Question } from '../requirements.js';
import { exampleDate, type Occasion } from './form-values.js';
import type { Texts } from './texts.js';

export const largestMegabytes = Math.floor(largestUploadBytes / (1024 * 1024));

export function answerFaultText(
  texts: Texts,
  question: Question,
  occasion: Occasion,
  fault: AnswerFault,
): string {
  if (fault.code === 'required') return texts.say(`questions.${question.id}.required`);
  const example = exampleDate(question, occasion);
  const values = { label: labelOf(texts, question), limit: fault.limit ?? '', example };
  return texts.say(`faults.${faultKey(question, fault.code)}`, values);
}

export function uploadFaultText(texts: Texts, question: Question, fault: UploadFault): string {
  return texts.say(`uploadFaults.${fault}`, {
    label: labelOf(texts, question),
    megabytes: texts.number(largestMegabytes),
  });
}

export function labelOf(texts: Texts, { id }: Question): string {
  return texts.say(`questions.${id}.label`);
}

export function hintText(texts: Texts, question: Question, occasion: Occasion): string | undefined {
  return texts.sayIfThere(`questions.${question.id}.hint`, { example: exampleDate(question, occasion) });
}

function faultKey({ kind, format, dateRule }: Question, code: Exclude<AnswerFaultCode, 'required'>) {
  if (code === 'wrong_format') return wrongFormatKey(kind, format);
  if (code === 'too_long_ago') return dateRule === 'birth' ? 'bornTooLongAgo' : 'tooOld';
  if (code === 'wrong_check_digits') return kind === 'mrz' ? 'mrzCheckDigits' : code;
  return code;
}

function wrongFormatKey(kind: Question['kind'], format: Question['format']) {
  if (kind === 'phone' || kind === 'mrz') return kind;
  return format ?? 'wrong_format';
}
