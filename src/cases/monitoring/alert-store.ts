/** SQL on alerts. */
import { merchantId, type OperatorId, operatorId, type PublicId, storedPublicId, userId } from '../../ids.js';
import type { Account } from '../../persons/service.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Task, TaskPage } from '../../tasks/task.js';
import { pageValues } from '../../tasks/task.js';
import type { Alert, AlertId, AlertState } from './alert.js';
import type { Facts, MonitoringKind, MonitoringRule } from './rule.js';
import type { Found } from './scan.js';

interface AlertRow {
  alert_id: string;
  rule_id: string;
  kind: MonitoringKind;
  of_merchant: bigint;
  of_user: bigint;
  order_id: string;
  order_ids: string[];
  facts: Facts;
  state: AlertState;
  case_id: string | null;
  decided_by: bigint | null;
  raised_at: Date;
}
const columns = `alert_id, alert.rule_id, rule.kind, of_merchant, of_user, order_id, order_ids, facts, state, case_id,
  decided_by, raised_at` as const;
const withRule = 'alerts AS alert JOIN monitoring_rules AS rule ON rule.rule_id = alert.rule_id';

const insertAlert = statement(
  'alert-store.insert',
  `INSERT INTO alerts (alert_id, rule_id, rule_version, subject, of_merchant, of_user, order_id, order_ids, facts, paid_at)
   VALUES ($alertId, $ruleId, $ruleVersion, $subject, $ofMerchant, $ofUser, $orderId, $orderIds::text[], $facts, $paidAt)
   ON CONFLICT (rule_id, order_id) DO NOTHING RETURNING alert_id`,
).rows<{ alert_id: string }>();
const listLast = statement(
  'alert-store.list-last',
  `SELECT subject, max(paid_at) AS paid_at FROM alerts
    WHERE rule_id = $ruleId AND subject = ANY ($subjects::text[]) GROUP BY subject`,
).rows<{ subject: string; paid_at: Date }>();
const listPage = statement(
  'alert-store.list',
  `SELECT ${columns} FROM ${withRule}
    WHERE state = ANY ($states::text[]) AND alert_id > $after ORDER BY alert_id LIMIT $limit::int`,
).rows<AlertRow>();
const listKinds = statement(
  'alert-store.list-kinds',
  `SELECT DISTINCT rule.kind FROM ${withRule} WHERE alert_id = ANY ($alertIds::text[]) ORDER BY rule.kind`,
).rows<{ kind: MonitoringKind }>();
const listOfUsers = statement(
  'alert-store.list-of-users',
  `SELECT ${columns} FROM unnest($merchantIds::bigint[], $userIds::bigint[]) AS asked (merchant_id, user_id)
     JOIN ${withRule} ON of_merchant = asked.merchant_id AND of_user = asked.user_id
    ORDER BY alert_id DESC LIMIT 100`,
).rows<AlertRow>();
const countOfUsers = statement(
  'alert-store.count-of-users',
  `SELECT count(*)::int AS alerts FROM unnest($merchantIds::bigint[], $userIds::bigint[]) AS asked (merchant_id, user_id)
     JOIN alerts ON of_merchant = asked.merchant_id AND of_user = asked.user_id WHERE state <> 'dismissed'`,
).rows<{ alerts: number }>();
const lockOne = statement(
  'alert-store.lock',
  `SELECT ${columns} FROM ${withRule} WHERE alert_id = $alertId FOR UPDATE OF alert`,
).rows<AlertRow>();
const decideOne = statement(
  'alert-store.decide',
  `UPDATE alerts SET state = $state, case_id = $caseId, sealed_note = $sealedNote, decided_by = $decidedBy
    WHERE alert_id = $alertId AND state = 'open' RETURNING alert_id`,
).rows<{ alert_id: string }>();
const listTasks = statement(
  'alert-store.list-tasks',
  `SELECT alert_id, rule.kind, of_merchant, of_user, order_id,
          (extract(epoch FROM raised_at) * 1000000)::bigint::text AS at_micros
     FROM ${withRule}
    WHERE state = 'open'
      AND (raised_at, alert_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR alert_id = $only)
    ORDER BY raised_at, alert_id LIMIT $limit`,
).rows<Pick<AlertRow, 'alert_id' | 'kind' | 'of_merchant' | 'of_user' | 'order_id'> & { at_micros: string }>();

/** Returns false when the rule has raised an alert at this payment already. */
export async function addAlert(
  tx: Transaction,
  alertId: AlertId,
  rule: MonitoringRule,
  { movement, subject, facts, orderIds }: Found,
): Promise<boolean> {
  const rows = await tx.query(insertAlert, {
    alertId,
    ruleId: rule.ruleId,
    ruleVersion: rule.version,
    subject,
    ofMerchant: movement.merchantId,
    ofUser: movement.userId,
    orderId: movement.orderId,
    orderIds,
    facts: JSON.stringify(facts),
    paidAt: movement.paidAt,
  });
  return rows.length > 0;
}

/** When money came at which the rule raised its last alert, by subject. */
export async function listLastAlerts(
  database: Queryable,
  { ruleId }: MonitoringRule,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await database.query(listLast, { ruleId, subjects });
  return new Map(rows.map((row) => [row.subject, row.paid_at]));
}

export async function listAlerts(
  database: Queryable,
  states: readonly AlertState[],
  page: { readonly after: string; readonly limit: number },
): Promise<Alert[]> {
  return (await database.query(listPage, { states, after: page.after, limit: page.limit })).map(toAlert);
}

/** What these alerts found, each kind once. */
export async function kindsOfAlerts(database: Queryable, alertIds: readonly string[]): Promise<MonitoringKind[]> {
  return (await database.query(listKinds, { alertIds })).map(({ kind }) => kind);
}

/** How many alerts about these users nobody dismissed. */
export async function countAlertsOf(database: Queryable, users: readonly Account[]): Promise<number> {
  const [row] = await database.query(countOfUsers, {
    merchantIds: users.map((user) => user.merchantId),
    userIds: users.map((user) => user.userId),
  });
  return row?.alerts ?? 0;
}

/** The newest hundred at payments of these users, in whatever state. */
export async function listAlertsOf(database: Queryable, users: readonly Account[]): Promise<Alert[]> {
  const merchantIds = users.map((user) => user.merchantId);
  const userIds = users.map((user) => user.userId);
  return (await database.query(listOfUsers, { merchantIds, userIds })).map(toAlert);
}

export async function lockAlert(tx: Transaction, alertId: AlertId): Promise<Alert | undefined> {
  const [row] = await tx.query(lockOne, { alertId });
  return row && toAlert(row);
}

/** Returns false when it was decided already. */
export async function decideAlert(
  tx: Transaction,
  alertId: AlertId,
  decision: {
    readonly state: Exclude<AlertState, 'open'>;
    readonly caseId?: PublicId<'cas'>;
    readonly sealedNote?: Buffer;
    readonly decidedBy: OperatorId;
  },
): Promise<boolean> {
  const { state, caseId = null, sealedNote = null, decidedBy } = decision;
  return (await tx.query(decideOne, { alertId, state, caseId, sealedNote, decidedBy })).length > 0;
}

export async function listAlertTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, pageValues(page));
  return rows.map((row) => ({
    id: row.alert_id,
    merchantId: merchantId(row.of_merchant),
    sinceMicros: BigInt(row.at_micros),
    summary: `Look at an alert: ${row.kind.replaceAll('_', ' ')}. Dismiss it, or open a case.`,
    path: '/operator/alerts',
    orderId: row.order_id,
    userId: userId(row.of_user),
  }));
}

function toAlert(row: AlertRow): Alert {
  return {
    alertId: storedPublicId('alr', row.alert_id),
    ruleId: row.rule_id,
    kind: row.kind,
    merchantId: merchantId(row.of_merchant),
    userId: userId(row.of_user),
    orderId: row.order_id,
    orderIds: row.order_ids,
    facts: row.facts,
    state: row.state,
    caseId: row.case_id === null ? undefined : storedPublicId('cas', row.case_id),
    decidedBy: row.decided_by === null ? undefined : operatorId(row.decided_by),
    raisedAt: row.raised_at,
  };
}
