/** The form of a command, and what becomes of it: done, waiting for a second person, or refused with the reason. */
import { RemesaError } from '../../errors.js';
import type { OperatorAnswer } from '../../http/inside/operator-calls.js';
import type { PageAnswer, Posted } from '../../http/page.js';
import { statusOfKind } from '../../http/problems/problem.js';
import type { CommandRoute } from '../../http/route.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Desk, Seen } from '../desk.js';
import { bodyOf, type FormValues, isBase64, newFormKey, valuesOf } from '../forms/body.js';
import { CommandForm, type Refusal } from '../forms/command-form.js';
import { redirect } from '../frame/layout.js';
import {
  formAddress,
  isList,
  mayCall,
  needsPassword,
  pageWithForm,
  prefilledBy,
  screenOf,
  taskOf,
} from '../screens/finding.js';
import type { Schema } from '../screens/schema.js';
import type { Variant } from '../screens/screen.js';
import { auditSubject } from '../shown/links.js';
import { checkFormToken, requestOf } from '../visitor.js';
import { donePage } from './command-done.js';
import { addressBack, type Commanded, commandOf, type Source, sourceFor } from './commanded.js';
import { refusedPage } from './reading-page.js';

export function showCommand(desk: Desk, visit: Seen, database: Queryable): Promise<PageAnswer> {
  return desk.show(visit, database, async (visitor) => {
    try {
      const command = commandOf(desk, visitor, visit);
      const page = pageWithForm(desk.routes, command.route, command.params);
      if (page) return redirect(page);
      const { kinds } = screenOf(command.route);
      if (kinds && !command.variant) return await kindsPage(command, kinds);
      const source = await sourceFor(command);
      return await formPage(command, source, { values: startValues(command, source, visit), key: newFormKey() });
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
      const command = commandOf(desk, visitor, visit);
      const values = new Map([...fields, ...enteredFiles(command.route, files)]);
      return await carryOut(command, values);
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
  return { name, bytes: Buffer.concat(chunks) };
}

/** A file is text, or the base64 that the API takes. No file was chosen where it is empty. */
function enteredFiles(
  { body }: CommandRoute,
  files: readonly { readonly name: string; readonly bytes: Buffer }[],
): (readonly [string, string])[] {
  const fields = (body as Schema | undefined)?.properties ?? {};
  return files
    .filter(({ bytes }) => bytes.length > 0)
    .map(({ name, bytes }) => [name, bytes.toString(isBase64(fields[name] ?? {}) ? 'base64' : 'utf8')]);
}

async function carryOut(command: Commanded, values: FormValues): Promise<PageAnswer> {
  const key = values.get('formKey') ?? newFormKey();
  const outcome = await answerOrRefusal(command, values, key);
  command.desk.forgetHead(command.visitor);
  if (!(outcome instanceof RemesaError)) return donePage(command, outcome, values.get('goOn') === 'next');
  const source = await sourceFor(command).catch(() => ({ route: undefined, record: undefined }));
  const refusal = await refusalOf(command, outcome);
  return formPage(command, source, { values, key, refusal });
}

async function answerOrRefusal(
  command: Commanded,
  values: FormValues,
  key: string,
): Promise<OperatorAnswer | RemesaError> {
  const { desk, visitor, route, params } = command;
  const body = bodyOf(route.body as Schema | undefined, values);
  try {
    if (body.faults.length > 0)
      throw new RemesaError('invalid', 'invalid_fields', 'Some fields are not right.', { errors: body.faults });
    if (needsPassword(route)) await confirmPassword(command, values.get('ownPassword') ?? '');
    return await desk.options.calls.run(
      route,
      requestOf(visitor, {
        params,
        body: body.text,
        idempotencyKey: route.idempotency ? key : undefined,
        note: values.get('approvalNote')?.trim() || undefined,
      }),
    );
  } catch (error) {
    if (error instanceof RemesaError) return error;
    throw error;
  }
}

async function confirmPassword({ desk, visitor }: Commanded, password: string): Promise<void> {
  const { requestId, address, session } = visitor;
  await desk.options.login.confirm(session, { password, requestId, address });
}

/** A replacing form begins with what is there; any form with the version. A link fills in what our own links do. */
function startValues({ route }: Commanded, { record = {} }: Source, visit: Seen): FormValues {
  const replaces = route.method === 'PUT' || route.method === 'PATCH';
  const known = replaces ? record : { version: record.version };
  const values = valuesOf(route.body as Schema | undefined, known);
  for (const name of prefilledBy(route)) {
    const linked = visit.search[name];
    if (linked !== undefined) values.set(name, String(linked));
  }
  return values;
}

/** Each kind of the command has a form of its own. */
function kindsPage({ desk, visitor, route }: Commanded, kinds: readonly Variant[]): Promise<PageAnswer> {
  return desk.framed(visitor, {
    title: screenOf(route).title,
    address: `/console/do/${route.operationId}`,
    sameAs: `${route.method} ${route.path}`,
    children: (
      <>
        <h1>{screenOf(route).title}</h1>
        <p class="lead">What happened?</p>
        <ul class="counts">
          {kinds.map(({ name, act, hint }) => (
            <li key={name}>
              <a href={formAddress(route, { as: name })}>
                <strong>{act}</strong>
              </a>
              <span class="hint">{hint}</span>
            </li>
          ))}
        </ul>
      </>
    ),
  });
}

interface FormState {
  readonly values: FormValues;
  readonly key: string;
  readonly refusal?: Refusal;
}

function formPage(command: Commanded, source: Source, state: FormState): Promise<PageAnswer> {
  const { desk, visitor, route, params, variant } = command;
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
        back={addressBack(command)}
        variant={variant}
        goesOn={taskOf(route) === undefined ? undefined : state.values.has('goOn')}
      />
    ),
  });
}

async function refusalOf(command: Commanded, error: RemesaError): Promise<Refusal> {
  const { desk } = command;
  const { title, remedy } = desk.problem(error);
  const faults = new Map((error.details.errors ?? []).map(({ field, message }) => [pathOfFault(field), message]));
  if (error.code === 'password_wrong') faults.set('ownPassword', error.publicMessage);
  const status = statusOfKind[error.kind];
  const meanwhile = error.kind === 'conflict' ? await changesOf(command) : [];
  return { status, code: error.code, title, message: error.publicMessage, remedy, faults, meanwhile };
}

/** `/payer/name` and `payer.name` → `payer.name`. */
function pathOfFault(field: string): string {
  return field.replace(/^\//, '').replaceAll('/', '.');
}

/** What others did to the record lately, for whoever may read the audit log. */
async function changesOf(command: Commanded): Promise<readonly Record<string, unknown>[]> {
  const { desk, visitor } = command;
  const subject = auditSubject(addressBack(command));
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
