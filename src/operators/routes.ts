/** What operators do with operators: log in and, for admins, make and change accounts. */
import Type from 'typebox';
import { operatorRoles } from '../caller.js';
import { runCommand } from '../http/command.js';
import { command, type Route, read } from '../http/route.js';
import type { Database } from '../postgres/database.js';
import { loginForm, longestPassword, type Operator, shortestPassword } from './operator.js';
import {
  changeOperator,
  createOperator,
  listOperators,
  type OperatorLogin,
  operatorTokenSeconds,
  recordLogin,
  setPassword,
} from './service.js';

const Login = Type.String({ pattern: loginForm, description: 'A name or an e-mail address, in lower case.' });
const Password = Type.String({
  minLength: shortestPassword,
  maxLength: longestPassword,
  description: 'The password.',
});
const Role = Type.Enum([...operatorRoles], {
  description: '`viewer` may look, `reviewer` also decides KYC cases, `admin` may do everything.',
});
const Status = Type.Enum(['active', 'disabled'], { description: 'A disabled operator cannot log in.' });

const OperatorRecord = Type.Object(
  {
    login: Type.String({ description: 'The login of the operator.' }),
    role: Role,
    status: Status,
    createdAt: Type.String({ format: 'date-time', description: 'When the account was created.' }),
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
    password: Type.String({ maxLength: longestPassword, description: 'Your password.' }),
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
const Params = Type.Object({ login: Type.String({ description: 'The login of the operator.' }) });

export function operatorRoutes(database: Database, login: OperatorLogin): Route[] {
  const described = { tag: 'Operators' } as const;
  const forAdmins = { ...described, access: { token: 'operator', role: 'admin' } } as const;
  return [
    read({
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
      async run(call) {
        const { operator, token } = await login.logIn(call.body.login, call.body.password, call.address);
        await runCommand(
          database,
          (tx) => recordLogin(tx, operator, call.requestId).then(() => ''),
          undefined,
        );
        return { accessToken: token, expiresIn: operatorTokenSeconds, role: operator.role };
      },
    }),
    read({
      ...forAdmins,
      method: 'GET',
      path: '/operator/operators',
      operationId: 'listOperators',
      summary: 'List all operators',
      returns: 'Every operator.',
      answer: Type.Array(OperatorRecord),
      run: async (_call, database) => (await listOperators(database)).map(encode),
    }),
    command({
      ...forAdmins,
      method: 'POST',
      path: '/operator/operators',
      operationId: 'createOperator',
      summary: 'Create an operator',
      returns: 'The new operator.',
      body: NewOperator,
      answer: OperatorRecord,
      refusals: ['login_taken'],
      async run(call, tx) {
        return encode(await createOperator(tx, { actor: call.caller, requestId: call.requestId }, call.body));
      },
    }),
    command({
      ...forAdmins,
      method: 'PATCH',
      path: '/operator/operators/{login}',
      operationId: 'changeOperator',
      summary: 'Change an operator’s role, status or password',
      description: 'The operator must log in again. The last active admin cannot be removed.',
      returns: 'The operator after the change.',
      params: Params,
      body: OperatorChange,
      answer: OperatorRecord,
      refusals: ['operator_not_found', 'last_admin'],
      async run(call, tx) {
        const by = { actor: call.caller, requestId: call.requestId };
        const { password, ...change } = call.body;
        if (password !== undefined) await setPassword(tx, by, call.params.login, password);
        return encode(await changeOperator(tx, by, call.params.login, change));
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
