/** Which routes belong together: the page of a row, the commands of a record, and what a form changes. */
import { mayAct, type OperatorActor } from '../../caller.js';
import type { CommandRoute, Route } from '../../http/route.js';
import { plain, type Schema } from './schema.js';
import type { Screen, Target, Variant } from './screen.js';
import { screens } from './screens.js';

const byOperationId = new Map(screens.map((screen) => [screen.operationId, screen]));

export function screenOf(route: Route): Screen {
  return byOperationId.get(route.operationId) ?? { operationId: route.operationId, title: route.summary };
}

/** The console has no pages for them: it has pages of its own instead, or programs call them. */
const notForPages = new Set(['logIn', 'logOut', 'changeOwnPassword', 'getOwnAccount']);

/** What operators read and command over the API. */
export function operatorRoutes(routes: readonly Route[]): Route[] {
  return routes.filter(
    ({ access, hidden, path, operationId }) =>
      access.token === 'operator' && !hidden && path.startsWith('/operator/') && !notForPages.has(operationId),
  );
}

export function isList({ answer }: Route): boolean {
  return (answer as Schema | undefined)?.type === 'array';
}

export function isCommand(route: Route): route is CommandRoute {
  return route.kind === 'command';
}

/** A command that moves money or gives access: the operator enters the password once more. */
export function needsPassword({ asksPassword, fourEyes, idempotency }: CommandRoute): boolean {
  return asksPassword === true || fourEyes !== undefined || idempotency?.isRequired === true;
}

/** Its answer is shown once, and is not put into an address. */
export function hasSecretAnswer({ operationId, fourEyes }: CommandRoute): boolean {
  return fourEyes?.hasSecretAnswer === true || operationId === 'fetchApprovedAnswer';
}

/** The fields of a form that the row of a list fills in. No link fills in anything else. */
export function prefilledBy({ operationId }: Pick<Route, 'operationId'>): readonly string[] {
  const targets = screens.flatMap(({ rowCommands = [], links = [] }) => [...rowCommands, ...links]);
  const own = targets.filter((target) => target.operationId === operationId);
  return own.flatMap(({ values = {}, constants = {} }) => Object.keys({ ...values, ...constants }));
}

export function mayCall(operator: OperatorActor, { access }: Route): boolean {
  return access.token === 'operator' && mayAct(operator, access.role);
}

export function namesOfParams({ path }: Route): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The commands and further readings of the record that a GET shows: their paths begin with its path. */
export function belowRecord(routes: readonly Route[], record: Route): { commands: CommandRoute[]; readings: Route[] } {
  const own = namesOfParams(record).length;
  const isBelow = ({ path }: Route) => path === record.path || path.startsWith(`${record.path}/`);
  const below = routes.filter((route) => route !== record && isBelow(route) && namesOfParams(route).length === own);
  return {
    commands: below.filter(isCommand),
    readings: below.filter(({ method }) => method === 'GET'),
  };
}

/** A command whose form the page of a record has. */
export interface Action {
  readonly command: CommandRoute;
  readonly params: Readonly<Record<string, string>>;
  /** Given when the form is one of several for the command. */
  readonly variant: Variant | undefined;
  readonly staysHere: boolean;
}

export function actionId({ command, variant }: Pick<Action, 'command' | 'variant'>): string {
  return `do-${command.operationId}${variant ? `-${variant.name}` : ''}`;
}

/** Which of the forms of a command it is; undefined for a command that has only one. */
export function actionOf({ operationId }: Route, name: unknown): Target | undefined {
  const targets = screens.flatMap(({ operationId: screen, actions = [], kinds = [] }) => [
    ...actions,
    ...kinds.map((variant) => ({ operationId: screen, params: {}, variant })),
  ]);
  return targets.find((target) => target.operationId === operationId && target.variant?.name === name);
}

/** The kind of task that is done with a command, if the page of the record has its form. */
export function taskOf({ operationId }: Route): string | undefined {
  return screens.find(({ actions = [] }) => actions.some((action) => action.operationId === operationId))?.task;
}

/** The commands whose forms the page of a record has, each with its parameters. */
export function actionsOf(routes: readonly Route[], record: Route, params: Readonly<Record<string, string>>): Action[] {
  return (screenOf(record).actions ?? []).flatMap(({ operationId, params: names, variant, staysHere = false }) => {
    const command = routes.find((route) => route.operationId === operationId);
    if (!command || !isCommand(command)) return [];
    const own = Object.entries(names).map(([name, from]) => [name, params[from] ?? '']);
    return [{ command, params: Object.fromEntries(own) as Record<string, string>, variant, staysHere }];
  });
}

/** The commands elsewhere that begin with this record, with what fills their forms. */
export function linksOf(
  routes: readonly Route[],
  record: Route,
  value: Readonly<Record<string, unknown>>,
): { command: CommandRoute; address: string }[] {
  return (screenOf(record).links ?? []).flatMap(({ operationId, values = {}, constants = {} }) => {
    const command = routes.find((route) => route.operationId === operationId);
    if (!command || !isCommand(command)) return [];
    const filled = Object.entries(values).map(([name, field]) => [name, value[field]]);
    return [{ command, address: formAddress(command, { ...Object.fromEntries(filled), ...constants }) }];
  });
}

/** Where the form of a command stands, if it stands on the page of a record. */
export function pageWithForm(
  routes: readonly Route[],
  { operationId }: Route,
  params: Readonly<Record<string, string>>,
): string | undefined {
  for (const { operationId: page, actions = [] } of screens) {
    const action = actions.find((each) => each.operationId === operationId);
    const record = action && routes.find((route) => route.operationId === page);
    if (!action || !record) continue;
    const own = Object.entries(action.params).map(([name, from]) => [from, params[name] ?? '']);
    return `${addressOf(record, Object.fromEntries(own))}#${action.variant ? 'decide' : `do-${operationId}`}`;
  }
  return undefined;
}

/** The commands beside a list that name no row: `POST /operator/payments`. */
export function besideList(routes: readonly Route[], list: Route): CommandRoute[] {
  const isBeside = ({ path }: Route) => path === list.path || path.startsWith(`${list.path}/`);
  const named = new Set(screenOf(list).rowCommands?.map(({ operationId }) => operationId));
  return routes
    .filter(isCommand)
    .filter((route) => isBeside(route) && namesOfParams(route).length === namesOfParams(list).length)
    .filter(({ operationId }) => !named.has(operationId));
}

/** The GET of one row of a list, if it has a page. */
export function recordOfList(
  routes: readonly Route[],
  list: Route,
): (Required<Pick<Target, 'params' | 'query'>> & { readonly route: Route }) | undefined {
  const declared = screenOf(list).record;
  const [direct] = routes.filter(
    ({ method, path }) =>
      method === 'GET' &&
      path.startsWith(`${list.path}/{`) &&
      path.endsWith('}') &&
      path.split('/').length === list.path.split('/').length + 1,
  );
  const route = declared ? routes.find(({ operationId }) => operationId === declared.operationId) : direct;
  if (!route) return undefined;
  const fields = plain((list.answer as Schema | undefined)?.items ?? {}).properties ?? {};
  const query = Object.fromEntries(requiredFilters(route).map((name) => [name, name]));
  if (declared) return { route, params: declared.params, query: declared.query ?? query };
  const [name = ''] = namesOfParams(route).slice(-1);
  const field = name in fields ? name : 'id';
  return field in fields ? { route, params: { [name]: field }, query } : undefined;
}

/** The filters without which a page shows nothing. */
export function requiredFilters({ query }: Route): readonly string[] {
  return (query as Schema | undefined)?.required ?? [];
}

/** The GET that shows what a command changes: at its own path or the nearest one above. */
export function sourceOf(routes: readonly Route[], command: Route): Route | undefined {
  const readings = routes.filter(({ method, kind }) => method === 'GET' && (kind === 'read' || kind === 'auditedRead'));
  const known = new Set(namesOfParams(command));
  for (let path = command.path; path.length > '/operator'.length; path = path.slice(0, path.lastIndexOf('/'))) {
    const found = readings.find(
      (route) => route.path === path && namesOfParams(route).every((name) => known.has(name)),
    );
    if (found) return found;
  }
  return undefined;
}

/** The address of a route with its parameters. */
export function addressOf({ path }: Pick<Route, 'path'>, params: Readonly<Record<string, unknown>>): string {
  return path
    .replace(/^\/operator\/tasks$/, '/operator')
    .replace(/^\/operator/, '/console')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
}

/** The address of the form of a command. */
export function formAddress(
  { operationId }: Pick<Route, 'operationId'>,
  values: Readonly<Record<string, unknown>> = {},
): string {
  const known = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(known.map(([name, value]) => [name, String(value)]));
  return `/console/do/${operationId}${known.length === 0 ? '' : `?${query}`}`;
}
