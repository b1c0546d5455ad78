/** Where an operator goes on after a decision: to the next task of the kind. */
import { RemesaError } from '../../errors.js';
import { newFormKey } from '../forms/body.js';
import { actionOf, addressOf, isCommand, mayCall, recordOfList, taskOf } from '../screens/finding.js';
import { rows } from '../screens/schema.js';
import type { Target } from '../screens/screen.js';
import { addressOfValue } from '../shown/links.js';
import { requestOf } from '../visitor.js';
import { addressBack, type Commanded } from './commanded.js';

/** Other operators may claim a task first: then the next one is tried, up to this many. */
const mostTried = 5;

/** The next task of the kind that is the operator's own, or free, which it then is no more. Otherwise the list. */
export async function nextAddress(command: Commanded): Promise<string> {
  const { desk, visitor, route, variant } = command;
  const list = variant && actionOf(route, variant.name)?.next;
  if (list) return nextInList(command, list);
  const kind = taskOf(route) ?? '';
  const { calls } = desk.options;
  const [tasks, claim] = [calls.find('listTasks'), calls.find('claimTask')];
  const nothing = `/console?${new URLSearchParams({ kind })}`;
  if (!tasks || !claim || !isCommand(claim)) return nothing;
  const read = (claimed: string) =>
    calls.read(tasks, requestOf(visitor, { query: { kind, claimed, limit: String(mostTried) } }));
  const answers = await Promise.all(['mine', 'nobody'].map(read));
  const before = addressBack(command);
  for (const { id, path } of answers.flatMap(({ value }) => rows(value))) {
    const address = addressOfValue('path', String(path));
    if (address === undefined || address === before) continue;
    try {
      const key = { body: '{}', idempotencyKey: newFormKey() };
      await calls.run(claim, requestOf(visitor, { params: { taskId: String(id) }, ...key }));
      return address;
    } catch (error) {
      if (!(error instanceof RemesaError)) throw error;
    }
  }
  return nothing;
}

/** The first other record of a list. Otherwise the list. */
async function nextInList(command: Commanded, { operationId, query }: NonNullable<Target['next']>): Promise<string> {
  const { desk, visitor } = command;
  const list = desk.options.calls.find(operationId);
  const record = list && recordOfList(desk.routes, list);
  if (!list || !record || !mayCall(visitor.caller, list)) return '/console';
  const { value } = await desk.options.calls.read(list, requestOf(visitor, { query: { ...query, limit: '2' } }));
  const addresses = rows(value).map((row) => {
    const params = Object.entries(record.params).map(([name, field]) => [name, row[field]]);
    return addressOf(record.route, Object.fromEntries(params));
  });
  const next = addresses.find((address) => address !== addressBack(command));
  return next ?? `${addressOf(list, {})}?${new URLSearchParams(query)}`;
}
