/** What a country requires to be known about a recipient, as the fields of a form. */
import type { Destination } from '../../beneficiaries/destinations/destination.js';
import type { BeneficiaryType, Field } from '../../beneficiaries/fields/field.js';
import { fieldsFor } from '../../beneficiaries/requirements.js';
import type { FieldFault } from '../../errors.js';
import type { PageFault } from '../../hosted-pages/frame.js';
import { SelectField, TextField } from './fields.js';
import type { TransferTexts } from './texts/transfer-texts.js';

export type Entered = Readonly<Record<string, string>>;

export interface RecipientForm {
  readonly destination: Destination;
  readonly type: BeneficiaryType;
  readonly entered: Entered;
  readonly faults: readonly FieldFault[];
  /** A field that is left empty keeps its value. Otherwise the required ones must be filled in. */
  readonly keepsEmpty: boolean;
}

/** Without the type, which is no question here. */
function fieldsOf({ destination, type }: Pick<RecipientForm, 'destination' | 'type'>): Field[] {
  return fieldsFor(destination, type).filter(({ name }) => name !== 'type');
}

export function RecipientFields({ form, texts }: { readonly form: RecipientForm; readonly texts: TransferTexts }) {
  return (
    <>
      {fieldsOf(form).map((field) => (
        <RecipientField key={field.name} field={field} form={form} texts={texts} />
      ))}
    </>
  );
}

/** For the summary at the top of the page. */
export function recipientFaults(form: RecipientForm, texts: TransferTexts): PageFault[] {
  return fieldsOf(form).flatMap((field) => {
    const text = faultText(field, form, texts);
    return text === undefined ? [] : [{ field: field.name, text }];
  });
}

/** What the fields of the form say, in the shape that the API takes. Empty fields are left out. */
export function bodyOf({ destination, type }: Pick<RecipientForm, 'destination' | 'type'>, entered: Entered): object {
  const { country, currency, method } = destination;
  const body: Record<string, unknown> = { country, currency, method, type };
  for (const { name } of fieldsOf({ destination, type })) {
    const value = entered[name]?.trim();
    if (!value) continue;
    const [first = '', second] = name.split('.');
    body[first] = second === undefined ? value : { ...(body[first] as object | undefined), [second]: value };
  }
  return body;
}

interface RecipientFieldProps {
  readonly field: Field;
  readonly form: RecipientForm;
  readonly texts: TransferTexts;
}

function RecipientField({ field, form, texts }: RecipientFieldProps) {
  const { name, type, options, maxLength, example, isRequired } = field;
  const { correct, optional } = texts.transfer;
  const isAccount = name.startsWith('account.');
  const isOpen = form.keepsEmpty || isRequired;
  const label = isOpen ? labelOf(field, texts) : `${labelOf(field, texts)} ${optional}`;
  const shared = { id: name, label, value: form.entered[name], fault: faultText(field, form, texts) };
  if (options) {
    const countries = name === 'address.country';
    const shown = options.map(({ value, label: text }) => ({ value, label: countries ? texts.country(value) : text }));
    const sorted = countries ? shown.sort((a, b) => a.label.localeCompare(b.label, texts.locale)) : shown;
    return <SelectField {...shared} empty={texts.transfer.choose} options={sorted} />;
  }
  return (
    <TextField
      {...shared}
      type={type === 'phone' ? 'tel' : 'text'}
      isCode={isAccount}
      // Separators may be typed, and are removed.
      maxLength={maxLength * 2 + 20}
      hint={isAccount ? texts.fill(correct.example, { example }) : undefined}
    />
  );
}

/** Local names such as CLABE and IFSC are the same in every language. */
function labelOf({ name, label }: Field, { transfer }: TransferTexts): string {
  const labels: Readonly<Record<string, string>> = transfer.fields;
  return labels[name] ?? label;
}

function faultText(field: Field, { faults }: RecipientForm, texts: TransferTexts): string | undefined {
  const fault = faults.find((known) => known.field === field.name);
  if (!fault) return undefined;
  const { missing, wrong } = texts.transfer.correct;
  return texts.fill(fault.code === 'required' ? missing : wrong, { label: labelOf(field, texts) });
}
