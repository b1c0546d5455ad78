/** Routes for operators: monitoring rules, their replays, and alerts. */
import Type, { type Static } from 'typebox';
import { ListPage, nextPage } from '../../http/answers/answer.js';
import { readTime } from '../../http/body/read-time.js';
import { type FindPending, pendingField } from '../../http/four-eyes.js';
import { command, type Route, read } from '../../http/route.js';
import { namesIn } from '../../http/shapes.js';
import type { TenantId } from '../../ids.js';
import { clientIdsOf } from '../../merchants/service.js';
import type { Queryable } from '../../postgres/statement.js';
import { type Alert, alertStates } from './alert.js';
import type { StoredReplay } from './replay-store.js';
import type { MonitoringRule } from './rule.js';
import * as shapes from './schemas.js';
import { type MonitoringService, type RuleChange, recordOf } from './service.js';

const described = { tag: 'Monitoring', subject: 'instance' } as const;
const forReviewers = { ...described, access: { token: 'operator', role: 'reviewer' } } as const;
const forAdmins = { ...described, access: { token: 'operator', role: 'admin' } } as const;
const forViewers = { tag: 'Monitoring', access: { token: 'operator', role: 'viewer' } } as const;
const RulePath = Type.Object({ ruleId: Type.String({ description: 'The id of the rule.' }) });
const ReplayPath = Type.Object({ replayId: Type.String({ description: 'The id of the replay.' }) });
const AlertPath = Type.Object({ alertId: Type.String({ description: 'The id of the alert.' }) });

export function monitoringRoutes(monitoring: MonitoringService, findPending: FindPending): Route[] {
  return [
    replayRoute(monitoring),
    reportRoute(monitoring),
    listRoute(monitoring, findPending),
    addRoute(monitoring),
    changeRoute(monitoring),
    alertsRoute(monitoring),
    dismissRoute(monitoring),
  ];
}

function replayRoute(monitoring: MonitoringService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/rules/replay',
    operationId: 'replayMonitoringRule',
    summary: 'Replay a monitoring rule over the past',
    description:
      'Begins to go through the payments of the period, over all merchants. `GET /operator/rules/replays/{replayId}` has the report a moment later; a year of many payments takes minutes. Nothing is raised. Tune the parameters until the number of alerts is one that you can look at; then enable the rule with the replay.',
    returns: 'The replay, whose report is not made yet.',
    body: shapes.NewReplayShape,
    answer: shapes.ReplayShape,
    async run({ body, by }, tx) {
      const { kind, parameters } = body;
      const [from, until] = [readTime('from', body.from), readTime('until', body.until)];
      return encodeReplay(await monitoring.replay(tx, by, { kind, parameters }, from, until));
    },
  });
}

function reportRoute(monitoring: MonitoringService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/rules/replays/{replayId}',
    operationId: 'getReplay',
    summary: 'Get what a replay found',
    returns: 'The replay, with its report once it is ready.',
    params: ReplayPath,
    answer: shapes.ReplayShape,
    refusals: ['replay_not_found'],
    run: async ({ params }, database) => encodeReplay(await monitoring.findReplay(database, params.replayId)),
  });
}

function listRoute(monitoring: MonitoringService, findPending: FindPending): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/monitoring/rules',
    operationId: 'listMonitoringRules',
    summary: 'List the monitoring rules',
    returns: 'All rules, disabled ones included, the oldest first.',
    answer: Type.Array(shapes.MonitoringRuleShape),
    async run(_call, database) {
      const rules = await monitoring.list(database);
      const pending = await findPending(database, rules.map(recordOf));
      return rules.map((rule) => ({ ...encodeRule(rule), ...pendingField(pending.get(recordOf(rule))) }));
    },
  });
}

function addRoute(monitoring: MonitoringService): Route {
  return command({
    ...forAdmins,
    method: 'POST',
    path: '/operator/monitoring/rules',
    operationId: 'createMonitoringRule',
    summary: 'Add a monitoring rule',
    description: 'It is disabled until two people enable it with the report of a replay.',
    returns: 'The rule.',
    body: shapes.NewMonitoringRuleShape,
    answer: shapes.MonitoringRuleShape,
    run: async ({ body, by }, tx) => encodeRule(await monitoring.add(tx, by, body)),
  });
}

function changeRoute(monitoring: MonitoringService): Route {
  return command({
    ...forAdmins,
    method: 'PUT',
    path: '/operator/monitoring/rules/{ruleId}',
    operationId: 'changeMonitoringRule',
    summary: 'Change, enable or disable a monitoring rule',
    description:
      'Enabling needs a replay of exactly the parameters, and a second operator, who sees its report. So does every change of an enabled rule.',
    fourEyes: {
      action: 'monitoring_rule.change',
      review: (call, tx) => monitoring.reviewChange(tx, call.params.ruleId, changeOf(call.body)),
      async before(call, tx) {
        const { rule, replay } = await monitoring.replaced(tx, call.params.ruleId, changeOf(call.body));
        return { ...encodeRule(rule), replay: replay ? encodeReplay(replay) : null };
      },
    },
    returns: 'The rule after the change.',
    params: RulePath,
    body: shapes.ChangedMonitoringRuleShape,
    answer: shapes.MonitoringRuleShape,
    refusals: ['monitoring_rule_not_found', 'replay_missing', 'version_conflict'],
    run: async (call, tx) => encodeRule(await monitoring.change(tx, call.by, call.params.ruleId, changeOf(call.body))),
  });
}

function alertsRoute(monitoring: MonitoringService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/alerts',
    operationId: 'listAlerts',
    summary: 'List what the monitoring rules found',
    description: 'Contains nothing personal. The header `Link` names the next page.',
    returns: 'A page of alerts, by id.',
    query: shapes.AlertQueryShape,
    answer: Type.Array(shapes.AlertShape),
    async run({ query }, database) {
      const { state = 'open', after = '', limit = 50 } = query;
      const found = await monitoring.listAlerts(database, namesIn(alertStates, state) ?? [], { after, limit });
      const last = found.length === limit ? found.at(-1) : undefined;
      const items = await encodeAlerts(database, found);
      return new ListPage(items, last && nextPage('/operator/alerts', query, last.alertId));
    },
  });
}

function dismissRoute(monitoring: MonitoringService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/alerts/{alertId}/dismiss',
    operationId: 'dismissAlert',
    summary: 'Dismiss an alert',
    description: 'What it found has an ordinary reason. To look further, open a case with it instead.',
    returns: 'The dismissed alert.',
    params: AlertPath,
    body: shapes.AlertNoteShape,
    answer: shapes.AlertShape,
    refusals: ['alert_not_found', 'alert_decided'],
    async run({ params, body, by }, tx) {
      const [encoded] = await encodeAlerts(tx, [await monitoring.dismiss(tx, by, params.alertId, body.note)]);
      if (!encoded) throw new Error('an alert was not encoded');
      return encoded;
    },
  });
}

function changeOf({
  parameters,
  isEnabled,
  replayId,
  version,
}: Static<typeof shapes.ChangedMonitoringRuleShape>): RuleChange {
  return { parameters, isEnabled, replayId, version };
}

function encodeReplay(replay: StoredReplay): Static<typeof shapes.ReplayShape> {
  const { replayId, kind, parameters, state, from, until, report } = replay;
  return {
    replayId,
    kind,
    parameters: { ...parameters },
    state,
    from: from.toISOString(),
    until: until.toISOString(),
    report: report
      ? {
          payments: report.payments,
          alerts: report.alerts,
          subjects: report.subjects,
          alertsByMonth: { ...report.alertsByMonth },
          examples: report.examples.map((example) => ({ ...example, facts: { ...example.facts } })),
        }
      : null,
  };
}

function encodeRule(rule: MonitoringRule): Static<typeof shapes.MonitoringRuleShape> {
  const { ruleId, kind, parameters, isEnabled, replayId = null, version, updatedAt } = rule;
  return {
    ruleId,
    kind,
    parameters: { ...parameters },
    isEnabled,
    replayId,
    version,
    updatedAt: updatedAt.toISOString(),
  };
}

async function encodeAlerts(database: Queryable, alerts: readonly Alert[]) {
  const merchants = alerts.map(({ merchantId }): TenantId => merchantId);
  const clientIds = await clientIdsOf(database, merchants);
  return alerts.map(({ alertId, ruleId, kind, merchantId, userId, orderIds, facts, state, caseId, raisedAt }) => ({
    alertId,
    ruleId,
    kind,
    merchant: clientIds.get(merchantId) ?? '',
    userId,
    orderIds: [...orderIds],
    facts: { ...facts },
    state,
    caseId: caseId ?? null,
    raisedAt: raisedAt.toISOString(),
  }));
}
