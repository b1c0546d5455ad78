/** Routes for every operator: log in, log out, look at the own account, change the own password. */
import { RemesaError } from '../errors.js';
import { command, type Route, read } from '../http/route.js';
import { type OperatorLogin, operatorTokenSeconds } from './login.js';
import { lacksSecondFactor } from './operator.js';
import { encodeOperator, LoginAnswerShape, LoginRequestShape, OperatorShape, PasswordChangeShape } from './schemas.js';
import { isWrongCode, type SecondFactors } from './second-factor/second-factors.js';
import { choosePassword, getOperator, logOut, recordLogin, recordWrongCode } from './service.js';

const described = { tag: 'Operators' } as const;
const own = { ...described, access: { token: 'operator', role: 'viewer' } } as const;

export interface OwnRouteOptions {
  readonly login: OperatorLogin;
  readonly secondFactors: SecondFactors;
  readonly mode: 'sandbox' | 'live';
}

export function ownRoutes(options: OwnRouteOptions): Route[] {
  const { login } = options;
  return [loginRoute(options), logoutRoute(), meRoute(), passwordRoute(login)];
}

function loginRoute({ login, secondFactors, mode }: OwnRouteOptions): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/operator/login',
    operationId: 'logIn',
    summary: 'Log in as an operator',
    description:
      'The first time, send your one-time code as `password` and the password of your choice as `newPassword`. With a second factor, send the code of your app as `code`. Admins of a live instance need one, which they set up in the console. After five wrong passwords the login is locked for your address for five minutes.',
    returns: 'A token, and the operator’s role.',
    access: { token: 'none' },
    body: LoginRequestShape,
    answer: LoginAnswerShape,
    refusals: [
      'unauthorized',
      'password_required',
      'second_factor_required',
      'second_factor_not_set',
      'code_expired',
      'rate_limited',
      'outcome_unknown',
    ],
    // The answer contains a token, which must not be stored.
    idempotency: false,
    async prepare({ body: { newPassword, code: _, ...body }, address, requestId }) {
      const checked = await login.check({ ...body, address, requestId }, newPassword);
      if (lacksSecondFactor(mode, checked.operator)) throw secondFactorNotSet();
      return checked;
    },
    async run({ requestId, body }, tx, { operator, notBefore, chosen }) {
      if (operator.hasSecondFactor) await secondFactors.check(tx, operator.operatorId, codeIn(body));
      const by = {
        actor: { kind: 'operator', operatorId: operator.operatorId, role: operator.role },
        requestId,
      } as const;
      const issuedAfter = chosen ? await choosePassword(tx, by, operator, chosen) : notBefore;
      await recordLogin(tx, by, { ...operator, version: chosen ? undefined : operator.version });
      const accessToken = await login.issue(operator, issuedAfter);
      return { accessToken, expiresIn: operatorTokenSeconds, role: operator.role };
    },
    async onRefused({ body, address, requestId }, error, tx) {
      if (isWrongCode(error)) await recordWrongCode(tx, body.login, { address, requestId });
    },
  });
}

function secondFactorNotSet(): RemesaError {
  const message =
    'Admins of a live instance need a second factor. Sign in at /console, set it up, and log in with its code.';
  return new RemesaError('forbidden', 'second_factor_not_set', message);
}

/** Throws `second_factor_required`. */
function codeIn({ code }: { readonly code?: string }): string {
  if (code !== undefined) return code;
  const message = 'Send the code of your authenticator app as `code`.';
  throw new RemesaError('forbidden', 'second_factor_required', message);
}

function logoutRoute(): Route {
  return command({
    ...own,
    method: 'POST',
    path: '/operator/logout',
    operationId: 'logOut',
    summary: 'Log out as an operator',
    description:
      'Revokes the token of this call. Takes effect on every node within 5 seconds. Other logins of the same operator stay valid.',
    returns: 'The token is revoked.',
    idempotency: false,
    run: (call, tx) => logOut(tx, call.caller, call.requestId),
  });
}

function meRoute(): Route {
  return read({
    ...own,
    method: 'GET',
    path: '/operator/me',
    operationId: 'getOwnAccount',
    summary: 'Get your own account',
    returns: 'Your account.',
    answer: OperatorShape,
    refusals: ['operator_not_found'],
    run: async (call, database) => encodeOperator(await getOperator(database, call.caller.operatorId)),
  });
}

function passwordRoute(login: OperatorLogin): Route {
  return command({
    ...own,
    method: 'POST',
    path: '/operator/me/password',
    operationId: 'changeOwnPassword',
    summary: 'Change your own password',
    description: 'All your tokens end, also the one of this call: log in with the new password. Nobody approves it.',
    returns: 'The password is changed.',
    body: PasswordChangeShape,
    refusals: ['password_wrong'],
    idempotency: false,
    prepare({ caller, body, address, requestId }) {
      return login.checkCurrent(caller, { password: body.currentPassword, address, requestId }, body.newPassword);
    },
    async run({ caller, by }, tx, chosen) {
      await choosePassword(tx, by, caller, chosen);
    },
  });
}
