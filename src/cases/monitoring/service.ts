/** The verbs of monitoring: replay a rule over the past, add and change rules, list and dismiss alerts. */
import { isDeepStrictEqual } from 'node:util';
import type { ApprovalSubject } from '../../approval.js';
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { invalidField, RemesaError } from '../../errors.js';
import { instanceTenant, newPublicId, publicId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { CaseSealer } from '../sealed.js';
import type { Alert, AlertState } from './alert.js';
import { decideAlert, listAlerts, lockAlert as lockAlertRow } from './alert-store.js';
import * as replays from './replay-store.js';
import { replayJobName } from './replaying.js';
import { type MonitoringRule, parametersOf, type Terms } from './rule.js';
import * as store from './rule-store.js';

export interface RuleChange {
  readonly parameters: Terms['parameters'];
  readonly isEnabled: boolean;
  /** The replay of exactly these terms; needed to enable a rule. */
  readonly replayId: string | undefined;
  readonly version: number;
}

export class MonitoringService {
  readonly #sealer: CaseSealer;

  constructor(sealer: CaseSealer) {
    this.#sealer = sealer;
  }

  /** A job makes the report. Throws `invalid_fields`. */
  async replay(tx: Transaction, by: By, terms: Terms, from: Date, until: Date): Promise<replays.StoredReplay> {
    requireParameters(terms);
    if (from >= until) throw invalidField('until', 'not_allowed', 'must be after from');
    const { kind, parameters } = terms;
    const replayId = newPublicId('rpl');
    const saved = await replays.addReplay(tx, { kind, parameters, replayId, from, until, madeBy: operatorOf(by) });
    await audit(tx, by, `replay:${saved.replayId}`, 'monitoring.replayed', { kind });
    tx.wake(replayJobName);
    return saved;
  }

  /** Throws `replay_not_found`. */
  async findReplay(database: Queryable, id: string): Promise<replays.StoredReplay> {
    const replay = await findReplay(database, id);
    if (!replay) throw new RemesaError('not_found', 'replay_not_found', 'There is no such replay.');
    return replay;
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
  ): Promise<{ readonly rule: MonitoringRule; readonly replay: replays.StoredReplay | undefined }> {
    const rule = await lockRule(tx, id);
    return { rule, replay: await findReplay(tx, replayId) };
  }

  /**
   * Throws `monitoring_rule_not_found`, `version_conflict`, `invalid_fields`, and `replay_missing` when a rule is to be
   * enabled without the report of a replay of exactly its terms.
   */
  async change(tx: Transaction, by: By, id: string, change: RuleChange): Promise<MonitoringRule> {
    const rule = await lockRule(tx, id);
    const { parameters, isEnabled } = change;
    requireParameters({ kind: rule.kind, parameters });
    const replay = await findReplay(tx, change.replayId);
    const isReplayed =
      replay?.kind === rule.kind && replay.report && isDeepStrictEqual(replay.parameters, { ...parameters });
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

  listAlerts(
    database: Queryable,
    states: readonly AlertState[],
    page: { readonly after: string; readonly limit: number },
  ): Promise<Alert[]> {
    return listAlerts(database, states, page);
  }

  /** Throws `alert_not_found` and `alert_decided`. */
  async dismiss(tx: Transaction, by: By, id: string, note: string): Promise<Alert> {
    const alert = await lockAlert(tx, id);
    const sealedNote = this.#sealer.seal(['alerts', 'sealed_note', alert.alertId], note);
    const isDecided = await decideAlert(tx, alert.alertId, {
      state: 'dismissed',
      sealedNote,
      decidedBy: operatorOf(by),
    });
    if (!isDecided) throw decided(alert);
    await audit(tx, by, `alert:${alert.alertId}`, 'alert.dismissed', { kind: alert.kind });
    return lockAlert(tx, id);
  }
}

/** Locks it. Throws `alert_not_found`. */
export async function lockAlert(tx: Transaction, id: string): Promise<Alert> {
  const alertId = publicId('alr', id);
  const alert = alertId && (await lockAlertRow(tx, alertId));
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

async function findReplay(database: Queryable, id: string | undefined): Promise<replays.StoredReplay | undefined> {
  const replayId = id === undefined ? undefined : publicId('rpl', id);
  return replayId && replays.findReplay(database, replayId);
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
