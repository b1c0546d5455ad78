/** SQL on invitations of recipients. */
import type { BeneficiaryId } from '../../beneficiaries/beneficiary.js';
import type { TokenPlace } from '../../hosted-pages/link-token.js';
import { type MerchantId, merchantId, storedPublicId, type UserId, userId } from '../../ids.js';
import type { Locale } from '../../locale.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { MerchantSweep } from '../../worker/by-merchant.js';
import { type Invitation, type InvitationId, rememberedDays, trackingDays } from './invitation.js';

interface InvitationRow {
  merchant_id: bigint;
  invitation_id: string;
  user_id: bigint;
  country: string;
  currency: string;
  method: Invitation['method'];
  type: Invitation['type'];
  locale: Locale | null;
  beneficiary_id: string | null;
  created_at: Date;
  expires_at: Date;
  completed_at: Date | null;
  shows_from: Date | null;
  withdrawn_at: Date | null;
  is_expired: boolean;
}

const stored =
  'merchant_id, invitation_id, user_id, country, currency, method, type, locale, beneficiary_id, created_at, expires_at, completed_at, shows_from, withdrawn_at' as const;
const columns = `${stored}, expires_at <= statement_timestamp() AS is_expired` as const;
const insert = statement(
  'invitation-store.insert',
  `INSERT INTO recipient_invitations (merchant_id, invitation_id, token_hash, user_id, country, currency, method, type,
     locale, created_at, expires_at)
   SELECT $merchantId, $invitationId, $tokenHash, $userId, $country, $currency, $method, $type, $locale, now.at,
     now.at + make_interval(days => $days)
     FROM (SELECT date_trunc('milliseconds', statement_timestamp()) AS at) AS now
   RETURNING ${stored}, false AS is_expired`,
).rows<InvitationRow>();
const findByToken = statement(
  'invitation-store.find-by-token',
  `SELECT ${columns} FROM recipient_invitations WHERE merchant_id = $merchantId AND token_hash = $tokenHash`,
).rows<InvitationRow>();
const listOfUser = statement(
  'invitation-store.list-of-user',
  `SELECT ${columns} FROM recipient_invitations WHERE merchant_id = $merchantId AND user_id = $userId
    ORDER BY created_at DESC, invitation_id LIMIT $atMost`,
).rows<InvitationRow>();
const withdraw = statement(
  'invitation-store.withdraw',
  `UPDATE recipient_invitations SET withdrawn_at = date_trunc('milliseconds', statement_timestamp())
    WHERE merchant_id = $merchantId AND invitation_id = $invitationId AND user_id = $userId AND withdrawn_at IS NULL
   RETURNING invitation_id`,
).rows<{ invitation_id: string }>();
const complete = statement(
  'invitation-store.complete',
  `UPDATE recipient_invitations SET beneficiary_id = $beneficiaryId, completed_at = now.at,
          expires_at = now.at + make_interval(days => $trackingDays),
          shows_from = CASE WHEN $isTracked::boolean THEN now.by_merchant END
     FROM (SELECT date_trunc('milliseconds', statement_timestamp()) AS at, ${merchantNow} AS by_merchant) AS now
    WHERE merchant_id = $merchantId AND invitation_id = $invitationId AND completed_at IS NULL
      AND withdrawn_at IS NULL AND expires_at > now.at
   RETURNING invitation_id`,
).rows<{ invitation_id: string }>();
const deleteOfUser = statement(
  'invitation-store.delete-of-user',
  'DELETE FROM recipient_invitations WHERE merchant_id = $merchantId AND user_id = $userId',
);
const listMerchantsToSweep = statement(
  'invitation-store.list-merchants-to-sweep',
  `SELECT merchant_id FROM (
     SELECT merchant_id, expires_at FROM recipient_invitations
      WHERE expires_at < statement_timestamp() - make_interval(days => $rememberedDays)
        ORDER BY expires_at LIMIT $limit) AS due
   GROUP BY merchant_id ORDER BY min(expires_at)`,
).rows<{ merchant_id: bigint }>();
const sweep = statement(
  'invitation-store.sweep',
  `DELETE FROM recipient_invitations WHERE merchant_id = $merchantId AND invitation_id = ANY (ARRAY(
     SELECT invitation_id FROM recipient_invitations
      WHERE merchant_id = $merchantId
        AND expires_at < statement_timestamp() - make_interval(days => $rememberedDays)
      LIMIT $limit FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS swept`,
).rows<{ swept: number }>();

export interface Owner {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
}

export interface NewInvitation
  extends Pick<Invitation, 'merchantId' | 'invitationId' | 'userId' | 'country' | 'currency' | 'method' | 'type'> {
  readonly tokenHash: Buffer;
  readonly locale: Locale | undefined;
  readonly days: number;
}

export async function addInvitation(tx: Transaction, invitation: NewInvitation): Promise<Invitation> {
  const [row] = await tx.query(insert, { ...invitation, locale: invitation.locale ?? null });
  if (!row) throw new Error('the invitation was not written');
  return toInvitation(row);
}

export async function findInvitation(database: Queryable, place: TokenPlace): Promise<Invitation | undefined> {
  const [row] = await database.query(findByToken, place);
  return row && toInvitation(row);
}

/** The newest first. */
export async function listInvitationsOf(
  database: Queryable,
  { merchantId, userId }: Owner,
  atMost: number,
): Promise<Invitation[]> {
  return (await database.query(listOfUser, { merchantId, userId, atMost })).map(toInvitation);
}

/** False when there is no such invitation that was not withdrawn before. */
export async function withdrawInvitation(
  tx: Transaction,
  { merchantId, userId }: Owner,
  invitationId: string,
): Promise<boolean> {
  return (await tx.query(withdraw, { merchantId, userId, invitationId })).length > 0;
}

/** False when it is not open any more. */
export async function completeInvitation(
  tx: Transaction,
  { merchantId, invitationId }: { readonly merchantId: MerchantId; readonly invitationId: InvitationId },
  { beneficiaryId, isTracked }: { readonly beneficiaryId: BeneficiaryId; readonly isTracked: boolean },
): Promise<boolean> {
  const values = { merchantId, invitationId, beneficiaryId, isTracked, trackingDays };
  return (await tx.query(complete, values)).length > 0;
}

export async function deleteInvitationsOf(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(deleteOfUser, { merchantId: merchant, userId: user });
}

/** Deletes invitations that ended long ago. */
export function invitationSweep(atMost: number): MerchantSweep {
  return {
    due: (database) => database.query(listMerchantsToSweep, { rememberedDays, limit: atMost }),
    sweep: async (tx, merchant) =>
      (await tx.query(sweep, { merchantId: merchant, rememberedDays, limit: atMost })).length,
  };
}

function toInvitation(row: InvitationRow): Invitation {
  const { country, currency, method, type } = row;
  return {
    merchantId: merchantId(row.merchant_id),
    invitationId: storedPublicId('inv', row.invitation_id),
    userId: userId(row.user_id),
    country,
    currency,
    method,
    type,
    locale: row.locale ?? undefined,
    beneficiaryId: row.beneficiary_id === null ? undefined : storedPublicId('ben', row.beneficiary_id),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    completedAt: row.completed_at ?? undefined,
    showsFrom: row.shows_from ?? undefined,
    withdrawnAt: row.withdrawn_at ?? undefined,
    isExpired: row.is_expired,
  };
}
