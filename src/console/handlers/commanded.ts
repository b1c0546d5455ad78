/** A command that a form is about, and the record that it changes. */
import { RemesaError } from '../../errors.js';
import type { CommandRoute, Route } from '../../http/route.js';
import type { Desk, Seen } from '../desk.js';
import { pageNotFound } from '../refusals.js';
import {
  actionOf,
  addressOf,
  isCommand,
  isList,
  mayCall,
  namesOfParams,
  requiredFilters,
  sourceOf,
} from '../screens/finding.js';
import { isObject, type Schema } from '../screens/schema.js';
import type { Variant } from '../screens/screen.js';
import { requestOf, type Visitor } from '../visitor.js';

export interface Commanded {
  readonly desk: Desk;
  readonly visitor: Visitor;
  readonly route: CommandRoute;
  readonly params: Readonly<Record<string, string>>;
  /** The filters without which the page of the record shows nothing, as the address of the form has them. */
  readonly filters: Readonly<Record<string, string>>;
  /** Which of several forms of the command it is. */
  readonly variant: Variant | undefined;
}

/** The record that the command changes, as it is now. */
export interface Source {
  readonly route: Route | undefined;
  readonly record: Readonly<Record<string, unknown>> | undefined;
}

/** Throws `page_not_found` and `role_missing`. */
export function commandOf(desk: Desk, visitor: Visitor, visit: Seen): Commanded {
  const { operationId } = visit.params as { operationId: string };
  const route = desk.routes.find((candidate) => candidate.operationId === operationId);
  if (!route || !isCommand(route)) throw pageNotFound();
  if (!mayCall(visitor.caller, route)) {
    const needed = route.access.token === 'operator' ? route.access.role : '';
    throw new RemesaError('forbidden', 'role_missing', `This needs the role ${needed}.`);
  }
  const params = Object.fromEntries(namesOfParams(route).map((name) => [name, String(visit.search[name] ?? '')]));
  const source = sourceOf(desk.routes, route);
  const variant = actionOf(route, visit.search.as)?.variant;
  const named = source ? [...requiredFilters(source), ...filtersTaken(source, variant)] : [];
  const filters = named.flatMap((name) => {
    const value = visit.search[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  return {
    desk,
    visitor,
    route,
    params,
    filters: Object.fromEntries(filters) as Record<string, string>,
    variant,
  };
}

/** Filters of the page that the form fills as well, such as the merchant. */
function filtersTaken({ query }: Route, variant: Variant | undefined): string[] {
  const known = (query as Schema | undefined)?.properties ?? {};
  return Object.keys(variant?.taken ?? {}).filter((name) => name in known);
}

/** What the command changes, if the operator may see it, and which of the parameters name it. */
function seenSource(command: Commanded): { route: Route; params: Record<string, string> } | undefined {
  const { desk, visitor, route, params } = command;
  const source = sourceOf(desk.routes, route);
  if (!source || !mayCall(visitor.caller, source)) return undefined;
  return { route: source, params: Object.fromEntries(namesOfParams(source).map((name) => [name, params[name] ?? ''])) };
}

/** Where the operator came from, and goes back to. */
export function addressBack(command: Commanded): string {
  const source = seenSource(command);
  if (!source) return '/console';
  const address = addressOf(source.route, source.params);
  const filters = new URLSearchParams({ ...command.filters });
  return filters.size === 0 ? address : `${address}?${filters}`;
}

export async function sourceFor(command: Commanded): Promise<Source> {
  const { desk, visitor, route, params } = command;
  const found = seenSource(command);
  if (!found) return { route: undefined, record: undefined };
  const { route: source, params: own } = found;
  // A reading that is recorded needs a reason of its own; the form shows nothing of it.
  if (source.kind !== 'read' && namesOfParams(source).length > 0 && !needsVersion(route))
    return { route: source, record: undefined };
  if (isList(source) && Object.keys(params).length === 0) return { route: source, record: undefined };
  const { filters } = command;
  const { value } = await desk.options.calls.read(source, requestOf(visitor, { params: own, query: filters }));
  const record = isList(source) ? (value as Record<string, unknown>[]).find((row) => isRowOf(row, params)) : value;
  return { route: source, record: isObject(record) ? record : undefined };
}

function needsVersion(route: CommandRoute): boolean {
  return 'version' in ((route.body as Schema | undefined)?.properties ?? {});
}

function isRowOf(row: Readonly<Record<string, unknown>>, params: Readonly<Record<string, string>>): boolean {
  const entries = Object.entries(params);
  return entries.every(([name, value]) =>
    [row[name], row.id, row.ruleId].some((own) => own !== undefined && String(own) === value),
  );
}
