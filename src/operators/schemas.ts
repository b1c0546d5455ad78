/** The shapes of operators on the wire. */
import Type, { type Static } from 'typebox';
import { operatorRoles } from '../caller.js';
import { PendingApprovalShape } from '../http/four-eyes.js';
import { time } from '../http/shapes.js';
import { loginForm, maxPasswordLength, minPasswordLength, type Operator } from './operator.js';

const Login = Type.String({ pattern: loginForm, description: 'A name or an e-mail address, in lower case.' });
const Role = Type.Enum([...operatorRoles], {
  description:
    '`viewer` may read. `reviewer` may also see personal data, decide cases and orders, and record payments. `admin` may do everything.',
});
const Status = Type.Enum(['active', 'disabled'], { description: 'A disabled operator cannot log in.' });
const newPassword = (description: string) =>
  Type.String({ minLength: minPasswordLength, maxLength: maxPasswordLength, description, writeOnly: true });

const operatorFields = {
  login: Type.String({ description: 'The login of the operator.' }),
  role: Role,
  status: Status,
  createdAt: time('When the account was created.'),
  hasChosenPassword: Type.Boolean({
    description: 'False while a one-time code waits to be exchanged for a password.',
  }),
  lastLoginAt: Type.Union([time('When the operator last logged in.'), Type.Null()], {
    description: 'When the operator last logged in; null: never.',
  }),
  failedLogins: Type.Integer({ description: 'How many logins have failed since the last one that did not.' }),
  lastFailedAt: Type.Union([time('When a login last failed.'), Type.Null()], {
    description: 'When a login last failed; null: never.',
  }),
};
const operatorExample = {
  login: 'ana',
  role: 'admin',
  status: 'active',
  createdAt: '2026-11-15T09:30:00.000Z',
  hasChosenPassword: true,
  lastLoginAt: '2026-11-18T08:02:00.000Z',
  failedLogins: 0,
  lastFailedAt: null,
};

export const OperatorShape = Type.Object(
  { ...operatorFields, pendingApproval: Type.Optional(PendingApprovalShape) },
  { title: 'Operator', examples: [operatorExample] },
);
export const InvitedShape = Type.Object(
  {
    ...operatorFields,
    oneTimeCode: Type.String({
      description: 'Shown once. Hand it to the operator, who exchanges it for a password by logging in.',
    }),
    codeExpiresAt: time('Until when the code works.'),
  },
  {
    title: 'InvitedOperator',
    examples: [
      {
        ...operatorExample,
        login: 'carla',
        hasChosenPassword: false,
        lastLoginAt: null,
        oneTimeCode: 'hB3sV0fQ1kZ8xN4mT7pR',
        codeExpiresAt: '2026-11-16T09:30:00.000Z',
      },
    ],
  },
);
export const NewOperatorShape = Type.Object(
  { login: Login, role: Role },
  { title: 'NewOperator', additionalProperties: false, examples: [{ login: 'ana', role: 'reviewer' }] },
);
export const OperatorChangeShape = Type.Object(
  { role: Type.Optional(Role), status: Type.Optional(Status) },
  { title: 'OperatorChange', additionalProperties: false, examples: [{ role: 'viewer' }] },
);
export const LoginRequestShape = Type.Object(
  {
    login: Type.String({ maxLength: 120, description: 'Your login.' }),
    password: Type.String({ maxLength: maxPasswordLength, description: 'Your password, or your one-time code.' }),
    code: Type.Optional(
      Type.String({ maxLength: 20, description: 'With a second factor: the code that your app shows.' }),
    ),
    newPassword: Type.Optional(newPassword('With a one-time code: the password that you choose.')),
  },
  {
    title: 'LoginRequest',
    additionalProperties: false,
    examples: [{ login: 'ana', password: 'correct horse battery' }],
  },
);
export const LoginAnswerShape = Type.Object(
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
export const PasswordChangeShape = Type.Object(
  {
    currentPassword: Type.String({
      maxLength: maxPasswordLength,
      description: 'Your password until now.',
      writeOnly: true,
    }),
    newPassword: newPassword('The password that you choose.'),
  },
  {
    title: 'PasswordChange',
    additionalProperties: false,
    examples: [{ currentPassword: 'correct horse battery', newPassword: 'another horse battery' }],
  },
);

export function encodeOperator(operator: Operator): Omit<Static<typeof OperatorShape>, 'pendingApproval'> {
  const { login, role, status, createdAt, codeExpiresAt, lastLoginAt, failedLogins, lastFailedAt } = operator;
  return {
    login,
    role,
    status,
    createdAt: createdAt.toISOString(),
    hasChosenPassword: codeExpiresAt === undefined,
    lastLoginAt: lastLoginAt?.toISOString() ?? null,
    failedLogins,
    lastFailedAt: lastFailedAt?.toISOString() ?? null,
  };
}
