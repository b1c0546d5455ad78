/** Routes for operators: everything that waits for a person. */
import Type, { type Static } from 'typebox';
import { ListPage, nextPage } from '../http/answers/answer.js';
import { command, type Route, read } from '../http/route.js';
import { namesIn } from '../http/shapes.js';
import type { OperatorId } from '../ids.js';
import { amountToText } from '../money/literal.js';
import { dueAtOf } from './duty.js';
import { ClaimShape, TaskCountShape, TaskFilterShape, TaskQueryShape, TaskShape } from './schemas.js';
import type { ShownTask, TaskFilter, TaskService } from './service.js';
import { type TaskPlace, taskKinds } from './task.js';

const described = { tag: 'Tasks for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forReviewers = { ...described, access: { token: 'operator', role: 'reviewer' } } as const;
/** The answer contains the login of an operator. */
const sealedAnswer = { keepForHours: 24, isSecret: true } as const;
const TaskPath = Type.Object({ taskId: Type.String({ description: 'The id of the task.' }) });
const usualMinutes = 30;

export function taskRoutes(tasks: TaskService): Route[] {
  return [listRoute(tasks), countRoute(tasks), claimRoute(tasks), releaseRoute(tasks)];
}

function listRoute(tasks: TaskService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/tasks',
    operationId: 'listTasks',
    summary: 'List everything that waits for a person',
    description: 'Contains nothing personal. The header `Link` names the next page.',
    returns: 'A page of tasks, those that have waited longest first unless you ask for another order.',
    query: TaskQueryShape,
    answer: Type.Array(TaskShape),
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const { sort = 'since', after, limit = 50 } = call.query;
      const filter = filterOf(call.query, call.caller.operatorId);
      const page = await tasks.list(database, { ...filter, sort, after: placeOf(after), limit });
      return new ListPage(
        page.tasks.map(encodeTask),
        page.next && nextPage('/operator/tasks', call.query, placeText(page.next)),
      );
    },
  });
}

function countRoute(tasks: TaskService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/tasks/counts',
    operationId: 'countTasks',
    summary: 'Count what waits for a person',
    description: 'Takes the filters of `GET /operator/tasks`.',
    returns: 'The kinds of tasks that there are, each with its number, its oldest, and the money that it is about.',
    query: TaskFilterShape,
    answer: Type.Array(TaskCountShape),
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const counts = await tasks.count(database, filterOf(call.query, call.caller.operatorId));
      return counts.map(({ kind, count, overdue, oldestSinceMicros, amounts }) => ({
        kind,
        count,
        overdue,
        oldestSince: timeOf(oldestSinceMicros),
        amounts: amounts.map((amount) => ({ currency: amount.currency, amount: amountToText(amount) })),
      }));
    },
  });
}

function claimRoute(tasks: TaskService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/tasks/{taskId}/claim',
    operationId: 'claimTask',
    summary: 'Claim a task',
    subject: 'instance',
    idempotency: sealedAnswer,
    description:
      'Tells the other operators that you work on it. A claim ends by itself and locks nothing: another operator can still decide. Claim again to extend your own claim.',
    returns: 'The task with your claim.',
    params: TaskPath,
    body: ClaimShape,
    answer: TaskShape,
    refusals: ['task_not_found', 'task_claimed'],
    async run(call, tx) {
      const { minutes = usualMinutes } = call.body;
      return encodeTask(await tasks.claim(tx, call.by, call.params.taskId, minutes * 60));
    },
  });
}

function releaseRoute(tasks: TaskService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/tasks/{taskId}/release',
    operationId: 'releaseTask',
    summary: 'Release a task that you claimed',
    subject: 'instance',
    idempotency: sealedAnswer,
    description: 'Admins may also end the claim of another operator. Without a claim nothing happens.',
    returns: 'The task without a claim.',
    params: TaskPath,
    answer: TaskShape,
    refusals: ['task_not_found', 'task_claimed'],
    run: async (call, tx) => encodeTask(await tasks.release(tx, call.by, call.params.taskId)),
  });
}

function placeOf(after: string | undefined): TaskPlace | undefined {
  const [, micros, kind, id] = /^(\d+)\.([a-z_]+)\.(.+)$/.exec(after ?? '') ?? [];
  if (micros === undefined || kind === undefined || id === undefined) return undefined;
  return { sinceMicros: BigInt(micros), kind, id };
}

function placeText({ sinceMicros, kind, id }: TaskPlace): string {
  return `${sinceMicros}.${kind}.${id}`;
}

function filterOf(
  { kind, merchant, claimed, olderThanSeconds, overdue }: Static<typeof TaskFilterShape>,
  reader: OperatorId,
): TaskFilter {
  const isOverdue = overdue && overdue === 'yes';
  return { kinds: namesIn(taskKinds, kind), merchant, claimed, olderThanSeconds, isOverdue, reader };
}

function encodeTask({ task, isOverdue, clientId, claim }: ShownTask): Static<typeof TaskShape> {
  const { kind, id, sinceMicros, summary, path, count = 1, amount, orderId, userId, caseId } = task;
  return {
    id: `${kind}.${id}`,
    kind,
    since: timeOf(sinceMicros),
    dueAt: dueAtOf(task).toISOString(),
    isOverdue,
    summary,
    path,
    merchant: clientId ?? null,
    count,
    amount: amount ? amountToText(amount) : null,
    currency: amount?.currency ?? null,
    orderId: orderId ?? null,
    userId: userId ?? null,
    caseId: caseId ?? null,
    claim: claim ? { operator: claim.login, expiresAt: claim.expiresAt.toISOString() } : null,
  };
}

function timeOf(micros: bigint): string {
  return new Date(Number(micros / 1000n)).toISOString();
}
