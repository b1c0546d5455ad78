/** The verbs of operators on rules: list, add, change. A rule is never deleted, so that its findings stay explained. */
import { isDeepStrictEqual } from 'node:util';
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { changedFields } from '../../changes/change.js';
import { recordChange } from '../../changes/service.js';
import { type FieldFault, RemesaError } from '../../errors.js';
import { instanceTenant, newPublicId, publicId } from '../../ids.js';
import { clientIdsOf, getMerchant } from '../../merchants/service.js';
import { currencyCode } from '../../money/currency.js';
import { lockInstance } from '../../postgres/instance.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { type Parameters, parameterFaults, termsOf } from './parameters.js';
import { defaultRules, type ReviewRule, type RuleKind } from './rule.js';
import * as store from './rule-store.js';
import { rulesChanged } from './rule-watch.js';

/** What an operator decides about a rule. */
export interface RuleEdit {
  readonly parameters: Parameters;
  readonly isEnabled: boolean;
  /** The client id of the merchant; undefined for all merchants. */
  readonly merchant: string | undefined;
  readonly corridor: string | undefined;
}

export interface RuleChange extends RuleEdit {
  /** The version that was read: a change that somebody made since is never overwritten. */
  readonly version: number;
}

/** A rule with the client id of its merchant; undefined when it is for all. */
export interface ShownRule {
  readonly rule: ReviewRule;
  readonly clientId: string | undefined;
}

/** Does nothing when there are rules already. */
export async function addDefaultRules(tx: Transaction, { isEnabled }: { isEnabled: boolean }): Promise<void> {
  const hasRules = async () => (await store.listRules(tx)).length > 0;
  if (await hasRules()) return;
  // Processes that start at the same moment on a new database add them once.
  await lockInstance(tx);
  if (await hasRules()) return;
  for (const terms of defaultRules) {
    const scope = { merchantId: undefined, corridor: undefined };
    await store.addRule(tx, newPublicId('rul'), { ...terms, ...scope, isEnabled });
  }
}

/** The oldest first, disabled ones included. */
export async function listReviewRules(database: Queryable): Promise<ShownRule[]> {
  return shown(database, await store.listRules(database));
}

/** Throws `merchant_not_found` and `invalid_fields`. */
export async function addReviewRule(tx: Transaction, by: By, kind: RuleKind, edit: RuleEdit): Promise<ShownRule> {
  const saved = await readEdit(tx, kind, edit);
  const rule = await store.addRule(tx, newPublicId('rul'), saved);
  return announce(tx, by, rule, { action: 'review_rule.created', before: undefined });
}

/**
 * The kind never changes. Throws `review_rule_not_found`, `version_conflict`, `merchant_not_found`, `invalid_fields`.
 */
export async function changeReviewRule(tx: Transaction, by: By, id: string, change: RuleChange): Promise<ShownRule> {
  const before = await lockKnown(tx, id);
  const saved = await readEdit(tx, before.kind, change);
  const rule = change.version === before.version ? await store.saveRule(tx, before, saved) : undefined;
  if (!rule) throw versionConflict(change, before);
  return announce(tx, by, rule, { action: 'review_rule.changed', before });
}

/**
 * What a change is about; undefined when one person is enough: to enable a rule as it is, and to edit one that is and
 * stays disabled. Throws `review_rule_not_found`.
 */
export async function reviewRuleChange(
  tx: Transaction,
  id: string,
  { parameters, isEnabled, merchant, corridor }: RuleEdit,
): Promise<ApprovalSubject | undefined> {
  const before = await lockKnown(tx, id);
  const [{ clientId } = { clientId: undefined }] = await shown(tx, [before]);
  const edited = { parameters: { ...parameters }, merchant, corridor };
  const current = { parameters: { ...before.parameters }, merchant: clientId, corridor: before.corridor };
  const isSame = isDeepStrictEqual(edited, current);
  const isSafe = before.isEnabled ? isSame && isEnabled : isSame || !isEnabled;
  return isSafe ? undefined : { subject: recordOf(before), version: String(before.version) };
}

/** The rule that a change replaces. Throws `review_rule_not_found`. */
export async function replacedRule(tx: Transaction, id: string): Promise<ShownRule> {
  const rule = await lockKnown(tx, id);
  const [found] = await shown(tx, [rule]);
  return found ?? { rule, clientId: undefined };
}

/** The name under which the audit log and approvals know a rule. */
export function recordOf({ ruleId }: Pick<ReviewRule, 'ruleId'>): string {
  return `review_rule:${ruleId}`;
}

/** Throws `review_rule_not_found`. */
async function lockKnown(tx: Transaction, id: string): Promise<ReviewRule> {
  const ruleId = publicId('rul', id);
  const rule = ruleId && (await store.lockRule(tx, ruleId));
  if (rule) return rule;
  throw new RemesaError('not_found', 'review_rule_not_found', 'There is no such rule.');
}

async function readEdit(
  database: Queryable,
  kind: RuleKind,
  { parameters, isEnabled, merchant, corridor }: RuleEdit,
): Promise<store.SavedRule> {
  const faults = [...parameterFaults(kind, parameters), ...corridorFaults(corridor)];
  const [first] = faults;
  if (first) {
    const message = `${first.field}: ${first.message}`;
    throw new RemesaError('invalid', 'invalid_fields', message, { errors: faults });
  }
  const merchantId = merchant === undefined ? undefined : (await getMerchant(database, merchant)).merchantId;
  return { ...termsOf(kind, parameters), merchantId, corridor, isEnabled };
}

function corridorFaults(corridor: string | undefined): FieldFault[] {
  if (corridor === undefined || corridor.split('-').every((code) => currencyCode(code))) return [];
  return [{ field: 'corridor', code: 'not_allowed', message: 'must name two currencies, such as EUR-MXN' }];
}

/** All processes know the rule within moments. */
async function announce(
  tx: Transaction,
  by: By,
  rule: ReviewRule,
  { action, before }: { action: string; before: ReviewRule | undefined },
): Promise<ShownRule> {
  const { kind, isEnabled, version, parameters } = rule;
  const changed = changedFields(before && auditedTerms(before), auditedTerms(rule));
  const details = { kind, isEnabled, version, parameters: JSON.stringify(parameters), ...changed };
  await recordChange(tx, by, { merchantId: instanceTenant, action, subject: recordOf(rule), details });
  tx.wake(rulesChanged);
  const [found] = await shown(tx, [rule]);
  return found ?? { rule, clientId: undefined };
}

function auditedTerms({ isEnabled, parameters, merchantId, corridor }: ReviewRule) {
  return {
    isEnabled,
    parameters: JSON.stringify(parameters),
    merchant: merchantId === undefined ? null : `merchant:${merchantId}`,
    corridor: corridor ?? null,
  };
}

async function shown(database: Queryable, rules: readonly ReviewRule[]): Promise<ShownRule[]> {
  const clientIds = await clientIdsOf(
    database,
    rules.flatMap(({ merchantId }) => merchantId ?? []),
  );
  return rules.map((rule) => ({ rule, clientId: rule.merchantId && clientIds.get(rule.merchantId) }));
}

function versionConflict({ version }: RuleChange, current: ReviewRule): RemesaError {
  const members = { version, currentVersion: current.version };
  return new RemesaError('conflict', 'version_conflict', 'The rule has changed since you read it.', {
    members,
  });
}
