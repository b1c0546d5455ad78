/** The form of a command, and what becomes of it: done, waiting for a second person, or refused with the reason. */
import { randomUUID } from 'node:crypto';
import { RemesaError } from '../../errors.js';
import type { OperatorAnswer } from '../../http/inside/operator-calls.js';
import type { PageAnswer, Posted } from '../../http/page.js';
import { statusOfKind } from '../../http/problems/problem.js';
import type { CommandRoute, Route } from '../../http/route.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Desk, Seen } from '../desk.js';
import { bodyOf, type FormValues, valuesOf } from '../forms/body.js';
import { CommandForm, type Refusal } from '../forms/command-form.js';
import { Entered } from '../forms/fields.js';
import { redirect } from '../frame/layout.js';
import { pageNotFound } from '../refusals.js';
import {
  addressOf,
  hasSecretAnswer,
  isCommand,
  isList,
  mayCall,
  namesOfParams,
  needsPassword,
  screenOf,
  sourceOf,
} from '../screens/finding.js';
import { isObject, type Schema } from '../screens/schema.js';
import { auditSubject } from '../shown/links.js';
import { checkFormToken, requestOf, type Visitor } from '../visitor.js';
import { refusedPage } from './reading-page.js';

interface Commanded {
  readonly desk: Desk;
  readonly visitor: Visitor;
  readonly route: CommandRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** The record that the command changes, as it is now. */
interface Source {
  readonly route: Route | undefined;
  readonly record: Readonly<Record<string, unknown>> | undefined;
  /** Where the operator came from, and goes back to. */
  readonly address: string;
}

export function showCommand(desk: Desk, visit: Seen, database: Queryable): Promise<PageAnswer> {
  return desk.show(visit, database, async (visitor) => {
    try {
      const command = commandOf(desk, visitor, visit);
      const source = await sourceFor(command);
      return await formPage(command, source, { values: startValues(command, source, visit), key: randomUUID() });
    } catch (error) {
      if (error instanceof RemesaError) return refusedPage(desk, visitor, error);
      throw error;
    }
  });
}

export function sendCommand(desk: Desk, visit: Seen & Posted, database: Queryable): Promise<PageAnswer> {
  return desk.show(visit, database, async (visitor) => {
    try {
      desk.visitors.refuseOtherOrigins(visit);
      const { fields, files } = await visit.readForm(readFile);
      checkFormToken(visitor, fields);
      const values = new Map([
        ...fields,
        ...files.filter(({ text }) => text !== '').map(({ name, text }) => [name, text] as const),
      ]);
      return await carryOut(commandOf(desk, visitor, visit), values);
    } catch (error) {
      if (error instanceof RemesaError) return refusedPage(desk, visitor, error);
      throw error;
    }
  });
}

const largestFile = 8 * 1024 * 1024;

async function readFile({ name, bytes }: { name: string; bytes: AsyncIterable<Uint8Array> }) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > largestFile) throw new RemesaError('too_large', 'body_too_large', 'The file is larger than 8 MiB.');
    chunks.push(chunk);
  }
  return { name, text: Buffer.concat(chunks).toString() };
}

async function carryOut(command: Commanded, values: FormValues): Promise<PageAnswer> {
  const { desk, visitor, route, params } = command;
  const key = values.get('formKey') ?? randomUUID();
  const body = bodyOf(route.body as Schema | undefined, values);
  try {
    if (body.faults.length > 0)
      throw new RemesaError('invalid', 'invalid_fields', 'Some fields are not right.', { errors: body.faults });
    if (needsPassword(route)) await confirmPassword(command, values.get('ownPassword') ?? '');
    const answer = await desk.options.calls.run(
      route,
      requestOf(visitor, {
        params,
        body: body.text,
        idempotencyKey: route.idempotency ? key : undefined,
        note: values.get('approvalNote')?.trim() || undefined,
      }),
    );
    return await donePage(command, answer);
  } catch (error) {
    if (!(error instanceof RemesaError)) throw error;
    const source = await sourceFor(command).catch(() => undefined);
    const refusal = await refusalOf(command, source, error);
    const shown = source ?? { route: undefined, record: undefined, address: '/console' };
    return formPage(command, shown, { values, key, refusal });
  }
}

async function confirmPassword({ desk, visitor }: Commanded, password: string): Promise<void> {
  const { requestId, address, session } = visitor;
  await desk.options.login.confirm(session, { password, requestId, address });
}

async function donePage(command: Commanded, { status, value }: OperatorAnswer): Promise<PageAnswer> {
  const { desk, visitor, route } = command;
  if (status === 200 && hasSecretAnswer(route) && isObject(value)) {
    return desk.framed(visitor, {
      title: route.summary,
      children: (
        <>
          <h1>{route.summary}</h1>
          <p class="notice waits">This is shown once. Copy what you need before you leave the page.</p>
          <Entered record={value} />
          <p>
            <a class="button" href={(await sourceFor(command)).address}>
              Go on
            </a>
          </p>
        </>
      ),
    });
  }
  const asked = status === 202 && isObject(value) ? { asked: String(value.approvalId) } : {};
  const { address } = await backFrom(command, value);
  const flash = new URLSearchParams({ done: route.operationId, ...asked });
  return redirect(`${address}${address.includes('?') ? '&' : '?'}${flash}`);
}

/** Where the operator goes on: to what the command made, or back to what it changed. */
async function backFrom(command: Commanded, value: unknown): Promise<{ address: string }> {
  const { desk, route } = command;
  const made = isObject(value) && typeof value.id === 'string' && namesOfParams(route).length === 0;
  const page = desk.routes.find(
    ({ path, method }) => method === 'GET' && path.startsWith(`${route.path}/{`) && path.endsWith('}'),
  );
  if (made && page && namesOfParams(page).length === 1)
    return { address: addressOf(page, { [namesOfParams(page)[0] ?? '']: (value as { id: string }).id }) };
  return sourceFor(command);
}

/** Throws `page_not_found` and `role_missing`. */
function commandOf(desk: Desk, visitor: Visitor, visit: Seen): Commanded {
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

async function sourceFor({ desk, visitor, route, params }: Commanded): Promise<Source> {
  const source = sourceOf(desk.routes, route);
  if (!source || !mayCall(visitor.caller, source)) return { route: undefined, record: undefined, address: '/console' };
  const own = Object.fromEntries(namesOfParams(source).map((name) => [name, params[name] ?? '']));
  const address = addressOf(source, own);
  // A reading that is recorded needs a reason of its own; the form shows nothing of it.
  if (source.kind !== 'read' && namesOfParams(source).length > 0 && !needsVersion(route))
    return { route: source, record: undefined, address };
  if (isList(source) && Object.keys(params).length === 0) return { route: source, record: undefined, address };
  const { value } = await desk.options.calls.read(source, requestOf(visitor, { params: own }));
  const record = isList(source) ? (value as Record<string, unknown>[]).find((row) => isRowOf(row, params)) : value;
  return { route: source, record: isObject(record) ? record : undefined, address };
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

/** A replacing form begins with what is there; any form with the version, and with what the link says. */
function startValues({ route }: Commanded, { record = {} }: Source, visit: Seen): FormValues {
  const replaces = route.method === 'PUT' || route.method === 'PATCH';
  const known = replaces ? record : { version: record.version };
  const values = valuesOf(route.body as Schema | undefined, known);
  const linked = new Set(Object.keys((route.body as Schema | undefined)?.properties ?? {}));
  for (const [name, value] of Object.entries(visit.search)) if (linked.has(name)) values.set(name, String(value));
  return values;
}

interface FormState {
  readonly values: FormValues;
  readonly key: string;
  readonly refusal?: Refusal;
}

function formPage(command: Commanded, source: Source, state: FormState): Promise<PageAnswer> {
  const { desk, visitor, route, params } = command;
  return desk.framed(visitor, {
    title: route.summary,
    ...(state.refusal ? { status: state.refusal.status } : {}),
    sameAs: `${route.method} ${route.path}`,
    children: (
      <CommandForm
        route={route}
        params={params}
        values={state.values}
        formKey={state.key}
        formToken={visitor.formToken}
        refusal={state.refusal}
        record={source.record}
        recordSchema={source.route && !isList(source.route) ? (source.route.answer as Schema) : undefined}
        recordTitle={source.route ? screenOf(source.route).title : ''}
        back={source.address}
      />
    ),
  });
}

async function refusalOf(command: Commanded, source: Source | undefined, error: RemesaError): Promise<Refusal> {
  const { desk } = command;
  const { title, remedy } = desk.problem(error);
  const faults = new Map((error.details.errors ?? []).map(({ field, message }) => [pathOfFault(field), message]));
  if (error.code === 'password_wrong') faults.set('ownPassword', error.publicMessage);
  const status = statusOfKind[error.kind];
  const meanwhile = error.kind === 'conflict' && source ? await changesOf(command, source) : [];
  return { status, code: error.code, title, message: error.publicMessage, remedy, faults, meanwhile };
}

/** `/payer/name` and `payer.name` → `payer.name`. */
function pathOfFault(field: string): string {
  return field.replace(/^\//, '').replaceAll('/', '.');
}

/** What others did to the record lately, for whoever may read the audit log. */
async function changesOf(
  { desk, visitor }: Commanded,
  { address }: Source,
): Promise<readonly Record<string, unknown>[]> {
  const subject = auditSubject(address);
  const log = desk.options.calls.find('listAuditEntries');
  if (!subject || !log || !mayCall(visitor.caller, log)) return [];
  try {
    const { value } = await desk.options.calls.read(log, requestOf(visitor, { query: { subject, limit: '5' } }));
    return value as Record<string, unknown>[];
  } catch (error) {
    if (error instanceof RemesaError) return [];
    throw error;
  }
}
