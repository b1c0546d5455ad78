/** The fields of a form, made from the schema that the route declares for its body. */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Field, fieldsOf, plain, type Schema } from '../screens/schema.js';
import { Value } from '../shown/value.js';
import { labelOf, stateWords } from '../shown/words.js';
import { type Entry, entryOf, type FormValues, pathOf } from './body.js';

export interface FieldsProps {
  readonly schema: Schema;
  readonly values: FormValues;
  /** The messages by the paths of the fields. */
  readonly faults: ReadonlyMap<string, string>;
  readonly above?: string;
  /** What the address of the command says already. */
  readonly except?: readonly string[];
}

export function FormFields({ schema, values, faults, above = '', except = [] }: FieldsProps) {
  if (schema.type === 'array') {
    const field = {
      name: '',
      schema,
      isRequired: true,
      isNullable: false,
      description: schema.description ?? 'A list as JSON.',
    };
    return <Single field={field} path="" values={values} faults={faults} />;
  }
  return (
    <>
      {entered(fieldsOf(schema), except).map((field) => {
        const path = pathOf(above, field.name);
        const entry = entryOf(field);
        if (field.name === 'version' && values.has(path)) {
          return <input key={path} type="hidden" name={path} value={values.get(path)} />;
        }
        if (entry === 'object') {
          return (
            <fieldset key={path}>
              <legend>
                {labelOf(field.name)}
                {field.isRequired ? '' : ' (optional)'}
              </legend>
              <FormFields schema={field.schema} values={values} faults={faults} above={path} />
            </fieldset>
          );
        }
        if (entry === 'choices') return <Choices key={path} field={field} path={path} values={values} />;
        return <Single key={path} field={field} path={path} values={values} faults={faults} />;
      })}
    </>
  );
}

/** A field that the API accepts and ignores, so that a record can be sent back as it came, is not asked for. */
function entered(fields: readonly Field[], except: readonly string[]): Field[] {
  return fields.filter(({ name, description }) => !except.includes(name) && description !== 'Ignored.');
}

interface SingleProps {
  readonly field: Field;
  readonly path: string;
  readonly values: FormValues;
  readonly faults: ReadonlyMap<string, string>;
}

function Single({ field, path, values, faults }: SingleProps) {
  const idOf = useIds();
  const id = idOf(path);
  const fault = faults.get(path);
  const entry = entryOf(field);
  const isFile = field.name === 'csv';
  return (
    <div class={fault === undefined ? 'field' : 'field faulty'}>
      <label for={id}>
        {path === '' ? 'All of them' : labelOf(field.name)}
        {field.isRequired ? '' : ' (optional)'}
      </label>
      {field.description ? (
        <p class="hint" id={`${id}-hint`}>
          {withoutMarks(field.description)}
        </p>
      ) : null}
      {fault === undefined ? null : (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {isFile ? <input type="file" name={path} aria-label={`${labelOf(field.name)} from a file`} /> : null}
      <Control
        entry={entry}
        field={field}
        path={path}
        value={values.get(path) ?? ''}
        isFile={isFile}
        isFaulty={fault !== undefined}
      />
    </div>
  );
}

interface ControlProps {
  readonly entry: Entry;
  readonly field: Field;
  readonly path: string;
  readonly value: string;
  /** A file may be chosen instead. */
  readonly isFile: boolean;
  readonly isFaulty: boolean;
}

function Control(props: ControlProps) {
  const { entry, field, path, value, isFile, isFaulty } = props;
  const idOf = useIds();
  const described = [field.description ? `${idOf(path)}-hint` : '', isFaulty ? `${idOf(path)}-fault` : ''];
  const shared = {
    id: idOf(path),
    name: path,
    required: field.isRequired && !field.isNullable && !isFile,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    'aria-invalid': isFaulty || undefined,
  };
  const { maxLength } = field.schema;
  if (entry === 'file') return <input {...shared} type="file" />;
  if (entry === 'choice' || entry === 'yesNo') return <Choice {...props} shared={shared} />;
  if (entry === 'time') {
    return <input {...shared} type="datetime-local" step={1} value={value.replace(/(\.\d+)?Z$/, '')} />;
  }
  if (entry === 'secret') return <input {...shared} type="password" autocomplete="off" />;
  if (entry === 'number') {
    return <input {...shared} class="amount" inputmode="decimal" maxlength={40} value={value} autocomplete="off" />;
  }
  if (entry === 'text') return <input {...shared} maxlength={maxLength} value={value} autocomplete="off" dir="auto" />;
  return (
    <textarea {...shared} rows={entry === 'json' ? 8 : 3} maxlength={isFile ? undefined : maxLength} dir="auto">
      {value}
    </textarea>
  );
}

interface Shared {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
}

function Choice({ entry, field, value, shared }: ControlProps & { readonly shared: Shared }) {
  const choices = entry === 'choice' ? (field.schema.enum ?? []).map(String) : ['true', 'false'];
  return (
    <select {...shared}>
      <option value="">{shared.required ? 'Choose' : 'Leave out'}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice} selected={choice === value}>
          {entry === 'yesNo' ? yesNo[choice] : choiceText(choice)}
        </option>
      ))}
    </select>
  );
}

const yesNo: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

/** Codes of currencies and countries stay as they are. */
function choiceText(choice: string): string {
  return /^[A-Z]{2,3}$/.test(choice) ? choice : stateWords(choice);
}

function Choices({ field, path, values }: Omit<SingleProps, 'faults'>) {
  const names = (plain(field.schema.items ?? {}).enum ?? []).map(String);
  return (
    <fieldset class="choices">
      <legend>
        {labelOf(field.name)}
        {field.isRequired ? '' : ' (optional)'}
      </legend>
      {field.description ? <p class="hint">{withoutMarks(field.description)}</p> : null}
      {names.map((name) => (
        <label key={name}>
          <input type="checkbox" name={`${path}[${name}]`} checked={values.has(`${path}[${name}]`)} />
          {choiceText(name)}
        </label>
      ))}
    </fieldset>
  );
}

/** Several forms on one page name their fields apart. */
export const FormName = createContext('');

export function useIds(): (path: string) => string {
  const form = useContext(FormName);
  return (path) => (form === '' ? idOf(path) : `${form}-${idOf(path)}`);
}

export function idOf(path: string): string {
  return `field-${path.replaceAll(/\W/g, '-')}`;
}

/** Descriptions are Markdown; forms show their words. */
export function withoutMarks(description: string): string {
  return description.replaceAll('`', '').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}

/** What was entered, read back beside the form. */
export function Entered({ record }: { readonly record: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="fields">
      {Object.entries(record).map(([name, value]) => (
        <div key={name}>
          <dt>{labelOf(name)}</dt>
          <dd>
            <Value name={name} value={value} row={record} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
