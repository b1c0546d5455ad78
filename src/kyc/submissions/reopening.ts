/** Leads from an old link of a case into the parts that were requested again. */

import { hashLinkToken, newLinkToken, readLinkToken } from '../../hosted-pages/link-token.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { lockCase } from '../cases/store.js';
import { addFormToken, type FormToken, findFormToken } from './form-token-store.js';
import { frameOf } from './session.js';
import { isRequestedAgain } from './view.js';

/**
 * Makes a link to the parts that were requested again, for whoever has the link of a form that was sent, or of its
 * status. That link may have been kept or passed on, so the form shows nothing that was entered before. Returns
 * undefined when nothing is requested, or the link is too old.
 */
export async function reopenForm(
  users: UserService,
  tx: Transaction,
  purpose: FormToken['purpose'],
  token: string,
): Promise<string | undefined> {
  const place = readLinkToken(token);
  const known = place && (await findFormToken(tx, place, purpose));
  if (!known || !(await users.hold(tx, known.merchantId, known.userId))) return undefined;
  const kycCase = await lockCase(tx, known.merchantId, known.caseId);
  const isUsable = purpose === 'write' ? known.isConsumed : !known.isExpired;
  const frame = isUsable && kycCase && (await frameOf(tx, kycCase, known));
  if (!frame || !isRequestedAgain(frame)) return undefined;
  const { locale, redirectUrl } = known;
  const reopened = newLinkToken(known.merchantId);
  const tokenHash = hashLinkToken(reopened);
  await addFormToken(tx, kycCase, { purpose: 'write', tokenHash, locale, redirectUrl, isBlank: true });
  return reopened;
}
