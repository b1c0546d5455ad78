/** SQL on monitoring rules. */
import { storedPublicId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { MonitoringKind, MonitoringRule, MonitoringRuleId, Parameters, Terms } from './rule.js';

interface RuleRow {
  rule_id: string;
  kind: MonitoringKind;
  parameters: Parameters;
  is_enabled: boolean;
  replay_id: string | null;
  version: number;
  updated_at: Date;
}
const columns = 'rule_id, kind, parameters, is_enabled, replay_id, version, updated_at';

const listAll = statement(
  'monitoring.list-rules',
  `SELECT ${columns} FROM monitoring_rules ORDER BY created_at, rule_id`,
).rows<RuleRow>();
const lockOne = statement(
  'monitoring.lock-rule',
  `SELECT ${columns} FROM monitoring_rules WHERE rule_id = $ruleId FOR UPDATE`,
).rows<RuleRow>();
const insertRule = statement(
  'monitoring.insert-rule',
  `INSERT INTO monitoring_rules (rule_id, kind, parameters) VALUES ($ruleId, $kind, $parameters) RETURNING ${columns}`,
).rows<RuleRow>();
const updateRule = statement(
  'monitoring.update-rule',
  `UPDATE monitoring_rules SET parameters = $parameters, is_enabled = $isEnabled, replay_id = $replayId,
          version = version + 1, updated_at = statement_timestamp()
    WHERE rule_id = $ruleId AND version = $version RETURNING ${columns}`,
).rows<RuleRow>();
/** The oldest first. */
export async function listMonitoringRules(database: Queryable): Promise<MonitoringRule[]> {
  return (await database.query(listAll)).map(toRule);
}

export async function lockMonitoringRule(
  tx: Transaction,
  ruleId: MonitoringRuleId,
): Promise<MonitoringRule | undefined> {
  const [row] = await tx.query(lockOne, { ruleId });
  return row && toRule(row);
}

export async function addMonitoringRule(
  tx: Transaction,
  ruleId: MonitoringRuleId,
  { kind, parameters }: Terms,
): Promise<MonitoringRule> {
  const [row] = await tx.query(insertRule, { ruleId, kind, parameters: JSON.stringify(parameters) });
  if (!row) throw new Error('the database returned no rule');
  return toRule(row);
}

/** Returns undefined when the rule is no longer at that version. */
export async function saveMonitoringRule(
  tx: Transaction,
  { ruleId, version }: MonitoringRule,
  change: Pick<MonitoringRule, 'parameters' | 'isEnabled' | 'replayId'>,
): Promise<MonitoringRule | undefined> {
  const [row] = await tx.query(updateRule, {
    ruleId,
    version,
    parameters: JSON.stringify(change.parameters),
    isEnabled: change.isEnabled,
    replayId: change.replayId ?? null,
  });
  return row && toRule(row);
}

function toRule(row: RuleRow): MonitoringRule {
  return {
    ruleId: storedPublicId('mon', row.rule_id),
    kind: row.kind,
    parameters: row.parameters,
    isEnabled: row.is_enabled,
    replayId: row.replay_id === null ? undefined : storedPublicId('rpl', row.replay_id),
    version: row.version,
    updatedAt: row.updated_at,
  };
}
