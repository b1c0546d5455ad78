/** The parts around every field: label, hint, fault, and the data attributes for the scripts. */
import type { ComponentChildren } from 'preact';
import type { PublicReason } from '../../../kyc/cases/case.js';
import type { Question } from '../../../kyc/cases/requirements.js';
import type { AnswerFaultCode } from '../../../kyc/checks/answer-fault.js';
import type { DocumentView } from '../../../kyc/submissions/state.js';
import type { Texts } from '../texts/texts.js';
import { answerFaultText, hintText, labelOf } from './fault-texts.js';
import type { FieldValues, Occasion } from './form-values.js';

export interface FieldProps extends Occasion {
  readonly texts: Texts;
  readonly question: Question;
  readonly values: FieldValues;
  readonly fault: string | undefined;
  readonly document: DocumentView | undefined;
  /** Why this question is asked again. */
  readonly reasons: readonly PublicReason[];
}

/** The ids of hint and fault, which screen readers read with the field. */
export function describedBy(props: FieldProps): string | undefined {
  const { texts, question, fault, reasons } = props;
  const ids = [
    reasons.length > 0 && `${question.id}-reasons`,
    hintText(texts, question, props) && `${question.id}-hint`,
    question.kind === 'document' && `${question.id}-accepted`,
    fault && `${question.id}-fault`,
  ];
  return ids.filter(Boolean).join(' ') || undefined;
}

/** For inputs and selects; a group of radio buttons has no such state. */
export function stateOf({ question, fault }: FieldProps) {
  return {
    'aria-required': question.isRequired ? ('true' as const) : undefined,
    'aria-invalid': fault ? ('true' as const) : undefined,
  };
}

export function Label({ texts, question, country }: FieldProps) {
  return (
    <>
      {labelOf(texts, question, country)}
      {question.isRequired ? null : <span class="optional"> {texts.say('frame.optional')}</span>}
    </>
  );
}

export function HintAndFault(props: FieldProps) {
  const { texts, question, fault, reasons } = props;
  const hint = hintText(texts, question, props);
  const { onlyWhen } = question;
  return (
    <>
      {reasons.length > 0 ? (
        <div class="reason" id={`${question.id}-reasons`}>
          {reasons.map((reason) => (
            <p key={reason}>{texts.say(`reasons.${reason}`)}</p>
          ))}
        </div>
      ) : null}
      {onlyWhen ? <p class="hint without-script">{onlyForText(texts, onlyWhen)}</p> : null}
      {hint ? (
        <p class="hint" id={`${question.id}-hint`}>
          {hint}
        </p>
      ) : null}
      {fault ? (
        <p class="fault" id={`${question.id}-fault`}>
          {fault}
        </p>
      ) : null}
    </>
  );
}

function onlyForText(texts: Texts, { question, isOneOf }: NonNullable<Question['onlyWhen']>): string {
  const names = isOneOf.map((option) => texts.sayIfThere(`options.${question}.${option}`) ?? option);
  const list = new Intl.ListFormat(texts.locale, { type: 'disjunction' });
  return texts.say('frame.onlyFor', { options: list.format(names) });
}

interface WrapperProps {
  readonly of: FieldProps;
  readonly group?: boolean;
  readonly children: ComponentChildren;
}

export function Wrapper({ of, group = false, children }: WrapperProps) {
  const { question, fault } = of;
  const attributes = {
    class: fault ? 'field faulty' : 'field',
    'data-question': question.id,
    'data-kind': question.kind,
    'data-only-when': question.onlyWhen?.question,
    'data-only-values': question.onlyWhen?.isOneOf.join(' '),
    'data-faults': scriptFaults(of),
  };
  if (!group) return <div {...attributes}>{children}</div>;
  return (
    <fieldset {...attributes} aria-describedby={describedBy(of)}>
      {children}
    </fieldset>
  );
}

/** The faults that the script reports when a field loses focus. The server checks everything. */
function scriptFaults(props: FieldProps): string | undefined {
  const { texts, question } = props;
  if (question.kind === 'document') return undefined;
  const say = (code: AnswerFaultCode, limit: number | string = question.maxLength ?? '') =>
    answerFaultText(texts, question, props, { question: question.id, code, limit });
  return JSON.stringify({
    ...(question.isRequired ? { required: say('required') } : {}),
    ...(question.maxLength === undefined ? {} : { tooLong: say('too_long'), maxLength: question.maxLength }),
    ...(question.kind === 'date' ? { date: dateFaults(say) } : {}),
    ...(question.kind === 'phone' || question.format === 'lastFourDigits'
      ? { wrongFormat: say('wrong_format'), format: question.format ?? question.kind }
      : {}),
  });
}

/** The script replaces the number sign with the number of days. */
function dateFaults(say: (code: AnswerFaultCode, limit?: string) => string) {
  return {
    incomplete: say('incomplete_date'),
    digits: say('not_digits'),
    year: say('short_year'),
    month: say('no_such_month'),
    day: say('no_such_day', '#'),
  };
}
