/** One record: its fields, what belongs to it, what can be done with it, and why other things cannot. */
import type { CommandRoute, Route } from '../../http/route.js';
import {
  type Action,
  actionId,
  actionsOf,
  addressOf,
  belowRecord,
  formAddress,
  linksOf,
  mayCall,
  screenOf,
} from '../screens/finding.js';
import { fieldsOf, isObject, plain, type Schema } from '../screens/schema.js';
import { reasonAgainst, reasonAgainstVariant, statesFor } from '../screens/states.js';
import { pageOf } from '../shown/pages/pages.js';
import { Fields, SmallTable, State, Value } from '../shown/value.js';
import { labelOf, stateWords } from '../shown/words.js';
import type { Visitor } from '../visitor.js';
import { Actions } from './actions.js';

export interface RecordProps {
  readonly routes: readonly Route[];
  readonly route: Route;
  readonly value: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string>>;
  readonly visitor: Visitor;
  /** The answers of the further routes of the screen. */
  readonly parts?: Readonly<Record<string, unknown>>;
}

export function RecordView({ routes, route, value, params, visitor, parts: further = {} }: RecordProps) {
  const schema = plain((route.answer ?? {}) as Schema);
  const own = pageOf(route.operationId);
  const special = own?.fields ?? [];
  const shown = Object.entries(value).filter(([name]) => !special.includes(name) && !inHeading.has(name));
  const isEmpty = (part: unknown) =>
    Array.isArray(part) ? part.length === 0 : isObject(part) && Object.keys(part).length === 0;
  const isPart = (part: unknown) => isObject(part) || (Array.isArray(part) && part.some(isObject));
  const parts = shown.filter(([, part]) => isPart(part) || isEmpty(part));
  const plainFields = Object.fromEntries(shown.filter((entry) => !parts.includes(entry)));
  const schemas = new Map(fieldsOf(schema).map((field) => [field.name, field]));
  const possible = actionsOf(routes, route, params).filter((action) => !whyNot(action, value, visitor));
  const actions = <Actions actions={possible} route={route} value={value} routes={routes} visitor={visitor} />;
  return (
    <>
      {value.pendingApproval ? <Pending pending={value.pendingApproval as Record<string, unknown>} /> : null}
      <Commands routes={routes} route={route} value={value} params={params} visitor={visitor} />
      {own ? (
        <own.Page
          value={value}
          items={[]}
          params={params}
          parts={further}
          routes={routes}
          visitor={visitor}
          actions={actions}
        />
      ) : null}
      <Fields value={plainFields} schema={schema} />
      {parts
        .filter(([, part]) => !isEmpty(part))
        .map(([name, part]) => (
          <Part key={name} name={name} part={part} schema={schemas.get(name)?.schema ?? {}} />
        ))}
      {own?.placesActions ? null : actions}
    </>
  );
}

/** The heading and the notices have them, and forms send the version. */
const inHeading = new Set(['id', 'version', 'pendingApproval']);
/** What the merchant sees repeats the record, so it is folded. */
const folded = new Set(['order', 'instruction']);

function Part({ name, part, schema }: { readonly name: string; readonly part: unknown; readonly schema: Schema }) {
  const content = Array.isArray(part) ? (
    <SmallTable items={part as Record<string, unknown>[]} schema={plain(schema.items ?? {})} />
  ) : (
    <Fields value={part as Record<string, unknown>} schema={schema} />
  );
  if (name === 'order') {
    return (
      <details class="part">
        <summary>As the merchant sees it</summary>
        {content}
      </details>
    );
  }
  return (
    <section class={folded.has(name) ? 'part important' : 'part'}>
      <h2>{labelOf(name)}</h2>
      {content}
    </section>
  );
}

function Pending({ pending }: { readonly pending: Record<string, unknown> }) {
  return (
    <p class="notice waits">
      <a href={`/console/approvals/${String(pending.approvalId)}`}>A request waits for a second operator</a>:{' '}
      {stateWords(String(pending.action).replace('.', ' '))}, asked by <bdi>{String(pending.requestedBy)}</bdi> at{' '}
      <Value name="at" value={pending.requestedAt} row={pending} />.
    </p>
  );
}

function Commands({ routes, route, value, params, visitor }: RecordProps) {
  const { caller } = visitor;
  const { commands: below, readings } = belowRecord(routes, route);
  const actions = actionsOf(routes, route, params);
  const isHere = (command: CommandRoute) => actions.some((action) => action.command === command);
  const others = below
    .filter((command) => !isHere(command))
    .map((command) => ({ command, params, variant: undefined, staysHere: true }));
  const reasons = [...actions, ...others].map((action) => ({ action, reason: whyNot(action, value, visitor) }));
  const possible = reasons.filter(({ reason }) => reason === undefined);
  const impossible = reasons.filter(({ reason }) => reason !== undefined);
  const seen = readings.filter((reading) => mayCall(caller, reading));
  const links = linksOf(routes, route, value).filter(({ command }) => mayCall(caller, command));
  if (reasons.length + seen.length + links.length === 0) return null;
  return (
    <div class="commands">
      <p>
        {possible.map(({ action }) => (
          <a
            key={actionId(action)}
            class="button"
            href={isHere(action.command) ? `#${actionId(action)}` : formAddress(action.command, params)}
          >
            {nameOf(action)}
          </a>
        ))}
        {links.map(({ command, address }) => (
          <a key={command.operationId} class="button" href={address}>
            {command.summary}
          </a>
        ))}
        {seen.map((reading) => (
          <a key={reading.operationId} class="button quiet" href={addressOf(reading, params)}>
            {screenOf(reading).title}
          </a>
        ))}
      </p>
      {impossible.length > 0 ? (
        <details class="impossible">
          <summary>Not possible now ({impossible.length})</summary>
          <ul>
            {impossible.map(({ action, reason }) => (
              <li key={actionId(action)}>
                {nameOf(action)}: {reason}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

function nameOf({ command, variant }: Action): string {
  return variant?.act ?? command.summary;
}

/** Undefined when the command is offered. The service decides in the end. */
function whyNot(
  { command, variant }: Action,
  value: Readonly<Record<string, unknown>>,
  { caller, session }: Visitor,
): string | undefined {
  if (!mayCall(caller, command)) {
    const { access } = command;
    return `needs the role ${access.token === 'operator' ? access.role : 'operator'}`;
  }
  const reason =
    reasonAgainst(command.operationId, value, session.login) ?? (variant && reasonAgainstVariant(variant, value));
  if (reason !== undefined) return reason;
  const states = statesFor(command.operationId);
  const state = String(value.state ?? value.status ?? '');
  if (!states || state === '' || states.includes(state)) return undefined;
  return `only while it is ${states.map(stateWords).join(' or ')}; it is ${stateWords(state)}`;
}

/** The heading of a record: its title, its name, its state. */
export function RecordHeading({
  title,
  value,
}: {
  readonly title: string;
  readonly value: Readonly<Record<string, unknown>>;
}) {
  const state = value.state ?? value.status;
  const name = value.id ?? value.approvalId ?? value.orderId ?? value.clientId ?? value.accountId;
  return (
    <header class="heading">
      <h1>{title}</h1>
      {name === undefined ? null : (
        <code data-copy={String(name)} class="name">
          {String(name)}
        </code>
      )}
      {typeof state === 'string' ? <State state={state} /> : null}
    </header>
  );
}
