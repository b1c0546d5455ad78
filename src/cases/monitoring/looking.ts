/** The rules look at what was paid, merchant by merchant. What a crash left behind is looked at by the next run. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { instanceTenant, type MerchantId, newPublicId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { HistoryAsked, Movements, PaidMovement } from '../../orders/movements/service.js';
import type { PersonIndex } from '../../persons/service.js';
import type { Database } from '../../postgres/database.js';
import { isDatabaseUnavailable, isTimeLimit } from '../../postgres/failure.js';
import { addAlert, listLastAlerts } from './alert-store.js';
import { named, usersOfPeople } from './people.js';
import * as store from './progress-store.js';
import { lookBackMs, type MonitoringRule, type Movement, subjectOf } from './rule.js';
import { listMonitoringRules } from './rule-store.js';
import { type Found, scan } from './scan.js';

export interface LookingOptions {
  readonly database: Database;
  readonly persons: PersonIndex;
  readonly movements: Movements;
  readonly log: Log;
}

const largestBatch = 500;
const retryAfterSeconds = 60;
const byMonitoring: By = { actor: { kind: 'system', name: 'monitoring' } };

/** Looks at all payments of a merchant that were not looked at yet, unless another worker does. */
export async function lookAtMerchant(
  options: LookingOptions,
  merchantId: MerchantId,
  signal: AbortSignal,
): Promise<void> {
  const { database, log } = options;
  const claim = randomUUID();
  let progress = await database.transaction((tx) => store.claimProgress(tx, merchantId, claim));
  while (progress && !signal.aborted) {
    const current: store.Progress = progress;
    try {
      progress = await lookAtBatch(options, current);
    } catch (error) {
      // Away is away for all merchants; a statement that took too long is the fault of this batch.
      if (isDatabaseUnavailable(error) && !isTimeLimit(error)) throw error;
      log.error({ merchantId, err: error, payments: current.batchSize }, 'payments could not be monitored');
      const batchSize = Math.max(1, Math.floor(current.batchSize / 4));
      await database.transaction((tx) =>
        store.failProgress(tx, current, { batchSize, waitSeconds: retryAfterSeconds }),
      );
      return;
    }
  }
}

/** Returns how far it has come; undefined when nothing is left, or when another worker has taken over. */
async function lookAtBatch(options: LookingOptions, progress: store.Progress): Promise<store.Progress | undefined> {
  const { database, movements } = options;
  const { merchantId, seen, batchSize } = progress;
  const fresh = await movements.next(database.bulk, merchantId, { after: seen, limit: batchSize });
  const last = fresh.at(-1);
  if (!last) {
    await database.transaction((tx) => store.releaseProgress(tx, progress));
    return undefined;
  }
  const rules = (await listMonitoringRules(database)).filter(({ isEnabled }) => isEnabled);
  const late =
    rules.length === 0 ? [] : await movements.late(database.bulk, merchantId, { after: seen, limit: batchSize });
  if (rules.length > 0) await raiseAll(options, rules, [...late, ...fresh]);
  const next = { ...progress, seen: last.place, batchSize: Math.min(largestBatch, batchSize * 2) };
  const isOurs = await database.transaction((tx) => store.saveProgress(tx, next));
  return isOurs ? next : undefined;
}

/** Too much history for one look is looked at in halves. */
async function raiseAll(
  options: LookingOptions,
  rules: readonly MonitoringRule[],
  fresh: readonly PaidMovement[],
): Promise<void> {
  const history = await historyOf(options, rules, fresh);
  if (history) {
    const ids = new Set(fresh.map(({ orderId }) => orderId));
    for (const rule of rules) await raise(options.database, rule, ids, history);
    return;
  }
  const half = Math.floor(fresh.length / 2);
  await raiseAll(options, rules, fresh.slice(0, half));
  await raiseAll(options, rules, fresh.slice(half));
}

/** What is known of those who paid, and of the accounts that were paid. Undefined when it is too much. */
async function historyOf(
  { database, persons, movements }: LookingOptions,
  rules: readonly MonitoringRule[],
  fresh: readonly PaidMovement[],
): Promise<Movement[] | undefined> {
  const [from, until] = [
    new Date(Math.min(...fresh.map(({ paidAt }) => paidAt.getTime())) - Math.max(...rules.map(lookBackMs))),
    // The database knows microseconds.
    new Date(Math.max(...fresh.map(({ paidAt }) => paidAt.getTime())) + 1),
  ];
  const users = await usersOfPeople(database.bulk, persons, fresh);
  const accounts = [...new Set(fresh.flatMap(({ account }) => account ?? []))];
  const asked: HistoryAsked = { users, accounts, from, until };
  const found =
    fresh.length > 1
      ? await movements.history(database.bulk, asked)
      : await movements.wholeHistory(database.bulk, asked);
  return found && named(database.bulk, persons, found);
}

/** Each alert is a transaction. */
async function raise(
  database: Database,
  rule: MonitoringRule,
  ids: ReadonlySet<string>,
  history: readonly Movement[],
): Promise<void> {
  const isAsked = ({ orderId }: Movement) => ids.has(orderId);
  const subjects = [...new Set(history.filter(isAsked).map((movement) => subjectOf(rule, movement)))];
  const last = await listLastAlerts(database, rule, subjects);
  for (const each of await scanned(rule, isAsked, history, last)) {
    const alertId = newPublicId('alr');
    const details = { kind: rule.kind, ruleId: rule.ruleId, orderId: each.movement.orderId };
    await database.transaction(async (tx) => {
      if (!(await addAlert(tx, alertId, rule, each))) return;
      const subject = `alert:${alertId}`;
      await recordChange(tx, byMonitoring, { merchantId: instanceTenant, action: 'alert.raised', subject, details });
    });
  }
}

/** All that a rule finds. Others have their turn meanwhile. */
export async function scanned(...asked: Parameters<typeof scan>): Promise<Found[]> {
  const found: Found[] = [];
  for (const each of scan(...asked)) {
    if (each) found.push(each);
    else await nextTurn();
  }
  return found;
}
