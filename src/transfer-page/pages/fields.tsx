/** The fields of the forms on transfer pages: standard HTML, each with its label, hint and fault. */
import type { ComponentChildren } from 'preact';

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
}

interface TextFieldProps extends FieldProps {
  readonly value?: string | undefined;
  readonly type?: 'text' | 'tel';
  readonly isCode?: boolean;
  readonly maxLength?: number;
}

export function TextField({ value, type = 'text', isCode = false, maxLength, ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      <input
        // One of two types, which the types of elements do not know together.
        type={type as 'text'}
        id={field.id}
        name={field.id}
        value={value ?? ''}
        maxlength={maxLength}
        autocomplete="off"
        {...(isCode ? { dir: 'ltr' as const, class: 'code', spellcheck: false } : { dir: 'auto' as const })}
        {...stateOf(field)}
      />
    </Field>
  );
}

interface AreaFieldProps extends FieldProps {
  readonly value?: string | undefined;
}

export function AreaField({ value, ...field }: AreaFieldProps) {
  return (
    <Field {...field}>
      <textarea id={field.id} name={field.id} rows={3} dir="auto" {...stateOf(field)}>
        {value ?? ''}
      </textarea>
    </Field>
  );
}

interface SelectFieldProps extends FieldProps {
  readonly value?: string | undefined;
  /** What an empty choice says. */
  readonly empty: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export function SelectField({ value, empty, options, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      <select id={field.id} name={field.id} {...stateOf(field)}>
        <option value="">{empty}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface FileFieldProps extends FieldProps {
  readonly accept: string;
}

export function FileField({ accept, ...field }: FileFieldProps) {
  return (
    <Field {...field}>
      <input type="file" class="file" id={field.id} name={field.id} accept={accept} {...stateOf(field)} />
    </Field>
  );
}

function Field({ id, label, hint, fault, children }: FieldProps & { readonly children: ComponentChildren }) {
  return (
    <div class={fault ? 'field faulty' : 'field'}>
      <label for={id}>{label}</label>
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {fault ? (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      ) : null}
      {children}
    </div>
  );
}

function stateOf({ id, hint, fault }: FieldProps) {
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return { 'aria-describedby': described || undefined, 'aria-invalid': fault ? ('true' as const) : undefined };
}
