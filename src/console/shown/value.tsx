/** One value of an answer, as its schema describes it. It is text to Preact, so nothing in it becomes markup. */

import { fieldsOf, isObject, plain, type Schema } from '../screens/schema.js';
import { addressOfValue } from './links.js';
import { amountText, isAmountName } from './money.js';
import { Scroll } from './scroll.js';
import { labelOf, stateWords, toneOf } from './words.js';

export interface Shown {
  readonly name: string;
  readonly value: unknown;
  readonly schema?: Schema | undefined;
  /** The fields beside it. */
  readonly row: Readonly<Record<string, unknown>>;
  /** It stands in a link already. */
  readonly isLinked?: boolean;
}

export function Value({ name, value, schema, row, isLinked = false }: Shown) {
  if (value === null || value === undefined || value === '') return <span class="none">–</span>;
  const amount = amountText(name, value, row);
  if (amount !== undefined) return <data class="amount">{amount}</data>;
  if (typeof value === 'boolean') return <span class={value ? 'yes' : 'no'}>{value ? 'yes' : 'no'}</span>;
  if (name === 'userId' && typeof row.merchant === 'string' && !isLinked) {
    return (
      <a href={`/console/users/${String(value)}?${new URLSearchParams({ merchant: row.merchant })}`}>{String(value)}</a>
    );
  }
  if (typeof value === 'number') return <span class="number">{String(value)}</span>;
  if (typeof value === 'string') return <Text name={name} text={value} schema={schema} isLinked={isLinked} />;
  if (Array.isArray(value)) return <Items name={name} items={value} schema={schema} />;
  return isObject(value) ? <Fields value={value} schema={schema} /> : null;
}

interface TextProps {
  readonly name: string;
  readonly text: string;
  readonly schema?: Schema | undefined;
  readonly isLinked: boolean;
}

function Text({ name, text, schema, isLinked }: TextProps) {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text);
  if (isTime) return <Time at={text} />;
  if (/^(state|status|outcome|decision|to|from|fromState|toState)$/.test(name)) return <State state={text} />;
  if (schema?.enum !== undefined && !/^[A-Z]{2,3}$/.test(text)) return <span title={text}>{stateWords(text)}</span>;
  const address = isLinked ? undefined : addressOfValue(name, text);
  if (name === 'path' && address !== undefined) return <a href={address}>Open</a>;
  const isId = /^[a-z]{2,3}_[0-9A-Z]{26}$/.test(text);
  const shown = isId ? <code data-copy={text}>{`${text.slice(0, 4)}…${text.slice(-6)}`}</code> : text;
  if (address === undefined) return isId ? shown : <bdi>{text}</bdi>;
  return (
    <a href={address} title={isId ? text : undefined}>
      {shown}
    </a>
  );
}

/** A dot and the word: colour never stands alone. */
export function State({ state }: { readonly state: string }) {
  return (
    <span class={`state ${toneOf(state)}`} title={state}>
      {stateWords(state)}
    </span>
  );
}

/** In UTC. The script adds the local time as the title. */
export function Time({ at }: { readonly at: string }) {
  return <time datetime={at}>{at.slice(0, 19).replace('T', ' ')}</time>;
}

function Items({
  name,
  items,
  schema,
}: {
  readonly name: string;
  readonly items: readonly unknown[];
  readonly schema?: Schema | undefined;
}) {
  const of = plain(schema?.items ?? {});
  if (items.length === 0) return <span class="none">none</span>;
  if (items.every(isObject)) return <FewOrFolded items={items} schema={of} />;
  return (
    <ul class="chips">
      {items.map((item, index) => (
        <li key={index}>
          <Value name={name} value={item} schema={of} row={{}} />
        </li>
      ))}
    </ul>
  );
}

/** A long list in a cell would hide the row. */
function FewOrFolded({ items, schema }: SmallTableProps) {
  const table = <SmallTable items={items} schema={schema} />;
  if (items.length <= 4) return table;
  return (
    <details>
      <summary>{items.length}</summary>
      {table}
    </details>
  );
}

interface SmallTableProps {
  readonly items: readonly Record<string, unknown>[];
  readonly schema: Schema;
}

/** A list inside of a record. */
export function SmallTable({ items, schema }: SmallTableProps) {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))].filter(
    (name) => !isCurrencyBeside(name, items),
  );
  const schemas = new Map(fieldsOf(schema).map((field) => [field.name, field.schema]));
  return (
    <Scroll label={schema.title ?? 'Table'}>
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col" class={isAmountName(name) ? 'amount' : undefined}>
                {labelOf(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={index}>
              {names.map((name) => (
                <td key={name} class={isAmountName(name) ? 'amount' : undefined}>
                  <Value name={name} value={item[name]} schema={schemas.get(name)} row={item} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** A currency is shown with its amounts. */
export function isCurrencyBeside(name: string, items: readonly Record<string, unknown>[]): boolean {
  return name === 'currency' && items.some((item) => Object.keys(item).some((other) => isAmountName(other)));
}

export function Fields({
  value,
  schema,
  except = [],
}: {
  readonly value: Record<string, unknown>;
  readonly schema?: Schema | undefined;
  readonly except?: readonly string[];
}) {
  const schemas = new Map(fieldsOf(schema).map((field) => [field.name, field]));
  const names = Object.keys(value).filter((name) => !except.includes(name) && !isCurrencyBeside(name, [value]));
  return (
    <dl class="fields">
      {names.map((name) => (
        <div key={name}>
          <dt title={schemas.get(name)?.description}>{labelOf(name)}</dt>
          <dd>
            <Value name={name} value={value[name]} schema={schemas.get(name)?.schema} row={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
