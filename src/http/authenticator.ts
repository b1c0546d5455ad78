/** Authenticates and authorises calls. The rooms that know tokens and users implement `Authenticator`. */
import type { Caller, MerchantCaller, OperatorRole, Scope, SelectedUser, UserCaller } from '../caller.js';
import { includesScope, mayAct } from '../caller.js';
import { invalidField, RemesaError, userNotFound } from '../errors.js';
import { type MerchantId, type OperatorId, type UserId, userId as userIdOf } from '../ids.js';
import type { Access, MerchantAccess } from './access.js';
import type { Route } from './route.js';

export type UserSelector = { readonly userId: UserId } | { readonly externalClientId: string };

export interface Authenticator {
  /** Undefined for every token that is not valid, whatever the reason. */
  authenticate(token: string): Promise<Caller | undefined>;
  /** Undefined for an unknown user, a deleted user and a user of another merchant. */
  findUser(merchantId: MerchantId, selector: UserSelector): Promise<SelectedUser | undefined>;
  /** The login of an operator, for the log. */
  readonly loginOf?: (operatorId: OperatorId) => string | undefined;
}

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

/**
 * Returns who calls; undefined for a route without a token. Throws `unauthorized` when the token is not valid, whatever
 * the reason.
 */
export async function identify(
  authenticator: Authenticator,
  access: Access,
  authorization: string | undefined,
): Promise<Caller | undefined> {
  if (access.token === 'none') return undefined;
  const token = bearer.exec(authorization ?? '')?.[1];
  const caller = token === undefined ? undefined : await authenticator.authenticate(token);
  const isExpectedKind = (caller?.kind === 'operator') === (access.token === 'operator');
  if (!caller || !isExpectedKind) throw unauthorized();
  return caller;
}

/**
 * Throws `scope_missing`, `role_missing`, `merchant_token_required` or `user_token_required` when the token does not
 * suffice, and `unauthorized` when it belongs to a deleted user.
 */
export async function permit(authenticator: Authenticator, route: Route, caller: Caller): Promise<void> {
  const refusal = refusalOf(caller, route);
  if (!refusal) return;
  if (caller.kind !== 'user') throw refusal;
  await refuseUser(authenticator, caller, refusal);
}

/** Throws `unauthorized` when the user has been deleted, and the given refusal otherwise. */
async function refuseUser(authenticator: Authenticator, caller: UserCaller, refusal: RemesaError): Promise<never> {
  const user = await authenticator.findUser(caller.merchantId, { userId: caller.userId });
  throw user === undefined ? unauthorized() : refusal;
}

function unauthorized(): RemesaError {
  return new RemesaError('unauthenticated', 'unauthorized', 'A valid access token is required.');
}

/** Undefined when the caller may do it. */
export function refusalOf(caller: Caller, route: Route): RemesaError | undefined {
  const { access } = route;
  if (caller.kind === 'operator') {
    const isEnough = access.token !== 'operator' || mayAct(caller, access.role);
    return isEnough ? undefined : roleMissing(access.role);
  }
  const { token, scope } = access as MerchantAccess;
  if (token === 'merchant' && caller.kind === 'user') {
    return new RemesaError('forbidden', 'merchant_token_required', 'This operation needs a merchant token.');
  }
  if (token === 'user' && caller.kind === 'merchant') {
    return new RemesaError('forbidden', 'user_token_required', 'This operation needs a user token.');
  }
  return includesScope(caller.scopes, needsOnlyReading(route) ? `${scope}.read` : scope)
    ? undefined
    : scopeMissing(scope);
}

/** Whether a token that may only read is enough. A document is fetched by GET, but made by that. */
export function needsOnlyReading({ method, kind, access }: Route): boolean {
  return method === 'GET' && kind !== 'document' && !('isSecret' in access && access.isSecret);
}

function roleMissing(requiredRole: OperatorRole): RemesaError {
  return new RemesaError('forbidden', 'role_missing', `This operation needs the role ${requiredRole}.`, {
    members: { requiredRole },
  });
}

export function scopeMissing(requiredScope: Scope): RemesaError {
  return new RemesaError('forbidden', 'scope_missing', `The token lacks the scope ${requiredScope}.`, {
    members: { requiredScope },
  });
}

/**
 * Returns the user that the call is about. Throws `unauthorized` when the token belongs to a deleted user,
 * `user_not_found`, `user_selector_conflict` or `user_not_selected`.
 */
export async function selectUser(
  authenticator: Authenticator,
  mode: MerchantAccess['user'],
  caller: MerchantCaller | UserCaller,
  query: Readonly<Record<string, unknown>>,
): Promise<SelectedUser | undefined> {
  const { merchantId } = caller;
  const named: (SelectedUser | undefined)[] = [];
  if (caller.kind === 'user') {
    const user = await authenticator.findUser(merchantId, { userId: caller.userId });
    if (user === undefined) throw unauthorized();
    named.push(user);
  }
  if (mode === 'none') return undefined;
  const selectors = readSelectors(query);
  for (const selector of selectors) named.push(await authenticator.findUser(merchantId, selector));
  if (named.includes(undefined)) throw userNotFound();
  const [user, ...others] = named;
  if (others.some((other) => other?.id !== user?.id)) {
    throw new RemesaError('invalid', 'user_selector_conflict', 'The call names two different users.');
  }
  if (user === undefined && mode === 'required') {
    throw new RemesaError(
      'invalid',
      'user_not_selected',
      'Name the user by a user token, or by the query parameter userId or externalClientId.',
    );
  }
  return user;
}

function readSelectors(query: Readonly<Record<string, unknown>>): UserSelector[] {
  const { userId, externalClientId } = query;
  const selectors: UserSelector[] = [];
  if (userId !== undefined) {
    if (typeof userId !== 'string' || !/^[1-9]\d{0,15}$/.test(userId) || !Number.isSafeInteger(Number(userId))) {
      throw invalidField('userId', 'wrong_format', 'must be one positive integer');
    }
    selectors.push({ userId: userIdOf(Number(userId)) });
  }
  if (externalClientId !== undefined) {
    if (typeof externalClientId !== 'string' || externalClientId === '' || externalClientId.includes('\0')) {
      throw invalidField('externalClientId', 'wrong_format', 'must be one identifier');
    }
    selectors.push({ externalClientId });
  }
  return selectors;
}
