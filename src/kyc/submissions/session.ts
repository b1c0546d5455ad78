/** Decides whether a token opens a form, and loads its case. */

import { readLinkToken } from '../../hosted-pages/link-token.js';
import { findLicensee } from '../../licensee/service.js';
import type { Locale } from '../../locale.js';
import { findMerchantById } from '../../merchants/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { type FormProgress, type KycCase, progressOf } from '../cases/case.js';
import { findCaseById, lockCase } from '../cases/store.js';
import { type FormToken, findFormToken, refindFormToken } from './form-token-store.js';
import type { FormEnded, FormFrame } from './view.js';

/** A form that can be written to. */
export interface Session {
  readonly kind: 'session';
  readonly kycCase: KycCase;
  readonly formToken: FormToken;
  readonly frame: FormFrame;
  /** The user's retained key. */
  readonly key: Buffer;
}

const unknown = { kind: 'unknown' } as const;

/**
 * For writing: locks the user, then the case, in the order of an erasure, and reads the token only then. A second
 * change of a case within one transaction makes PostgreSQL check the user's row again. A transaction that had locked
 * only the case would then wait for an erasure that waits for the case: a deadlock.
 */
export async function enterSession(users: UserService, tx: Transaction, token: string): Promise<Session | FormEnded> {
  const place = readLinkToken(token);
  const known = place && (await findFormToken(tx, place, 'write'));
  if (!known || !(await users.hold(tx, known.merchantId, known.userId))) return unknown;
  const kycCase = await lockCase(tx, known.merchantId, known.caseId);
  return admit(users, tx, kycCase, await refindFormToken(tx, known));
}

/** For reading: locks nothing. */
export async function findSession(
  users: UserService,
  database: Queryable,
  token: string,
): Promise<Session | FormEnded> {
  const place = readLinkToken(token);
  const formToken = place && (await findFormToken(database, place, 'write'));
  if (!formToken) return unknown;
  const kycCase = await findCaseById(database, formToken.merchantId, formToken.caseId);
  // The form may have been submitted between the two reads; the token then knows that it was consumed.
  const hasMoved = kycCase !== undefined && endOf(progressOf(kycCase)) !== undefined;
  return admit(users, database, kycCase, hasMoved ? await refindFormToken(database, formToken) : formToken);
}

/** What every page shows of a case. Returns undefined when the merchant is not active or the user was deleted. */
export async function frameOf(
  database: Queryable,
  kycCase: KycCase,
  link: { readonly locale?: Locale | undefined; readonly redirectUrl?: string | undefined },
): Promise<FormFrame | undefined> {
  const [merchant, stored] = await Promise.all([
    findMerchantById(database, kycCase.merchantId),
    findLicensee(database),
  ]);
  if (merchant?.status !== 'active' || kycCase.isClosed) return undefined;
  const { name, branding, allowedOrigins } = merchant;
  const { state, reasons, isFinal } = progressOf(kycCase);
  const isHeld = kycCase.renewal !== undefined && kycCase.state === 'APPROVED';
  return {
    caseId: kycCase.caseId,
    level: kycCase.level,
    zone: kycCase.zone,
    state,
    merchant: { name: branding.displayName ?? name, branding, allowedOrigins, licensee: stored?.licensee },
    locale: link.locale,
    redirectUrl: link.redirectUrl,
    publicReasons: reasons,
    isFinal,
    heldUntil: isHeld ? kycCase.expiresAt : undefined,
  };
}

async function admit(
  users: UserService,
  database: Queryable,
  kycCase: KycCase | undefined,
  formToken: FormToken | undefined,
): Promise<Session | FormEnded> {
  if (!kycCase || !formToken) return unknown;
  const frame = await frameOf(database, kycCase, formToken);
  const key = frame && (await users.retainedKey(database, kycCase.merchantId, kycCase.userId));
  if (!frame || !key) return unknown;
  const ended = formToken.isConsumed ? 'submitted' : formToken.isExpired ? 'expired' : endOf(progressOf(kycCase));
  return ended ? { ...frame, kind: ended } : { kind: 'session', kycCase, formToken, frame, key };
}

function endOf({ state }: FormProgress): 'submitted' | 'held' | 'refused' | 'expired' | undefined {
  if (state === 'PENDING' || state === 'ACTION_REQUIRED') return undefined;
  if (state === 'APPROVED') return 'held';
  if (state === 'REJECTED' || state === 'REVOKED') return 'refused';
  return state === 'EXPIRED' ? 'expired' : 'submitted';
}
