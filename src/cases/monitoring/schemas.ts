/** The shapes of monitoring in the operator API. */
import Type from 'typebox';
import { PendingApprovalShape } from '../../http/four-eyes.js';
import { pageLimit, pageStart, severalOf, textOrNull, time } from '../../http/shapes.js';
import { alertStates } from './alert.js';
import { monitoringKinds } from './rule.js';

const whole = (description: string, maximum = 1_000_000_000) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));

const MonitoringParametersShape = Type.Object(
  {
    days: whole('All kinds: the window. Alerts about one person within it are one.', 365),
    minOrders: whole('`structuring`, `rapid_in_out`: from how many orders on.', 10_000),
    thresholdUsd: whole('`structuring`: the amount that orders stay below.'),
    withinPercent: whole('`structuring`: how much below it an order may be, in percent.', 100),
    hours: whole('`rapid_in_out`: within how many hours after it came money goes back.', 8760),
    minSenders: whole('`many_to_one`: from how many persons on who paid one account.', 10_000),
    minRecipients: whole('`one_to_many`: from how many accounts on that one person paid.', 10_000),
    factor: whole('`sudden_change`: how many times what is usual.', 1000),
    dormantDays: whole('`dormant_then_active`: for how many days nothing was paid.', 3650),
    minUsd: whole('`sudden_change`, `dormant_then_active`: from how many dollars in the window on.'),
    minCountries: whole('`geography`: from how many payout countries on.', 250),
  },
  { additionalProperties: false, description: 'The thresholds. Each kind has its own, all of them needed.' },
);

const kind = Type.Enum([...monitoringKinds], {
  description:
    'What is looked for, over all users of one person: `structuring` (several amounts a little below a threshold), `rapid_in_out` (money that comes and soon goes back), `many_to_one` (many persons pay one account), `one_to_many` (one person pays many accounts), `sudden_change` (far more than in the half year before), `dormant_then_active` (much after a long pause), `geography` (many payout countries).',
});
const parametersExample = { days: 7, minOrders: 3, thresholdUsd: 1000, withinPercent: 20 };
const from = Type.String({ format: 'date-time', description: 'The beginning of the period.' });
const until = Type.String({ format: 'date-time', description: 'The end of the period.' });

export const NewReplayShape = Type.Object(
  { kind, parameters: MonitoringParametersShape, from, until },
  {
    title: 'NewReplay',
    additionalProperties: false,
    examples: [
      {
        kind: 'structuring',
        parameters: parametersExample,
        from: '2025-11-15T00:00:00Z',
        until: '2026-11-15T00:00:00Z',
      },
    ],
  },
);

const FactsShape = Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]), {
  description: 'What was found.',
});
const ReportShape = Type.Object(
  {
    payments: Type.Integer({ description: 'How many payments were looked at.' }),
    alerts: Type.Integer({ description: 'How many alerts the rule would have raised.' }),
    subjects: Type.Integer({ description: 'How many persons or accounts they are about.' }),
    alertsByMonth: Type.Record(Type.String(), Type.Integer(), { description: 'How many alerts in each month.' }),
    examples: Type.Array(
      Type.Object({
        orderId: Type.String({ description: 'The order.' }),
        paidAt: time('When money came.'),
        facts: FactsShape,
      }),
      { description: 'The newest alerts.' },
    ),
  },
  { title: 'ReplayReport' },
);
export const ReplayShape = Type.Object(
  {
    replayId: Type.String({ description: 'The id of the replay. Enable the rule with it.' }),
    kind,
    parameters: MonitoringParametersShape,
    from: time('The beginning of the period.'),
    until: time('The end of the period.'),
    state: Type.Enum(['waiting', 'ready', 'failed'], {
      description: 'Whether the report is made. `failed`: three tries have failed, and the log says why.',
    }),
    report: Type.Union([ReportShape, Type.Null()], { description: 'What was found; null until it is ready.' }),
  },
  {
    title: 'Replay',
    examples: [
      {
        replayId: 'rpl_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
        kind: 'structuring',
        parameters: parametersExample,
        from: '2025-11-15T00:00:00.000Z',
        until: '2026-11-15T00:00:00.000Z',
        state: 'ready',
        report: {
          payments: 48_213,
          alerts: 12,
          subjects: 9,
          alertsByMonth: { '2026-10': 12 },
          examples: [
            {
              orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
              paidAt: '2026-10-03T09:41:00.000Z',
              facts: { orders: 4, usd: '3720.00', thresholdUsd: 1000, days: 7 },
            },
          ],
        },
      },
    ],
  },
);

const ruleExample = {
  ruleId: 'mon_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
  kind: 'structuring',
  parameters: parametersExample,
  isEnabled: true,
  replayId: 'rpl_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
  version: 2,
  updatedAt: '2026-11-15T09:41:00.000Z',
};
export const MonitoringRuleShape = Type.Object(
  {
    ruleId: Type.String({ description: 'The id of the rule.' }),
    kind,
    parameters: MonitoringParametersShape,
    isEnabled: Type.Boolean({ description: 'A disabled rule raises no alerts.' }),
    replayId: textOrNull('The replay with which it was enabled.'),
    version: Type.Integer({ description: 'Counts changes. Send it back with yours.' }),
    updatedAt: time('When the rule last changed.'),
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  { title: 'MonitoringRule', examples: [ruleExample] },
);
export const NewMonitoringRuleShape = Type.Object(
  { kind, parameters: MonitoringParametersShape },
  {
    title: 'NewMonitoringRule',
    additionalProperties: false,
    examples: [{ kind: 'structuring', parameters: parametersExample }],
  },
);
export const ChangedMonitoringRuleShape = Type.Object(
  {
    parameters: MonitoringParametersShape,
    isEnabled: Type.Boolean({ description: 'A rule is enabled with a replay of exactly these parameters.' }),
    replayId: Type.Optional(Type.String({ maxLength: 40, description: 'The replay.' })),
    version: Type.Integer({ minimum: 1, description: 'The version that you read.' }),
  },
  {
    title: 'ChangedMonitoringRule',
    additionalProperties: false,
    examples: [
      { parameters: parametersExample, isEnabled: true, replayId: 'rpl_7ZQ4M1K8V2T9X5B3N6H0C7D2FW', version: 1 },
    ],
  },
);

const alertExample = {
  alertId: 'alr_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
  ruleId: ruleExample.ruleId,
  kind: 'structuring',
  merchant: 'acme',
  userId: 241_958_564_297_829,
  orderIds: ['ord_0000013J8V2T9X5B3N6H0C7D2F'],
  facts: { orders: 4, usd: '3720.00', thresholdUsd: 1000, days: 7 },
  state: 'open',
  caseId: null,
  raisedAt: '2026-11-15T09:41:00.000Z',
};
export const AlertShape = Type.Object(
  {
    alertId: Type.String({ description: 'The id of the alert.' }),
    ruleId: Type.String({ description: 'The rule that raised it.' }),
    kind,
    merchant: Type.String({ description: 'The client id of the merchant of the user.' }),
    userId: Type.Integer({ description: 'The user whose payment raised it.' }),
    orderIds: Type.Array(Type.String(), { description: 'The orders that it is about, the newest last.' }),
    facts: FactsShape,
    state: Type.Enum([...alertStates], { description: 'An alert is dismissed, or becomes part of a case.' }),
    caseId: textOrNull('The case.'),
    raisedAt: time('When it was raised.'),
  },
  { title: 'Alert', examples: [alertExample] },
);
export const AlertQueryShape = Type.Object({
  state: Type.Optional(severalOf(alertStates, 'Only alerts in this state; `open` by default.')),
  after: pageStart('^alr_[0-9A-HJKMNP-TV-Z]{26}$'),
  limit: pageLimit(),
});
export const AlertNoteShape = Type.Object(
  { note: Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', description: 'Why. It is stored encrypted.' }) },
  { title: 'AlertNote', additionalProperties: false, examples: [{ note: 'A salary paid in parts.' }] },
);
