/** Whether a token opens a form, and for whom. */
import { findMerchantById } from '../../merchants/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { KycCase } from '../case.js';
import { findCaseById, lockCase } from '../store.js';
import { hashCapability } from './form-token.js';
import { type Capability, findCapability, refindCapability } from './form-token-store.js';
import type { FormEnded, FormFrame, Locale } from './view.js';

/** A form that can be written to. */
export interface Session {
  readonly kind: 'session';
  readonly one: KycCase;
  readonly capability: Capability;
  readonly frame: FormFrame;
  /** The user's retained key. */
  readonly key: Buffer;
}

const unknown = { kind: 'unknown' } as const;

/**
 * To write: locks first the user, then the case, as an erasure does, and only then believes what the token says. The
 * second change of a case within one transaction has PostgreSQL look at the user's row again (the row it changes is then
 * of its own making), so whoever had the case only would wait for the erasure that waits for him.
 */
export async function enterSession(
  users: UserService,
  tx: Transaction,
  token: string,
): Promise<Session | FormEnded> {
  const tokenHash = hashCapability(token);
  const known = tokenHash && (await findCapability(tx, tokenHash, 'write'));
  if (!known || !(await users.hold(tx, known.merchantId, known.userId))) return unknown;
  const one = await lockCase(tx, known.merchantId, known.caseId);
  return admit(users, tx, one, await refindCapability(tx, known));
}

/** To look. */
export async function findSession(
  users: UserService,
  database: Queryable,
  token: string,
): Promise<Session | FormEnded> {
  const tokenHash = hashCapability(token);
  const capability = tokenHash && (await findCapability(database, tokenHash, 'write'));
  if (!capability) return unknown;
  const one = await findCaseById(database, capability.merchantId, capability.caseId);
  // Sent between the two looks, the form must not be told from one that was never open.
  const hasMoved = one !== undefined && endOf(one) !== undefined;
  return admit(users, database, one, hasMoved ? await refindCapability(database, capability) : capability);
}

/** What a page shows of a case, whoever looks. Undefined when the merchant is not served now, or the user is gone. */
export async function frameOf(
  database: Queryable,
  one: KycCase,
  link: { readonly locale?: Locale | undefined; readonly redirectUrl?: string | undefined },
): Promise<FormFrame | undefined> {
  const merchant = await findMerchantById(database, one.merchantId);
  if (merchant?.status !== 'active' || one.isClosed) return undefined;
  const { name, branding, allowedOrigins } = merchant;
  return {
    caseId: one.caseId,
    level: one.level,
    zone: one.zone,
    state: one.state,
    merchant: { name: branding.displayName ?? name, branding, allowedOrigins },
    locale: link.locale,
    redirectUrl: link.redirectUrl,
    publicReasons: one.reasons,
    isFinal: one.isFinal,
  };
}

async function admit(
  users: UserService,
  database: Queryable,
  one: KycCase | undefined,
  capability: Capability | undefined,
): Promise<Session | FormEnded> {
  if (!one || !capability) return unknown;
  const frame = await frameOf(database, one, capability);
  const key = frame && (await users.retainedKey(database, one.merchantId, one.userId));
  if (!frame || !key) return unknown;
  const ended = capability.isConsumed ? 'submitted' : capability.isExpired ? 'expired' : endOf(one);
  return ended ? { ...frame, kind: ended } : { kind: 'session', one, capability, frame, key };
}

function endOf({ state }: KycCase): 'submitted' | 'held' | 'refused' | 'expired' | undefined {
  if (state === 'PENDING' || state === 'ACTION_REQUIRED') return undefined;
  if (state === 'APPROVED') return 'held';
  if (state === 'REJECTED' || state === 'REVOKED') return 'refused';
  return state === 'EXPIRED' ? 'expired' : 'submitted';
}
