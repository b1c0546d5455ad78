/** A list: its filters as an address, a table whose rows are links, and the next page. */

import type { Route } from '../../http/route.js';
import { addressOf, formAddress, isCommand, namesOfParams, recordOfList, screenOf } from '../screens/finding.js';
import { fieldsOf, namesOfSeveral, plain, type Schema } from '../screens/schema.js';
import type { Target } from '../screens/screen.js';
import type { Visitor } from '../visitor.js';
import { isAmountName } from './money.js';
import { Scroll } from './scroll.js';
import { isCurrencyBeside, Value } from './value.js';
import { labelOf, stateWords } from './words.js';

type Row = Readonly<Record<string, unknown>>;

export interface ListProps {
  readonly routes: readonly Route[];
  readonly route: Route;
  readonly rows: readonly Row[];
  /** The parameters of the address. */
  readonly params: Readonly<Record<string, string>>;
  /** Who looks, where the rows have forms. */
  readonly visitor?: Visitor;
}

export function List({ routes, route, rows, params, visitor }: ListProps) {
  const screen = screenOf(route);
  if (rows.length === 0) return <p class="empty">{screen.empty ?? 'There is nothing here.'}</p>;
  const fields = fieldsOf(plain((route.answer as Schema | undefined)?.items ?? {}));
  const schemas = new Map(fields.map((field) => [field.name, field]));
  const names =
    screen.columns ??
    fields.map(({ name }) => name).filter((name) => !isCurrencyBeside(name, rows as Record<string, unknown>[]));
  const record = recordOfList(routes, route);
  const commands = (screen.rowCommands ?? []).flatMap((target) => {
    const command = routes.find(({ operationId }) => operationId === target.operationId);
    return command && isCommand(command) ? [{ target, command }] : [];
  });
  return (
    <Scroll label={screen.title}>
      <table class="list">
        <thead>
          <tr>
            {names.map((name) => (
              <th
                key={name}
                scope="col"
                class={isAmountName(name) ? 'amount' : undefined}
                title={schemas.get(name)?.description}
              >
                {labelOf(name)}
              </th>
            ))}
            {commands.length > 0 ? <th scope="col">Do</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} data-row="">
              {names.map((name, column) => (
                <td key={name} class={isAmountName(name) ? 'amount' : undefined}>
                  {column === 0 && record ? (
                    <a
                      class="row"
                      href={`${addressOf(record.route, { ...params, ...filled(record.params, row) })}${queryOf(record.query, row)}`}
                    >
                      <Value name={name} value={row[name]} row={row} isLinked />
                    </a>
                  ) : (
                    <Value name={name} value={row[name]} schema={schemas.get(name)?.schema} row={row} />
                  )}
                </td>
              ))}
              {commands.length > 0 ? (
                <td class="do">
                  {commands.map(({ target, command }) => (
                    <RowCommand
                      key={command.operationId}
                      command={command}
                      values={valuesFor(target, row, params, command)}
                      visitor={target.isImmediate ? visitor : undefined}
                    />
                  ))}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface RowCommandProps {
  readonly command: Route;
  readonly values: Readonly<Record<string, unknown>>;
  /** Given when one click is enough. */
  readonly visitor: Visitor | undefined;
}

function RowCommand({ command, values, visitor }: RowCommandProps) {
  const address = formAddress(command, values);
  const name = shortNames[command.operationId] ?? command.summary;
  if (!visitor) {
    return (
      <a class="button small" href={address}>
        {name}
      </a>
    );
  }
  return (
    <form method="post" action={address}>
      <input type="hidden" name="formToken" value={visitor.formToken} />
      <button class="small" type="submit">
        {name}
      </button>
    </form>
  );
}

const shortNames: Readonly<Record<string, string>> = {
  claimTask: 'Take',
  deleteView: 'Delete',
  releaseTask: 'Release',
  changeReviewRule: 'Change',
  settlePayoutReport: 'Settle',
  resumePayouts: 'Resume',
  saveCorridor: 'Change',
  setBankBalanceMinimum: 'Minimum',
  changePayinAccount: 'Change',
  enableWebhook: 'Enable',
  redeliverEventForMerchant: 'Send again',
  changeOperator: 'Change',
  resetOperatorPassword: 'New code',
};

function filled(params: Readonly<Record<string, string>>, row: Row): Record<string, unknown> {
  const known = Object.entries(params).filter(([, field]) => row[field] !== undefined);
  return Object.fromEntries(known.map(([name, field]) => [name, row[field]]));
}

function queryOf(query: Readonly<Record<string, string>>, row: Row): string {
  const entries = Object.entries(filled(query, row)).map(([name, value]) => [name, String(value)]);
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries as [string, string][])}`;
}

function valuesFor({ params, values = {} }: Target, row: Row, address: Row, command: Route): Record<string, unknown> {
  const own = Object.fromEntries(namesOfParams(command).map((name) => [name, address[name]]));
  return { ...own, ...filled(params, row), ...filled(values, row) };
}

/** The filters of a list. A time is entered in UTC. */
export function Filters({
  route,
  query,
  isOpen = false,
}: {
  readonly route: Route;
  readonly query: Readonly<Record<string, unknown>>;
  readonly isOpen?: boolean;
}) {
  const fields = fieldsOf(route.query as Schema | undefined).filter(({ name }) => name !== 'after' && name !== 'limit');
  if (fields.length === 0) return null;
  const isUsed = fields.some(({ name }) => query[name] !== undefined && query[name] !== '');
  return (
    <details class="filters" open={isOpen || isUsed || fields.length <= 3}>
      <summary>{isOpen ? 'What' : 'Filter'}</summary>
      <form method="get">
        {fields.map(({ name, schema, description, isRequired }) => (
          <p key={name}>
            <label for={`filter-${name}`}>
              {labelOf(name)}
              {isOpen && !isRequired ? ' (optional)' : ''}
            </label>
            <Filter name={name} schema={schema} description={description} value={String(query[name] ?? '')} />
          </p>
        ))}
        <p class="send">
          <button type="submit">{isOpen ? 'Show' : 'Filter'}</button>
          {isUsed ? <a href="?">Show all</a> : null}
        </p>
      </form>
    </details>
  );
}

function Filter({
  name,
  schema,
  description,
  value,
}: {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  readonly value: string;
}) {
  const id = `filter-${name}`;
  const choices = schema.enum ?? namesOfSeveral(schema) ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined);
  if (choices) {
    const named = choices.map(String);
    const others = value !== '' && !named.includes(value) ? [value] : [];
    return (
      <select id={id} name={name} title={description}>
        <option value="">any</option>
        {[...others, ...named].map((choice) => (
          <option key={choice} value={choice} selected={choice === value}>
            {stateWords(choice)}
          </option>
        ))}
      </select>
    );
  }
  if (schema.format === 'date-time') {
    return (
      <input
        id={id}
        name={name}
        type="datetime-local"
        title={`${description} In UTC.`}
        value={value.replace(/(:\d\d)?(\.\d+)?Z$/, '')}
      />
    );
  }
  return <input id={id} name={name} title={description} maxlength={schema.maxLength ?? 200} value={value} dir="auto" />;
}

/** The query of the API: without empty filters, and with times as the API writes them. */
export function apiQuery(route: Route, search: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = new Map(fieldsOf(route.query as Schema | undefined).map((field) => [field.name, field.schema]));
  const entries = Object.entries(search).filter(([name, value]) => known.has(name) && value !== '');
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const isLocal = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(String(value));
      if (known.get(name)?.format !== 'date-time' || !isLocal) return [name, value];
      return [name, `${String(value).length === 16 ? `${value}:00` : value}.000Z`];
    }),
  );
}

export function NextPage({ next }: { readonly next: URLSearchParams | undefined }) {
  if (!next) return null;
  return (
    <p class="next">
      <a rel="next" href={`?${next}`}>
        Next page
      </a>
    </p>
  );
}

/** The query without the place in the list. */
export function filtersIn(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { after: _, limit: __, ...filters } = query;
  return filters;
}

/** Everything that the filters let through, and not only this page. */
export function Exports({ query }: { readonly query: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(filtersIn(query)).map(([name, value]) => [name, String(value)]);
  const address = (format: string) =>
    `?${new URLSearchParams([...(entries as [string, string][]), ['export', format]])}`;
  return (
    <p class="hint exports">
      All that this list shows, as{' '}
      <a href={address('csv')} download="">
        CSV
      </a>{' '}
      or{' '}
      <a href={address('jsonl')} download="">
        JSON lines
      </a>
      . The audit log records it.
    </p>
  );
}
