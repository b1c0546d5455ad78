/** The verbs of tasks: list what waits, claim it, release it. A claim tells other operators; it locks nothing. */
import { mayAct, type OperatorCaller } from '../caller.js';
import { recordChange } from '../changes/service.js';
import { RemesaError } from '../errors.js';
import { instanceTenant, type OperatorId } from '../ids.js';
import { listClientIdsOf } from '../merchants/service.js';
import { listOperators } from '../operators/service.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import {
  firstPlace,
  type KindOfTask,
  mergeTasks,
  placeWithin,
  type TaskKind,
  type TaskPlace,
  type TaskSource,
  taskKinds,
} from './task.js';
import * as store from './task-claim-store.js';

export interface ShownTask {
  readonly task: KindOfTask;
  /** The client id of the merchant; undefined when the task belongs to no merchant. */
  readonly clientId: string | undefined;
  readonly claim: { readonly login: string; readonly expiresAt: Date } | undefined;
}

export interface TaskQuery {
  readonly kind: TaskKind | undefined;
  readonly after: TaskPlace | undefined;
  readonly limit: number;
  /** The operator who asks. */
  readonly reader: OperatorId;
}

/** The operator and the request of a claim. */
export interface ClaimBy {
  readonly actor: OperatorCaller;
  readonly requestId?: string;
}

export class TaskService {
  constructor(readonly sources: readonly TaskSource[]) {}

  /** `next` is undefined when the page is the last. */
  async list(
    database: Queryable,
    { kind, after = firstPlace, limit, reader }: TaskQuery,
  ): Promise<{ tasks: ShownTask[]; next: TaskPlace | undefined }> {
    const sources = this.sources.filter((source) => kind === undefined || source.kind === kind);
    const pages: KindOfTask[][] = [];
    for (const source of sources) {
      const page = { after: placeWithin(source.kind, after), limit: limit + 1, reader };
      pages.push((await source.list(database, page)).map((task) => ({ ...task, kind: source.kind })));
    }
    const merged = mergeTasks(pages, limit + 1);
    const shown = merged.slice(0, limit);
    return {
      tasks: await withNames(database, shown),
      next: merged.length > limit ? shown.at(-1) : undefined,
    };
  }

  /**
   * Claims a task, or extends the operator's own claim. Throws `task_not_found` when it does not wait any more, and
   * `task_claimed` when another operator has it.
   */
  async claim(tx: Transaction, by: ClaimBy, taskId: string, seconds: number): Promise<ShownTask> {
    const task = await this.#find(tx, by, taskId);
    if (!(await store.saveClaim(tx, task, by.actor.operatorId, seconds))) {
      throw claimed(await withNames(tx, [task]));
    }
    await auditClaim(tx, by, task, 'task.claimed');
    return this.#shown(tx, task);
  }

  /**
   * Ends a claim; without one nothing happens. An admin may end the claim of another operator. Throws `task_not_found`,
   * and `task_claimed` when another operator has the task.
   */
  async release(tx: Transaction, by: ClaimBy, taskId: string): Promise<ShownTask> {
    const task = await this.#find(tx, by, taskId);
    const claim = await store.lockClaimOf(tx, task);
    if (claim) {
      const isOwn = claim.operatorId === by.actor.operatorId;
      if (!isOwn && !mayAct(by.actor, 'admin')) throw claimed(await withNames(tx, [task]));
      await store.dropClaim(tx, task);
      await auditClaim(tx, by, task, 'task.released');
    }
    return this.#shown(tx, task);
  }

  async #find(database: Queryable, by: ClaimBy, taskId: string): Promise<KindOfTask> {
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
    const [shown] = await withNames(database, [task]);
    if (!shown) throw new Error('a task has no names');
    return shown;
  }
}

async function withNames(database: Queryable, tasks: readonly KindOfTask[]): Promise<ShownTask[]> {
  if (tasks.length === 0) return [];
  const ids = [...new Set(tasks.flatMap(({ merchantId }) => (merchantId === undefined ? [] : [merchantId])))];
  const merchants = await listClientIdsOf(database, ids);
  const clientIds = new Map(merchants.map(({ merchantId, clientId }) => [merchantId, clientId]));
  const operators = await listOperators(database);
  const logins = new Map(operators.map(({ operatorId, login }) => [operatorId, login]));
  const claims = await store.listClaimsOf(database, tasks);
  return tasks.map((task) => {
    const claim = claims.find(({ kind, id }) => kind === task.kind && id === task.id);
    const login = claim && (logins.get(claim.operatorId) ?? String(claim.operatorId));
    return {
      task,
      clientId: task.merchantId && clientIds.get(task.merchantId),
      claim: claim && login !== undefined ? { login, expiresAt: claim.expiresAt } : undefined,
    };
  });
}

function auditClaim(tx: Transaction, by: ClaimBy, { kind, id }: KindOfTask, action: string): Promise<void> {
  return recordChange(tx, by, { merchantId: instanceTenant, action, subject: `task:${kind}.${id}` });
}

function claimed([shown]: readonly ShownTask[]): RemesaError {
  const members = shown?.claim ? { claimedBy: shown.claim.login, expiresAt: shown.claim.expiresAt.toISOString() } : {};
  return new RemesaError('conflict', 'task_claimed', 'Another operator has claimed this task.', { members });
}
