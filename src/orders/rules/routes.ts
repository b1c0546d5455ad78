/** Routes for operators: the rules that put orders under review. */
import Type, { type Static } from 'typebox';
import { type FindPending, pendingField } from '../../http/four-eyes.js';
import { command, type Route, read } from '../../http/route.js';
import { ChangedRuleShape, NewRuleShape, RuleShape } from './schemas.js';
import {
  addReviewRule,
  changeReviewRule,
  listReviewRules,
  type RuleChange,
  recordOf,
  replacedRule,
  reviewRuleChange,
  type ShownRule,
} from './service.js';

const described = { tag: 'Orders for operators' } as const;
const forAdmins = {
  ...described,
  access: { token: 'operator', role: 'admin' },
  // Rules are the operator's, whichever merchant's orders they are for.
  subject: 'instance',
} as const;

export interface RuleRouteOptions {
  readonly findPending: FindPending;
  /** Makes this process know the change before the answer is sent. */
  readonly refresh: () => Promise<void>;
}

export function ruleRoutes({ findPending, refresh }: RuleRouteOptions): Route[] {
  return [listRoute(findPending), createRoute(refresh), changeRoute(refresh)];
}

function listRoute(findPending: FindPending): Route {
  return read({
    ...described,
    access: { token: 'operator', role: 'viewer' },
    method: 'GET',
    path: '/operator/rules',
    operationId: 'listReviewRules',
    summary: 'List the rules that put orders under review',
    returns: 'All rules, disabled ones included, the oldest first.',
    answer: Type.Array(RuleShape),
    async run(_call, database) {
      const found = await listReviewRules(database);
      const records = found.map(({ rule }) => recordOf(rule));
      const pending = await findPending(database, records);
      return found.map((shown) => ({
        ...encode(shown),
        ...pendingField(pending.get(recordOf(shown.rule))),
      }));
    },
  });
}

function createRoute(refresh: () => Promise<void>): Route {
  return command({
    ...forAdmins,
    method: 'POST',
    path: '/operator/rules',
    operationId: 'createReviewRule',
    summary: 'Add a rule that puts orders under review',
    description:
      'Takes effect at once, also for paid orders that wait. Needs no second operator, because a new rule can only stop more orders.',
    returns: 'The rule.',
    body: NewRuleShape,
    answer: RuleShape,
    refusals: ['merchant_not_found'],
    async run(call, tx) {
      const { kind, isEnabled = true, merchant, corridor, parameters } = call.body;
      return encode(await addReviewRule(tx, call.by, kind, { parameters, isEnabled, merchant, corridor }));
    },
    afterCommit: refresh,
  });
}

function changeRoute(refresh: () => Promise<void>): Route {
  return command({
    ...forAdmins,
    method: 'PUT',
    path: '/operator/rules/{id}',
    operationId: 'changeReviewRule',
    summary: 'Change or disable a rule',
    description:
      'Takes effect at once; orders in review stay there. The kind never changes: disable the rule and add another. Changing or disabling an enabled rule needs a second operator. Enabling a disabled rule without other changes does not.',
    fourEyes: {
      action: 'review_rule.change',
      review: (call, tx) => reviewRuleChange(tx, call.params.id, changeOf(call.body)),
      before: async (call, tx) => encode(await replacedRule(tx, call.params.id)),
    },
    returns: 'The rule after the change.',
    params: Type.Object({ id: Type.String({ description: 'The id of the rule.' }) }),
    body: ChangedRuleShape,
    answer: RuleShape,
    refusals: ['review_rule_not_found', 'merchant_not_found', 'version_conflict'],
    run: async (call, tx) => encode(await changeReviewRule(tx, call.by, call.params.id, changeOf(call.body))),
    afterCommit: refresh,
  });
}

function changeOf({ merchant, corridor, ...body }: Static<typeof ChangedRuleShape>): RuleChange {
  return { ...body, merchant: merchant ?? undefined, corridor: corridor ?? undefined };
}

function encode({ rule, clientId }: ShownRule): Static<typeof RuleShape> {
  const { ruleId, kind, parameters, corridor, isEnabled, version, updatedAt } = rule;
  return {
    ruleId,
    kind,
    parameters: { ...parameters },
    isEnabled,
    version,
    merchant: clientId ?? null,
    corridor: corridor ?? null,
    updatedAt: updatedAt.toISOString(),
  };
}
