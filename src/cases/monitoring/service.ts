/** The verbs of monitoring: replay a rule over the past, add and change rules, raise alerts, dismiss them. */
import { isDeepStrictEqual } from 'node:util';
import type { ApprovalSubject } from '../../approval.js';
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { invalidField, RemesaError } from '../../errors.js';
import { instanceTenant, type MerchantId, newPublicId, publicId } from '../../ids.js';
import { userText } from '../../persons/identifier.js';
import type { Account, PersonIndex } from '../../persons/service.js';
import type { Database } from '../../postgres/database.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { CaseSealer } from '../sealed.js';
import type { Alert, AlertState } from './alert.js';
import { addAlert, decideAlert, listAlerts, listLastAlerts, lockAlert } from './alert-store.js';
import * as movements from './movement-store.js';
import { historyFrom, replayOf } from './replay.js';
import { lookBackMs, type MonitoringRule, type Movement, parametersOf, subjectOf, type Terms } from './rule.js';
import * as store from './rule-store.js';
import { scan } from './scan.js';

export interface RuleChange {
  readonly parameters: Terms['parameters'];
  readonly isEnabled: boolean;
  /** The replay of exactly these terms; needed to enable a rule. */
  readonly replayId: string | undefined;
  readonly version: number;
}

const byMonitoring: By = { actor: { kind: 'system', name: 'monitoring' } };

export class MonitoringService {
  readonly #persons: PersonIndex;
  readonly #sealer: CaseSealer;

  constructor(persons: PersonIndex, sealer: CaseSealer) {
    this.#persons = persons;
    this.#sealer = sealer;
  }

  /** Reads the period and keeps the report. Throws `invalid_fields`, and `replay_too_large` for too many payments. */
  async replay(tx: Transaction, by: By, terms: Terms, from: Date, until: Date): Promise<store.StoredReplay> {
    requireParameters(terms);
    if (from >= until) throw invalidField('until', 'not_allowed', 'must be after from');
    const stored = await movements.listMovementsBetween(tx, historyFrom(terms, from), until);
    if (stored.length > movements.replayedAtMost)
      throw new RemesaError(
        'impossible',
        'replay_too_large',
        'The period has too many payments. Choose a shorter one.',
      );
    const report = replayOf(terms, await this.#named(tx, stored), from, until);
    const replay = { ...terms, replayId: newPublicId('rpl'), report, madeBy: operatorOf(by) };
    const saved = await store.addReplay(tx, replay);
    await audit(tx, by, `replay:${saved.replayId}`, 'monitoring.replayed', { kind: terms.kind, alerts: report.alerts });
    return saved;
  }

  list(database: Queryable): Promise<MonitoringRule[]> {
    return store.listMonitoringRules(database);
  }

  /** A new rule is disabled. Throws `invalid_fields`. */
  async add(tx: Transaction, by: By, terms: Terms): Promise<MonitoringRule> {
    requireParameters(terms);
    const rule = await store.addMonitoringRule(tx, newPublicId('mon'), terms);
    await audit(tx, by, recordOf(rule), 'monitoring_rule.created', termsDetails(rule));
    return rule;
  }

  /** What a change is about; undefined for a disabled rule that stays disabled. Throws `monitoring_rule_not_found`. */
  async reviewChange(tx: Transaction, id: string, { isEnabled }: RuleChange): Promise<ApprovalSubject | undefined> {
    const rule = await lockRule(tx, id);
    if (!rule.isEnabled && !isEnabled) return undefined;
    return { subject: recordOf(rule), version: String(rule.version) };
  }

  /** The rule as it is, and the report with which it would be enabled: what the second person looks at. */
  async replaced(
    tx: Transaction,
    id: string,
    { replayId }: RuleChange,
  ): Promise<{ readonly rule: MonitoringRule; readonly replay: store.StoredReplay | undefined }> {
    const rule = await lockRule(tx, id);
    return { rule, replay: await findReplay(tx, replayId) };
  }

  /**
   * Throws `monitoring_rule_not_found`, `version_conflict`, `invalid_fields`, and `replay_missing` when a rule is to be
   * enabled without a replay of exactly its terms.
   */
  async change(tx: Transaction, by: By, id: string, change: RuleChange): Promise<MonitoringRule> {
    const rule = await lockRule(tx, id);
    const { parameters, isEnabled } = change;
    requireParameters({ kind: rule.kind, parameters });
    const replay = await findReplay(tx, change.replayId);
    const isReplayed = replay?.kind === rule.kind && isDeepStrictEqual(replay.parameters, { ...parameters });
    if (isEnabled && !isReplayed)
      throw new RemesaError('conflict', 'replay_missing', 'Replay the rule with exactly these parameters first.');
    const replayId = isReplayed ? replay.replayId : undefined;
    const isCurrent = rule.version === change.version;
    const saved = isCurrent && (await store.saveMonitoringRule(tx, rule, { parameters, isEnabled, replayId }));
    if (!saved) {
      const members = { version: change.version, currentVersion: rule.version };
      throw new RemesaError('conflict', 'version_conflict', 'The rule has changed since you read it.', { members });
    }
    await audit(tx, by, recordOf(saved), 'monitoring_rule.changed', termsDetails(saved));
    return saved;
  }

  /** The rules look at the payments of a merchant that they have not seen. Returns how many alerts were raised. */
  async look(database: Database, merchantId: MerchantId): Promise<number> {
    const fresh = await movements.listNewMovements(database, merchantId);
    const last = fresh.at(-1);
    if (!last) return 0;
    const rules = (await store.listMonitoringRules(database)).filter(({ isEnabled }) => isEnabled);
    const history = rules.length === 0 ? [] : await this.#historyOf(database, merchantId, fresh, rules);
    const ids = new Set(fresh.map(({ orderId }) => orderId));
    const at = history.filter(({ orderId }) => ids.has(orderId));
    let raised = 0;
    for (const rule of rules) raised += await raise(database, rule, at, history);
    await database.transaction((tx) => movements.saveMonitored(tx, merchantId, last.paidAt));
    return raised;
  }

  listAlerts(
    database: Queryable,
    states: readonly AlertState[],
    page: { readonly after: string; readonly limit: number },
  ): Promise<Alert[]> {
    return listAlerts(database, states, page);
  }

  /** Throws `alert_not_found` and `alert_decided`. */
  async dismiss(tx: Transaction, by: By, id: string, note: string): Promise<Alert> {
    const alert = await findAlert(tx, id);
    const sealedNote = this.#sealer.seal(['alerts', 'sealed_note', alert.alertId], note);
    const isDecided = await decideAlert(tx, alert.alertId, {
      state: 'dismissed',
      sealedNote,
      decidedBy: operatorOf(by),
    });
    if (!isDecided) throw decided(alert);
    await audit(tx, by, `alert:${alert.alertId}`, 'alert.dismissed', { kind: alert.kind });
    return findAlert(tx, id);
  }

  async #historyOf(
    database: Queryable,
    merchantId: MerchantId,
    fresh: readonly movements.StoredMovement[],
    rules: readonly MonitoringRule[],
  ): Promise<Movement[]> {
    const userIds = [...new Set(fresh.map(({ userId }) => userId))];
    const users = [...(await this.#persons.accountsOf(database, merchantId, userIds)).values()].flat();
    const accounts = [...new Set(fresh.flatMap(({ account }) => account ?? []))];
    const oldest = Math.min(...fresh.map(({ paidAt }) => paidAt.getTime()));
    const from = new Date(oldest - Math.max(...rules.map(lookBackMs)));
    return this.#named(database, await movements.listHistoryOf(database, { users, accounts, from }));
  }

  /** Says which person is behind each movement. */
  async #named(database: Queryable, stored: readonly movements.StoredMovement[]): Promise<Movement[]> {
    const users = new Map<string, Account>(stored.map((movement) => [userText(movement), movement]));
    const groups = await this.#persons.groupsOf(database, [...users.values()]);
    return stored.map((movement) => {
      const user = userText(movement);
      return { ...movement, person: groups.get(user) ?? user };
    });
  }
}

/** Each alert is a transaction: what a crash left behind is raised by the next run. */
async function raise(
  database: Database,
  rule: MonitoringRule,
  at: readonly Movement[],
  history: readonly Movement[],
): Promise<number> {
  const subjects = [...new Set(at.map((movement) => subjectOf(rule, movement)))];
  const found = scan(rule, at, history, await listLastAlerts(database, rule, subjects));
  let raised = 0;
  for (const each of found) {
    const alertId = newPublicId('alr');
    const details = { kind: rule.kind, ruleId: rule.ruleId, orderId: each.movement.orderId };
    const isNew = await database.transaction(async (tx) => {
      const isAdded = await addAlert(tx, alertId, rule, each);
      if (isAdded) await audit(tx, byMonitoring, `alert:${alertId}`, 'alert.raised', details);
      return isAdded;
    });
    if (isNew) raised += 1;
  }
  return raised;
}

/** Locks it. Throws `alert_not_found`. */
export async function findAlert(tx: Transaction, id: string): Promise<Alert> {
  const alertId = publicId('alr', id);
  const alert = alertId && (await lockAlert(tx, alertId));
  if (!alert) throw new RemesaError('not_found', 'alert_not_found', 'There is no such alert.');
  return alert;
}

export function decided({ state }: Alert): RemesaError {
  return new RemesaError('conflict', 'alert_decided', 'This alert was already decided.', {
    members: { alertState: state },
  });
}

export function recordOf({ ruleId }: Pick<MonitoringRule, 'ruleId'>): string {
  return `monitoring_rule:${ruleId}`;
}

async function lockRule(tx: Transaction, id: string): Promise<MonitoringRule> {
  const ruleId = publicId('mon', id);
  const rule = ruleId && (await store.lockMonitoringRule(tx, ruleId));
  if (!rule) throw new RemesaError('not_found', 'monitoring_rule_not_found', 'There is no such rule.');
  return rule;
}

async function findReplay(database: Queryable, id: string | undefined): Promise<store.StoredReplay | undefined> {
  const replayId = id === undefined ? undefined : publicId('rpl', id);
  return replayId && store.findReplay(database, replayId);
}

/** A rule has exactly the parameters of its kind. */
function requireParameters({ kind, parameters }: Terms): void {
  const wanted = parametersOf[kind];
  const isComplete = isDeepStrictEqual(Object.keys(parameters).sort(), [...wanted].sort());
  if (!isComplete) throw invalidField('parameters', 'not_allowed', `must have ${wanted.join(', ')}, and nothing else`);
}

function termsDetails({ kind, parameters, isEnabled, version }: MonitoringRule) {
  return { kind, parameters: JSON.stringify(parameters), isEnabled, version };
}

function audit(
  tx: Transaction,
  by: By,
  subject: string,
  action: string,
  details: Record<string, string | number | boolean>,
) {
  return recordChange(tx, by, { merchantId: instanceTenant, action, subject, details });
}
