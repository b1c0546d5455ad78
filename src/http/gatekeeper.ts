/** What the edge asks of the rooms: who holds this token, and which user a call is about. */
import type { Caller, MerchantCaller, OperatorRole, Scope, SelectedUser, UserCaller } from '../caller.js';
import { mayAct } from '../caller.js';
import { RemesaError, userNotFound } from '../errors.js';
import type { MerchantId, UserId } from '../ids.js';
import type { Access, MerchantAccess } from './access.js';

export type UserSelector = { readonly userId: UserId } | { readonly externalClientId: string };

export interface Gatekeeper {
  /** Undefined for every token that does not open anything, whatever the reason. Not async when it is remembered. */
  authenticate(token: string): Caller | undefined | Promise<Caller | undefined>;
  /** Undefined for unknown, deleted and another merchant's alike. */
  findUser(merchantId: MerchantId, selector: UserSelector): Promise<SelectedUser | undefined>;
}

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

/** The caller, or the one 401 that is the same for every cause. Not async where the gatekeeper is not. */
export function admit(
  gatekeeper: Gatekeeper,
  access: Access,
  authorization: string | undefined,
): Caller | undefined | Promise<Caller> {
  if (access.token === 'none') return undefined;
  const token = bearer.exec(authorization ?? '')?.[1];
  const found = token === undefined ? undefined : gatekeeper.authenticate(token);
  return found instanceof Promise
    ? found.then((caller) => authorized(gatekeeper, caller, access))
    : authorized(gatekeeper, found, access);
}

function authorized(
  gatekeeper: Gatekeeper,
  caller: Caller | undefined,
  access: Access,
): Caller | Promise<Caller> {
  const rightSide = (caller?.kind === 'operator') === (access.token === 'operator');
  if (!caller || !rightSide) throw unauthorized();
  const refusal = refusalOf(caller, access);
  if (!refusal) return caller;
  if (caller.kind !== 'user') throw refusal;
  return refuseUser(gatekeeper, caller, refusal);
}

/** The token of a user who is gone gets the 401 also where a user would have been refused anyway. */
async function refuseUser(gatekeeper: Gatekeeper, caller: UserCaller, refusal: RemesaError): Promise<never> {
  const user = await gatekeeper.findUser(caller.merchantId, { userId: caller.userId });
  throw user === undefined ? unauthorized() : refusal;
}

function unauthorized(): RemesaError {
  return new RemesaError('unauthenticated', 'unauthorized', 'A valid access token is required.');
}

function refusalOf(caller: Caller, access: Access): RemesaError | undefined {
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
  return caller.scopes.has(scope) ? undefined : scopeMissing(scope);
}

function roleMissing(requiredRole: OperatorRole): RemesaError {
  return new RemesaError('forbidden', 'role_missing', `This operation needs the role ${requiredRole}.`, {
    members: { requiredRole },
  });
}

function scopeMissing(requiredScope: Scope): RemesaError {
  return new RemesaError('forbidden', 'scope_missing', `The token lacks the scope ${requiredScope}.`, {
    members: { requiredScope },
  });
}

/** The user that a call is about: never a guess. The token of a user who is gone opens nothing, from that moment on. */
export async function selectUser(
  gatekeeper: Gatekeeper,
  mode: MerchantAccess['user'],
  caller: MerchantCaller | UserCaller,
  query: Readonly<Record<string, unknown>>,
): Promise<SelectedUser | undefined> {
  const { merchantId } = caller;
  const named: (SelectedUser | undefined)[] = [];
  if (caller.kind === 'user') {
    const user = await gatekeeper.findUser(merchantId, { userId: caller.userId });
    if (user === undefined) throw unauthorized();
    named.push(user);
  }
  if (mode === 'none') return undefined;
  const selectors = readSelectors(query);
  for (const selector of selectors) named.push(await gatekeeper.findUser(merchantId, selector));
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
    if (
      typeof userId !== 'string' ||
      !/^[1-9]\d{0,15}$/.test(userId) ||
      !Number.isSafeInteger(Number(userId))
    ) {
      throw malformedSelector('userId', 'must be one positive integer');
    }
    selectors.push({ userId: Number(userId) as UserId });
  }
  if (externalClientId !== undefined) {
    if (typeof externalClientId !== 'string' || externalClientId === '' || externalClientId.includes('\0')) {
      throw malformedSelector('externalClientId', 'must be one identifier');
    }
    selectors.push({ externalClientId });
  }
  return selectors;
}

function malformedSelector(field: string, message: string): RemesaError {
  return new RemesaError('invalid', 'invalid_fields', `${field}: ${message}`, {
    errors: [{ field, code: 'wrong_format', message }],
  });
}
