/** What a command answered: the page of what it changed, the answer itself, or a secret that is shown once. */
import { RemesaError } from '../../errors.js';
import type { OperatorAnswer } from '../../http/inside/operator-calls.js';
import type { PageAnswer } from '../../http/page.js';
import { Entered } from '../forms/fields.js';
import { redirect } from '../frame/layout.js';
import { RecordView } from '../records/record.js';
import { addressOf, hasSecretAnswer, isList, namesOfParams, screenOf, taskOf } from '../screens/finding.js';
import { isObject } from '../screens/schema.js';
import { List } from '../shown/list.js';
import { proofOf } from '../visitor.js';
import { addressBack, type Commanded } from './commanded.js';
import { nextAddress } from './next-task.js';

/** The command is done: nothing that goes wrong here may say that it was refused. */
export async function donePage(
  command: Commanded,
  { status, value }: OperatorAnswer,
  goesOn: boolean,
): Promise<PageAnswer> {
  const { visitor, route, variant } = command;
  if (status === 200 && hasSecretAnswer(route) && isObject(value)) return secretPage(command, value);
  if (status === 200 && isAnswer(command) && value !== undefined) return answerPage(command, value);
  const asked = status === 202 && isObject(value) ? String(value.approvalId) : undefined;
  const isLeft = goesOn && asked === undefined && taskOf(route) !== undefined;
  const next = isLeft ? await nextIfFound(command) : undefined;
  const address = next ?? addressAfter(command, value);
  const facts = {
    done: route.operationId,
    ...(variant ? { as: variant.name } : {}),
    ...(asked === undefined ? {} : { asked }),
    ...(next === undefined ? {} : { before: addressBack(command) }),
  };
  const flash = new URLSearchParams({ ...facts, proof: proofOf(visitor, address, facts) });
  return redirect(`${address}${address.includes('?') ? '&' : '?'}${flash}`);
}

/** Undefined when the next task cannot be read: the operator then goes back to what the command changed. */
async function nextIfFound(command: Commanded): Promise<string | undefined> {
  try {
    return await nextAddress(command);
  } catch (error) {
    if (error instanceof RemesaError) return undefined;
    throw error;
  }
}

function secretPage(command: Commanded, value: Record<string, unknown>): Promise<PageAnswer> {
  const { desk, visitor, route } = command;
  return desk.framed(visitor, {
    title: route.summary,
    children: (
      <>
        <h1>{route.summary}</h1>
        <p class="notice waits">This is shown once. Copy what you need before you leave the page.</p>
        <Entered record={value} />
        <p>
          <a class="button" href={addressBack(command)}>
            Go on
          </a>
        </p>
      </>
    ),
  });
}

/** The answer is what the operator wanted, and no other page has it: a search, a trial of a rule. */
function isAnswer({ route }: Commanded): boolean {
  return screenOf(route).isAnswer === true;
}

function answerPage({ desk, visitor, route }: Commanded, value: unknown): Promise<PageAnswer> {
  const { title } = screenOf(route);
  return desk.framed(visitor, {
    title,
    sameAs: `${route.method} ${route.path}`,
    children: (
      <>
        <h1>{title}</h1>
        {isList(route) ? (
          <List routes={desk.routes} route={route} rows={value as Record<string, unknown>[]} params={{}} />
        ) : (
          <RecordView
            routes={desk.routes}
            route={route}
            value={value as Record<string, unknown>}
            params={{}}
            visitor={visitor}
          />
        )}
        <p>
          <a href={`/console/do/${route.operationId}`}>Once more</a>
        </p>
      </>
    ),
  });
}

/** Where the operator goes on: to what the command made, or back to what it changed. */
function addressAfter(command: Commanded, value: unknown): string {
  const made = isObject(value) ? madeBy(command, value) : undefined;
  return made ?? addressBack(command);
}

/** The page of what a command has made. Undefined when it has none. */
function madeBy({ desk, route }: Commanded, value: Record<string, unknown>): string | undefined {
  const page = desk.routes.find(
    ({ path, method }) => method === 'GET' && path.startsWith(`${route.path}/{`) && path.endsWith('}'),
  );
  if (!page || namesOfParams(route).length > 0 || namesOfParams(page).length !== 1) return undefined;
  const [name = ''] = namesOfParams(page);
  const id = value.id ?? value[name];
  return typeof id === 'string' ? addressOf(page, { [name]: id }) : undefined;
}
