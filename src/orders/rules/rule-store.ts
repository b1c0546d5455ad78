/** SQL on the rules of operators. Every machine of a cluster has this table in full. */
import { merchantId, storedPublicId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { ReviewRule, RuleId, RuleScope, RuleTerms } from './rule.js';

interface RuleRow {
  rule_id: string;
  kind: RuleTerms['kind'];
  for_merchant: bigint | null;
  corridor: string | null;
  parameters: RuleTerms['parameters'];
  is_enabled: boolean;
  version: number;
  updated_at: Date;
}
const columns = 'rule_id, kind, for_merchant, corridor, parameters, is_enabled, version, updated_at';

const listAll = statement(
  'rule-store.list',
  `SELECT ${columns} FROM review_rules ORDER BY created_at, rule_id`,
).rows<RuleRow>();
const lockOne = statement(
  'rule-store.lock',
  `SELECT ${columns} FROM review_rules WHERE rule_id = $ruleId FOR UPDATE`,
).rows<RuleRow>();
const insertRule = statement(
  'rule-store.insert',
  `INSERT INTO review_rules (rule_id, kind, for_merchant, corridor, parameters, is_enabled)
   VALUES ($ruleId, $kind, $forMerchant, $corridor, $parameters, $isEnabled) RETURNING ${columns}`,
).rows<RuleRow>();
const updateRule = statement(
  'rule-store.update',
  `UPDATE review_rules SET for_merchant = $forMerchant, corridor = $corridor, parameters = $parameters,
     is_enabled = $isEnabled, version = version + 1,
          updated_at = statement_timestamp()
    WHERE rule_id = $ruleId AND version = $version RETURNING ${columns}`,
).rows<RuleRow>();

export type SavedRule = RuleTerms & RuleScope & { readonly isEnabled: boolean };

/** The oldest first. */
export async function listRules(database: Queryable): Promise<ReviewRule[]> {
  return (await database.query(listAll)).map(toRule);
}

export async function lockRule(tx: Transaction, ruleId: RuleId): Promise<ReviewRule | undefined> {
  const [row] = await tx.query(lockOne, { ruleId });
  return row && toRule(row);
}

export async function addRule(tx: Transaction, ruleId: RuleId, rule: SavedRule): Promise<ReviewRule> {
  const [row] = await tx.query(insertRule, { ruleId, kind: rule.kind, ...valuesOf(rule) });
  if (!row) throw new Error('the database returned no rule');
  return toRule(row);
}

/** Returns undefined when the rule is no longer at that version. */
export async function saveRule(
  tx: Transaction,
  { ruleId, version }: ReviewRule,
  rule: SavedRule,
): Promise<ReviewRule | undefined> {
  const [row] = await tx.query(updateRule, { ruleId, version, ...valuesOf(rule) });
  return row && toRule(row);
}

function valuesOf({ merchantId: merchant, corridor, parameters, isEnabled }: SavedRule) {
  return {
    forMerchant: merchant ?? null,
    corridor: corridor ?? null,
    parameters: JSON.stringify(parameters),
    isEnabled,
  };
}

function toRule(row: RuleRow): ReviewRule {
  // The kind of a row and its parameters belong together, which a check of the table requires.
  const terms = { kind: row.kind, parameters: row.parameters } as RuleTerms;
  return {
    ...terms,
    ruleId: storedPublicId('rul', row.rule_id),
    merchantId: row.for_merchant === null ? undefined : merchantId(row.for_merchant),
    corridor: row.corridor ?? undefined,
    isEnabled: row.is_enabled,
    version: row.version,
    updatedAt: row.updated_at,
  };
}
