/**
 * The verbs of tasks: list what waits, count it, claim it, release it. A claim tells other operators; it locks nothing.
 */
import { type ByOperator, mayAct } from '../caller.js';
import { recordChange } from '../changes/service.js';
import type { Clock } from '../clock.js';
import { RemesaError } from '../errors.js';
import { instanceTenant, type OperatorId } from '../ids.js';
import { clientIdsOf, merchantIdOf } from '../merchants/service.js';
import { loginsOf } from '../operators/service.js';
import { simulatedOperator } from '../operators/simulated.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { type CountOfKind, countTasks } from './counts.js';
import { dueAtOf, placeByDue, sortedByDue } from './duty.js';
import {
  firstPlace,
  type KindOfTask,
  mergeTasks,
  placeWithin,
  type TaskKind,
  type TaskPage,
  type TaskPlace,
  type TaskSource,
  taskKinds,
} from './task.js';
import * as store from './task-claim-store.js';

export interface ShownTask {
  readonly task: KindOfTask;
  readonly isOverdue: boolean;
  /** The client id of the merchant; undefined when the task belongs to no merchant. */
  readonly clientId: string | undefined;
  readonly claim: { readonly login: string; readonly expiresAt: Date } | undefined;
}

export interface TaskFilter {
  readonly kinds: readonly TaskKind[] | undefined;
  /** The client id. */
  readonly merchant: string | undefined;
  readonly claimed: 'mine' | 'anyone' | 'nobody' | undefined;
  /** Only tasks that have waited for so long. */
  readonly olderThanSeconds: number | undefined;
  readonly isOverdue: boolean | undefined;
  /** The operator who asks. */
  readonly reader: OperatorId;
}

export interface TaskQuery extends TaskFilter {
  readonly sort: 'since' | 'due';
  readonly after: TaskPlace | undefined;
  readonly limit: number;
}

/** What a reader wants to see. */
interface Selection extends TaskFilter {
  readonly isWanted: (task: KindOfTask) => boolean;
}

/** So many tasks of a kind are read at a time. */
const batch = 500;

export class TaskService {
  readonly #clock: Clock;

  constructor(
    readonly sources: readonly TaskSource[],
    clock: Clock,
  ) {
    this.#clock = clock;
  }

  /** `next` is undefined when the page is the last. Throws `merchant_not_found`. */
  async list(
    database: Queryable,
    { sort, after, limit, ...filter }: TaskQuery,
  ): Promise<{ tasks: ShownTask[]; next: TaskPlace | undefined }> {
    const selection = { ...filter, isWanted: await wantedBy(database, filter, this.#clock.now()) };
    const found =
      sort === 'due'
        ? await this.#firstDue(database, selection, after, limit + 1)
        : await this.#oldest(database, selection, after, limit + 1);
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      tasks: await this.#withNames(database, shown),
      next: last && (sort === 'due' ? placeByDue(last) : last),
    };
  }

  /** Each kind that has tasks: how many, the oldest, and the money that they are about. Throws as `list` does. */
  async count(database: Queryable, filter: TaskFilter): Promise<CountOfKind[]> {
    const selection = { ...filter, isWanted: await wantedBy(database, filter, this.#clock.now()) };
    const counts: CountOfKind[] = [];
    for (const source of this.#sourcesOf(filter)) {
      const tasks = await read(database, source, selection);
      if (tasks.length > 0) counts.push(countTasks(source.kind, tasks, this.#clock.now()));
    }
    return counts;
  }

  /**
   * Claims a task, or extends the operator's own claim. Throws `task_not_found` when it does not wait any more, and
   * `task_claimed` when another operator has it.
   */
  async claim(tx: Transaction, by: ByOperator, taskId: string, seconds: number): Promise<ShownTask> {
    const task = await this.#find(tx, by, taskId);
    if (!(await store.saveClaim(tx, task, by.actor.operatorId, seconds))) {
      throw claimed(await this.#withNames(tx, [task]));
    }
    await auditClaim(tx, by, task, 'task.claimed');
    return this.#shown(tx, task);
  }

  /**
   * Ends a claim; without one nothing happens. An admin may end the claim of another operator. Throws `task_not_found`,
   * and `task_claimed` when another operator has the task.
   */
  async release(tx: Transaction, by: ByOperator, taskId: string): Promise<ShownTask> {
    const task = await this.#find(tx, by, taskId);
    const claim = await store.lockClaimOf(tx, task);
    if (claim) {
      const isOwn = claim.operatorId === by.actor.operatorId;
      if (!isOwn && !mayAct(by.actor, 'admin')) throw claimed(await this.#withNames(tx, [task]));
      await store.dropClaim(tx, task);
      await auditClaim(tx, by, task, 'task.released');
    }
    return this.#shown(tx, task);
  }

  #sourcesOf({ kinds }: Pick<TaskFilter, 'kinds'>): TaskSource[] {
    return this.sources.filter(({ kind }) => kinds === undefined || kinds.includes(kind));
  }

  async #oldest(
    database: Queryable,
    selection: Selection,
    after: TaskPlace = firstPlace,
    atMost: number,
  ): Promise<KindOfTask[]> {
    const pages: KindOfTask[][] = [];
    for (const source of this.#sourcesOf(selection))
      pages.push(await read(database, source, selection, { after: placeWithin(source.kind, after), atMost }));
    return mergeTasks(pages, atMost);
  }

  /** All tasks are read, because no room keeps its tasks in the order in which they are due. */
  async #firstDue(
    database: Queryable,
    selection: Selection,
    after: TaskPlace | undefined,
    atMost: number,
  ): Promise<KindOfTask[]> {
    const pages: KindOfTask[][] = [];
    for (const source of this.#sourcesOf(selection)) pages.push(await read(database, source, selection));
    return sortedByDue(pages.flat(), after).slice(0, atMost);
  }

  async #find(database: Queryable, by: ByOperator, taskId: string): Promise<KindOfTask> {
    const dot = taskId.indexOf('.');
    const kind = taskKinds.find((known) => known === taskId.slice(0, dot));
    const source = this.sources.find((candidate) => candidate.kind === kind);
    const only = taskId.slice(dot + 1);
    const page = { after: { sinceMicros: 0n, id: '' }, limit: 1, only, reader: by.actor.operatorId };
    const [task] = source ? await source.list(database, page) : [];
    if (!source || !task) throw new RemesaError('not_found', 'task_not_found', 'There is no such task now.');
    return { ...task, kind: source.kind };
  }

  async #shown(database: Queryable, task: KindOfTask): Promise<ShownTask> {
    const [shown] = await this.#withNames(database, [task]);
    if (!shown) throw new Error('a task has no names');
    return shown;
  }

  async #withNames(database: Queryable, tasks: readonly KindOfTask[]): Promise<ShownTask[]> {
    if (tasks.length === 0) return [];
    const owners = tasks.flatMap(({ merchantId }) => merchantId ?? []);
    const [clientIds, logins] = [await clientIdsOf(database, owners), await loginsOf(database)];
    const claims = await store.listClaimsOf(database, tasks);
    const now = this.#clock.now();
    return tasks.map((task) => {
      const claim = claims.find(({ kind, id }) => kind === task.kind && id === task.id);
      const login = claim && (logins.get(claim.operatorId) ?? String(claim.operatorId));
      return {
        task,
        isOverdue: dueAtOf(task) < now,
        clientId: task.merchantId && clientIds.get(task.merchantId),
        claim: claim && login !== undefined ? { login, expiresAt: claim.expiresAt } : undefined,
      };
    });
  }
}

/** What waits, whoever asks: the oldest 500 of each kind. */
export async function openTasks(database: Queryable, sources: readonly TaskSource[]): Promise<KindOfTask[]> {
  const tasks: KindOfTask[] = [];
  for (const source of sources) tasks.push(...(await openTasksOf(database, source)));
  return tasks;
}

/** The same of one kind. */
export async function openTasksOf(database: Queryable, { kind, list }: TaskSource): Promise<KindOfTask[]> {
  const page = { after: { sinceMicros: 0n, id: '' }, limit: batch, reader: simulatedOperator.operatorId };
  return (await list(database, page)).map((task) => ({ ...task, kind }));
}

/** The tasks of a kind that are wanted, the oldest first. Without a limit, all. */
async function read(
  database: Queryable,
  source: TaskSource,
  { isWanted, reader }: Selection,
  {
    after = { sinceMicros: 0n, id: '' },
    atMost = Number.POSITIVE_INFINITY,
  }: { readonly after?: TaskPage['after']; readonly atMost?: number } = {},
): Promise<KindOfTask[]> {
  const found: KindOfTask[] = [];
  const limit = Math.min(batch, atMost);
  for (let place = after; ; ) {
    const page = (await source.list(database, { after: place, limit, reader })).map((task) => ({
      ...task,
      kind: source.kind,
    }));
    found.push(...page.filter(isWanted));
    const last = page.at(-1);
    if (!last || page.length < limit || found.length >= atMost) return found.slice(0, atMost);
    place = last;
  }
}

/** Throws `merchant_not_found`. */
async function wantedBy(
  database: Queryable,
  { merchant, claimed, olderThanSeconds, isOverdue, reader }: TaskFilter,
  now: Date,
): Promise<Selection['isWanted']> {
  const merchantId = merchant === undefined ? undefined : await merchantIdOf(database, merchant);
  const claims = claimed === undefined ? [] : await store.listClaimsOfAll(database);
  // Some tasks wait by the clock of their merchant, which may be ahead.
  const latestMicros =
    olderThanSeconds === undefined ? undefined : BigInt(now.getTime() - olderThanSeconds * 1000) * 1000n;
  return (task) => {
    if (merchantId !== undefined && task.merchantId !== merchantId) return false;
    if (latestMicros !== undefined && task.sinceMicros > latestMicros) return false;
    if (isOverdue !== undefined && isOverdue !== dueAtOf(task) < now) return false;
    if (claimed === undefined) return true;
    const claim = claims.find(({ kind, id }) => kind === task.kind && id === task.id);
    return claimed === 'nobody' ? !claim : claim !== undefined && (claimed === 'anyone' || claim.operatorId === reader);
  };
}

function auditClaim(tx: Transaction, by: ByOperator, { kind, id }: KindOfTask, action: string): Promise<void> {
  return recordChange(tx, by, { merchantId: instanceTenant, action, subject: `task:${kind}.${id}` });
}

function claimed([shown]: readonly ShownTask[]): RemesaError {
  const members = shown?.claim ? { claimedBy: shown.claim.login, expiresAt: shown.claim.expiresAt.toISOString() } : {};
  return new RemesaError('conflict', 'task_claimed', 'Another operator has claimed this task.', { members });
}
