/** Routes for admins: the accounts of operators. */
import Type, { type Static } from 'typebox';
import { type FindPending, pendingField } from '../http/four-eyes.js';
import { command, type Route, read } from '../http/route.js';
import { newOneTimeCode } from './password.js';
import { encodeOperator, InvitedShape, NewOperatorShape, OperatorChangeShape, OperatorShape } from './schemas.js';
import {
  accessOf,
  changeOperator,
  type InvitedOperator,
  inviteOperator,
  listOperators,
  recordOf,
  resetPassword,
  reviewChange,
  reviewReset,
} from './service.js';

export interface OperatorRouteOptions {
  readonly findPending: FindPending;
  /** How many active admins must stay. */
  readonly leastAdmins: number;
}

const forAdmins = { tag: 'Operators', access: { token: 'operator', role: 'admin' } } as const;
/** A login may be an e-mail address, so answers that contain one are stored encrypted. */
const idempotency = { keepForHours: 24, isSecret: true } as const;
const Params = Type.Object({ login: Type.String({ description: 'The login of the operator.' }) });

export function operatorRoutes(options: OperatorRouteOptions): Route[] {
  return [listRoute(options), createRoute(), changeRoute(options), resetRoute()];
}

function listRoute({ findPending }: OperatorRouteOptions): Route {
  return read({
    ...forAdmins,
    method: 'GET',
    path: '/operator/operators',
    operationId: 'listOperators',
    summary: 'List all operators',
    returns: 'Every operator.',
    answer: Type.Array(OperatorShape),
    async run(_call, database) {
      const operators = await listOperators(database);
      const pending = await findPending(database, operators.map(recordOf));
      return operators.map((operator) => ({
        ...encodeOperator(operator),
        ...pendingField(pending.get(recordOf(operator))),
      }));
    },
  });
}

function createRoute(): Route {
  return command({
    ...forAdmins,
    method: 'POST',
    path: '/operator/operators',
    operationId: 'createOperator',
    summary: 'Create an operator',
    description:
      'You get a one-time code and hand it over. Whoever has the account logs in with it and chooses a password. For 72 hours, neither of you can approve what the other asks for. Send an Idempotency-Key: if the answer is lost, the same request gets the same code again.',
    subject: 'instance',
    idempotency,
    fourEyes: {
      action: 'operator.create',
      hasSecretAnswer: true,
      // There is no record yet that could show it, or change.
      review: async ({ body }) => ({ subject: `login:${body.login}`, version: 'new', records: [] }),
    },
    returns: 'The new operator, with a one-time code.',
    body: NewOperatorShape,
    answer: InvitedShape,
    refusals: ['login_taken'],
    prepare: () => newOneTimeCode(),
    async run(call, tx, { code, codeHash }) {
      return encodeInvited(await inviteOperator(tx, call.by, { ...call.body, codeHash }), code);
    },
  });
}

function changeRoute({ leastAdmins }: OperatorRouteOptions): Route {
  return command({
    ...forAdmins,
    method: 'PATCH',
    path: '/operator/operators/{login}',
    operationId: 'changeOperator',
    summary: 'Change an operator’s role or status',
    subject: 'instance',
    idempotency,
    fourEyes: {
      action: 'operator.change',
      review: ({ params, body }, tx) => reviewChange(tx, params.login, body),
      before: ({ params }, tx) => accessOf(tx, params.login),
    },
    description:
      'The operator must log in again. You cannot change your own account. The last active admin cannot be removed; where actions need a second operator, the last two. What takes access away (a lower role, `disabled`) never waits for a second operator.',
    returns: 'The operator after the change.',
    params: Params,
    body: OperatorChangeShape,
    answer: OperatorShape,
    refusals: ['operator_not_found', 'own_account', 'last_admin'],
    async run(call, tx) {
      return encodeOperator(await changeOperator(tx, call.by, call.params.login, call.body, leastAdmins));
    },
  });
}

function resetRoute(): Route {
  return command({
    ...forAdmins,
    method: 'POST',
    path: '/operator/operators/{login}/reset-password',
    operationId: 'resetOperatorPassword',
    summary: 'Replace an operator’s password by a one-time code',
    description:
      'The password, the second factor and all tokens of the operator end. You get a one-time code and hand it over. For 72 hours, neither of you can approve what the other asks for. Send an Idempotency-Key: if the answer is lost, the same request gets the same code again.',
    subject: 'instance',
    idempotency,
    fourEyes: {
      action: 'operator.change',
      hasSecretAnswer: true,
      review: ({ params }, tx) => reviewReset(tx, params.login),
    },
    returns: 'The operator, with a one-time code.',
    params: Params,
    answer: InvitedShape,
    refusals: ['operator_not_found'],
    prepare: () => newOneTimeCode(),
    async run(call, tx, { code, codeHash }) {
      return encodeInvited(await resetPassword(tx, call.by, call.params.login, codeHash), code);
    },
  });
}

function encodeInvited({ operator, codeExpiresAt }: InvitedOperator, oneTimeCode: string): Static<typeof InvitedShape> {
  const expiresAt = codeExpiresAt.toISOString();
  return { ...encodeOperator(operator), hasChosenPassword: false, oneTimeCode, codeExpiresAt: expiresAt };
}
