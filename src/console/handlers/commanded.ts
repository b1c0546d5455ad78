/** A command that a form is about, and the record that it changes. */
import { RemesaError } from '../../errors.js';
import type { CommandRoute, Route } from '../../http/route.js';
import type { Desk, Seen } from '../desk.js';
import { pageNotFound } from '../refusals.js';
import { addressOf, isCommand, isList, mayCall, namesOfParams, sourceOf } from '../screens/finding.js';
import { isObject, type Schema } from '../screens/schema.js';
import { requestOf, type Visitor } from '../visitor.js';

export interface Commanded {
  readonly desk: Desk;
  readonly visitor: Visitor;
  readonly route: CommandRoute;
  readonly params: Readonly<Record<string, string>>;
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
  return { desk, visitor, route, params };
}

/** What the command changes, if the operator may see it, and which of the parameters name it. */
export function seenSource(command: Commanded): { route: Route; params: Record<string, string> } | undefined {
  const { desk, visitor, route, params } = command;
  const source = sourceOf(desk.routes, route);
  if (!source || !mayCall(visitor.caller, source)) return undefined;
  return { route: source, params: Object.fromEntries(namesOfParams(source).map((name) => [name, params[name] ?? ''])) };
}

/** Where the operator came from, and goes back to. */
export function addressBack(command: Commanded): string {
  const source = seenSource(command);
  return source ? addressOf(source.route, source.params) : '/console';
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
  const { value } = await desk.options.calls.read(source, requestOf(visitor, { params: own }));
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
