/** Shows a question with standard HTML fields. Data attributes are for the optional script. */
import type { Question } from '../../../kyc/cases/requirements.js';
import { Choice, CountrySelect } from './choice-fields.js';
import { DateField } from './date-field.js';
import { DocumentField } from './document-field.js';
import { describedBy, type FieldProps, HintAndFault, Label, stateOf, Wrapper } from './question-frame.js';

export function Field(props: FieldProps) {
  switch (props.question.kind) {
    case 'date':
      return <DateField {...props} />;
    case 'document':
      return <DocumentField {...props} />;
    case 'choice':
      return <Choice {...props} />;
    case 'country':
      return <CountrySelect {...props} />;
    default:
      return <TextField {...props} />;
  }
}

function TextField(props: FieldProps) {
  const { question, values } = props;
  const shared = {
    id: question.id,
    name: question.id,
    autocomplete: question.autocomplete ?? 'off',
    'aria-describedby': describedBy(props),
    ...stateOf(props),
    ...writingOf(question),
  };
  const rows = linesOf(question);
  return (
    <Wrapper of={props}>
      <label for={question.id}>
        <Label {...props} />
      </label>
      <HintAndFault {...props} />
      {rows > 1 ? (
        <textarea {...shared} rows={rows}>
          {values[question.id] ?? ''}
        </textarea>
      ) : (
        <input
          {...shared}
          type={(question.kind === 'phone' ? 'tel' : 'text') as 'text'}
          value={values[question.id] ?? ''}
        />
      )}
    </Wrapper>
  );
}

/** Browsers fill in a street address only where it may have several lines. */
function linesOf({ kind, maxLength = 0, autocomplete }: Question): number {
  if (kind === 'mrz') return 3;
  if (autocomplete === 'street-address') return 2;
  return maxLength > 300 ? 4 : 1;
}

/** Codes are written from left to right in every language; names and addresses in their own direction. */
function writingOf({ kind, format }: Question) {
  if (format === 'lastFourDigits') return { dir: 'ltr', inputmode: 'numeric', class: 'short' } as const;
  if (kind === 'phone') return { dir: 'ltr' } as const;
  if (kind === 'mrz') return { dir: 'ltr', class: 'code', ...asCode } as const;
  if (format === 'postalCode') return { dir: 'ltr', class: 'short', ...asCode } as const;
  if (format !== undefined) return { dir: 'ltr', ...asCode } as const;
  return { dir: 'auto' } as const;
}

const asCode = { autocapitalize: 'characters', autocorrect: 'off', spellcheck: false } as const;
