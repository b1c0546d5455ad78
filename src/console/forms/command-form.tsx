/** The page with the form of a command, beside the record that it changes. */

import type { ComponentChildren } from 'preact';
import type { CommandRoute } from '../../http/route.js';
import { needsPassword } from '../screens/finding.js';
import { fieldsOf, type Schema } from '../screens/schema.js';
import type { Variant } from '../screens/screen.js';
import { Fields, SmallTable } from '../shown/value.js';
import { labelOf } from '../shown/words.js';
import { entryOf, type FormValues } from './body.js';
import { FormFields, idOf, useIds, withoutMarks } from './fields.js';
import { narrowedTo } from './variant.js';

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly remedy: string;
  /** The messages by the paths of the fields. */
  readonly faults: ReadonlyMap<string, string>;
  /** What others did to the record, after a conflict. */
  readonly meanwhile: readonly Record<string, unknown>[];
}

export interface CommandFormProps {
  readonly route: CommandRoute;
  readonly params: Readonly<Record<string, string>>;
  readonly values: FormValues;
  readonly formKey: string;
  readonly formToken: string;
  readonly refusal: Refusal | undefined;
  readonly record: Readonly<Record<string, unknown>> | undefined;
  readonly recordSchema: Schema | undefined;
  readonly recordTitle: string;
  readonly back: string;
  readonly variant: Variant | undefined;
  /** Whether the next task of the kind opens afterwards. Undefined when there is no next one. */
  readonly goesOn: boolean | undefined;
}

export function CommandForm(props: CommandFormProps) {
  const { route, params, refusal, record, variant } = props;
  const faults = refusal?.faults ?? new Map<string, string>();
  const lead = variant?.hint ?? route.description;
  return (
    <>
      <h1>{variant ? `${route.summary}: ${variant.act}` : route.summary}</h1>
      {refusal ? <Refused refusal={refusal} /> : null}
      {lead ? <p class="lead">{withoutMarks(lead)}</p> : null}
      <div class={record ? 'beside' : undefined}>
        <FormOf {...props} faults={faults}>
          <Subject params={params} />
        </FormOf>
        {record ? (
          <aside>
            <h2>{props.recordTitle} as it is now</h2>
            <Fields value={plainPart(record)} schema={props.recordSchema} />
          </aside>
        ) : null}
      </div>
    </>
  );
}

type OfForm = 'route' | 'params' | 'values' | 'formKey' | 'formToken' | 'variant' | 'record' | 'goesOn';

export interface FormOfProps extends Pick<CommandFormProps, OfForm> {
  readonly faults: ReadonlyMap<string, string>;
  /** What the button says. Absent: the command. */
  readonly act?: string;
  readonly back?: string;
  readonly children?: ComponentChildren;
}

/** The form itself, alone on its page or beside others on the page of a record. */
export function FormOf(props: FormOfProps) {
  const { route, params, values, faults, back, variant } = props;
  const whole = route.body as Schema | undefined;
  const body = whole && variant ? narrowedTo(variant, whole, props.record ?? {}) : whole;
  const taken = Object.entries(variant?.taken ?? {}).map(([name, field]) => [
    name,
    values.get(name) ?? String(props.record?.[field] ?? ''),
  ]);
  const unasked: Record<string, string> = { ...variant?.fixed, ...Object.fromEntries(taken) };
  const address: Record<string, string> = {
    ...params,
    ...Object.fromEntries(taken),
    ...(variant ? { as: variant.name } : {}),
  };
  const hasFile = fieldsOf(body).some((field) => field.name === 'csv' || entryOf(field) === 'file');
  return (
    <form
      class="command"
      method="post"
      action={`/console/do/${route.operationId}?${new URLSearchParams(address)}`}
      enctype={hasFile ? 'multipart/form-data' : undefined}
    >
      <input type="hidden" name="formToken" value={props.formToken} />
      <input type="hidden" name="formKey" value={props.formKey} />
      {Object.entries(unasked).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {props.children}
      {body ? <FormFields schema={body} values={values} faults={faults} except={Object.keys(params)} /> : null}
      <SecondPerson route={route} values={values} faults={faults} />
      <p class="send">
        <button type="submit" class="main">
          {variant?.act ?? props.act ?? route.summary}
        </button>
        {back === undefined ? null : <a href={back}>Back</a>}
        {props.goesOn === undefined ? null : (
          <label class="next-task">
            <input type="checkbox" name="goOn" value="next" checked={props.goesOn} /> Then take the next one
          </label>
        )}
      </p>
    </form>
  );
}

/** The error summary comes first and has the focus. */
function Refused({ refusal }: { readonly refusal: Refusal }) {
  const { title, message, remedy, faults, meanwhile } = refusal;
  return (
    <div class="notice bad" role="alert" tabindex={-1} autofocus>
      <h2>{title}</h2>
      {faults.size > 0 ? (
        <ul>
          {[...faults].map(([path, fault]) => (
            <li key={path}>
              <a href={`#${idOf(path)}`}>{labelOf(path.split('.').at(-1) ?? path)}</a>: {fault}
            </li>
          ))}
        </ul>
      ) : (
        <p>{message}</p>
      )}
      <p>{remedy}</p>
      <p class="hint">
        Code <code>{refusal.code}</code>
      </p>
      {meanwhile.length > 0 ? (
        <>
          <h3>What happened to it lately</h3>
          <SmallTable
            items={meanwhile.map(({ at, actor, action, fromState, toState }) => ({
              at,
              actor,
              action,
              fromState,
              toState,
            }))}
            schema={{}}
          />
        </>
      ) : null}
    </div>
  );
}

function Subject({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const entries = Object.entries(params);
  if (entries.length === 0) return null;
  return (
    <p class="subject">
      {entries.map(([name, value]) => (
        <span key={name}>
          {labelOf(name)} <code>{value}</code>{' '}
        </span>
      ))}
    </p>
  );
}

interface SecondPersonProps {
  readonly route: CommandRoute;
  readonly values: FormValues;
  readonly faults: ReadonlyMap<string, string>;
}

/** Why it is asked for, if a second person has to decide; and the password, where money or access moves. */
function SecondPerson({ route, values, faults }: SecondPersonProps) {
  const idOf = useIds();
  const fault = faults.get('ownPassword');
  return (
    <>
      {route.fourEyes ? (
        <div class="field">
          <label for={idOf('approvalNote')}>Why, for the second operator (optional)</label>
          <p class="hint">Read only if this needs a second person.</p>
          <input
            id={idOf('approvalNote')}
            name="approvalNote"
            maxlength={500}
            value={values.get('approvalNote') ?? ''}
            autocomplete="off"
            dir="auto"
          />
        </div>
      ) : null}
      {needsPassword(route) ? (
        <div class={fault === undefined ? 'field' : 'field faulty'}>
          <label for={idOf('ownPassword')}>Your password</label>
          <p class="hint">Once more, because this moves money or gives access.</p>
          {fault === undefined ? null : <p class="fault">{fault}</p>}
          <input
            id={idOf('ownPassword')}
            name="ownPassword"
            type="password"
            maxlength={256}
            required
            autocomplete="current-password"
          />
        </div>
      ) : null}
    </>
  );
}

/** The lists of a record stand on its own page. */
function plainPart(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(record).filter(
    ([name, value]) => name !== 'version' && (typeof value !== 'object' || value === null),
  );
  return Object.fromEntries(entries);
}
