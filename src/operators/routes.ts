/** Routes for operators: log in, log out and, for admins, manage accounts. */

import Type from 'typebox';
import { operatorRoles } from '../caller.js';
import { type FindPending, PendingApprovalShape, pendingField } from '../http/four-eyes.js';
import { command, type Route, read } from '../http/route.js';
import { time } from '../http/shapes.js';
import { type OperatorLogin, operatorTokenSeconds } from './login.js';
import { loginForm, maxPasswordLength, minPasswordLength, type Operator } from './operator.js';
import { hashPassword } from './password.js';
import {
  changeOperator,
  createOperator,
  listOperators,
  logOut,
  recordLogin,
  recordOf,
  reviewChange,
} from './service.js';

const Login = Type.String({ pattern: loginForm, description: 'A name or an e-mail address, in lower case.' });
const Password = Type.String({
  minLength: minPasswordLength,
  maxLength: maxPasswordLength,
  description: 'The password.',
  // Hidden from the operator who approves the request.
  writeOnly: true,
});
const Role = Type.Enum([...operatorRoles], {
  description:
    '`viewer` may read. `reviewer` may also see personal data, decide cases and orders, and record payments. `admin` may do everything.',
});
const Status = Type.Enum(['active', 'disabled'], { description: 'A disabled operator cannot log in.' });

const OperatorRecord = Type.Object(
  {
    login: Type.String({ description: 'The login of the operator.' }),
    role: Role,
    status: Status,
    createdAt: time('When the account was created.'),
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  {
    title: 'Operator',
    examples: [{ login: 'ana', role: 'admin', status: 'active', createdAt: '2026-11-15T09:30:00.000Z' }],
  },
);
const NewOperator = Type.Object(
  { login: Login, password: Password, role: Role },
  {
    title: 'NewOperator',
    additionalProperties: false,
    examples: [{ login: 'ana', password: 'correct horse battery', role: 'reviewer' }],
  },
);
const OperatorChange = Type.Object(
  {
    role: Type.Optional(Role),
    status: Type.Optional(Status),
    password: Type.Optional(Password),
  },
  { title: 'OperatorChange', additionalProperties: false, examples: [{ role: 'viewer' }] },
);
const LoginRequest = Type.Object(
  {
    login: Type.String({ maxLength: 120, description: 'Your login.' }),
    password: Type.String({ maxLength: maxPasswordLength, description: 'Your password.' }),
  },
  {
    title: 'LoginRequest',
    additionalProperties: false,
    examples: [{ login: 'ana', password: 'correct horse battery' }],
  },
);
const LoginAnswer = Type.Object(
  {
    accessToken: Type.String({ description: 'The token. Send it as `Authorization: Bearer …`.' }),
    expiresIn: Type.Integer({ description: 'Its lifetime in seconds.' }),
    role: Role,
  },
  {
    title: 'LoginAnswer',
    examples: [{ accessToken: 'eyJhbGciOiJFZERTQSIs…', expiresIn: 3600, role: 'admin' }],
  },
);
/** A login may be an e-mail address, so answers that contain one are stored encrypted. */
const idempotency = { keepForHours: 24, isSecret: true } as const;
const Params = Type.Object({ login: Type.String({ description: 'The login of the operator.' }) });

export function operatorRoutes(login: OperatorLogin, findPending: FindPending): Route[] {
  const described = { tag: 'Operators' } as const;
  const forAdmins = { ...described, access: { token: 'operator', role: 'admin' } } as const;
  return [
    command({
      ...described,
      method: 'POST',
      path: '/operator/login',
      operationId: 'logIn',
      summary: 'Log in as an operator',
      returns: 'A token, and the operator’s role.',
      access: { token: 'none' },
      body: LoginRequest,
      answer: LoginAnswer,
      refusals: ['unauthorized', 'rate_limited', 'outcome_unknown'],
      // The answer contains a token, which must not be stored.
      idempotency: false,
      prepare: ({ body, address, requestId }) => login.logIn({ ...body, address, requestId }),
      async run(call, tx, { operator, token }) {
        await recordLogin(tx, operator, call.requestId);
        return { accessToken: token, expiresIn: operatorTokenSeconds, role: operator.role };
      },
    }),
    command({
      ...described,
      method: 'POST',
      path: '/operator/logout',
      operationId: 'logOut',
      summary: 'Log out as an operator',
      description:
        'Revokes the token of this call. Takes effect on every node within 5 seconds. Other logins of the same operator stay valid.',
      returns: 'The token is revoked.',
      access: { token: 'operator', role: 'viewer' },
      idempotency: false,
      run: (call, tx) => logOut(tx, call.caller, call.requestId),
    }),
    read({
      ...forAdmins,
      method: 'GET',
      path: '/operator/operators',
      operationId: 'listOperators',
      summary: 'List all operators',
      returns: 'Every operator.',
      answer: Type.Array(OperatorRecord),
      async run(_call, database) {
        const operators = await listOperators(database);
        const pending = await findPending(database, operators.map(recordOf));
        return operators.map((operator) => ({
          ...encode(operator),
          ...pendingField(pending.get(recordOf(operator))),
        }));
      },
    }),
    command({
      ...forAdmins,
      method: 'POST',
      path: '/operator/operators',
      operationId: 'createOperator',
      summary: 'Create an operator',
      subject: 'instance',
      idempotency,
      fourEyes: {
        action: 'operator.create',
        // There is no record yet that could show it, or change.
        review: async ({ body }) => ({ subject: `login:${body.login}`, version: 'new', records: [] }),
      },
      returns: 'The new operator.',
      body: NewOperator,
      answer: OperatorRecord,
      refusals: ['login_taken'],
      prepare: ({ body }) => hashPassword(body.password),
      async run(call, tx, passwordHash) {
        const { login, role } = call.body;
        return encode(await createOperator(tx, call.by, { login, role, passwordHash }));
      },
    }),
    command({
      ...forAdmins,
      method: 'PATCH',
      path: '/operator/operators/{login}',
      operationId: 'changeOperator',
      summary: 'Change an operator’s role, status or password',
      subject: 'instance',
      idempotency,
      fourEyes: {
        action: 'operator.change',
        review: ({ params, body }, tx) => reviewChange(tx, params.login, body),
      },
      description:
        'The operator must log in again. The last active admin cannot be removed. What takes access away (a lower role, `disabled`) never waits for a second operator.',
      returns: 'The operator after the change.',
      params: Params,
      body: OperatorChange,
      answer: OperatorRecord,
      refusals: ['operator_not_found', 'last_admin'],
      prepare: async ({ body }) => (body.password === undefined ? undefined : hashPassword(body.password)),
      async run(call, tx, passwordHash) {
        const { password: _, ...change } = call.body;
        const withPassword = passwordHash === undefined ? change : { ...change, passwordHash };
        return encode(await changeOperator(tx, call.by, call.params.login, withPassword));
      },
    }),
  ];
}

function encode(operator: Operator): {
  login: string;
  role: Operator['role'];
  status: Operator['status'];
  createdAt: string;
} {
  const { login, role, status, createdAt } = operator;
  return { login, role, status, createdAt: createdAt.toISOString() };
}
