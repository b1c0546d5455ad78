/** SQL on the links to transfer pages. */
import type { TokenPlace } from '../../hosted-pages/link-token.js';
import { type MerchantId, merchantId, storedPublicId, type UserId, userId } from '../../ids.js';
import type { Locale } from '../../locale.js';
import type { OrderRef } from '../../orders/order/order.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { MerchantSweep } from '../../worker/by-merchant.js';
import { rememberedDays, type TransferLink } from './link.js';

interface LinkRow {
  merchant_id: bigint;
  link_id: string;
  order_id: string;
  user_id: bigint;
  locale: Locale | null;
  redirect_url: string | null;
  created_at: Date;
  expires_at: Date;
  withdrawn_at: Date | null;
  is_expired: boolean;
}

const stored =
  'merchant_id, link_id, order_id, user_id, locale, redirect_url, created_at, expires_at, withdrawn_at' as const;
const columns = `${stored}, expires_at <= statement_timestamp() AS is_expired` as const;
const insert = statement(
  'link-store.insert',
  `INSERT INTO transfer_links (merchant_id, link_id, token_hash, order_id, user_id, locale, redirect_url, created_at,
     expires_at)
   SELECT $merchantId, $linkId, $tokenHash, $orderId, $userId, $locale, $redirectUrl, now.at,
     now.at + make_interval(days => $days)
     FROM (SELECT date_trunc('milliseconds', statement_timestamp()) AS at) AS now
   RETURNING ${stored}, false AS is_expired`,
).rows<LinkRow>();
const findByToken = statement(
  'link-store.find-by-token',
  `SELECT ${columns} FROM transfer_links WHERE merchant_id = $merchantId AND token_hash = $tokenHash`,
).rows<LinkRow>();
const listOpen = statement(
  'link-store.list-open',
  `SELECT link_id FROM transfer_links
    WHERE merchant_id = $merchantId AND link_id = ANY ($linkIds::text[]) AND withdrawn_at IS NULL
      AND expires_at > statement_timestamp()`,
).rows<{ link_id: string }>();
const lockOpen = statement(
  'link-store.lock-open',
  `SELECT link_id FROM transfer_links
    WHERE merchant_id = $merchantId AND link_id = $linkId AND withdrawn_at IS NULL
      AND expires_at > statement_timestamp() FOR SHARE`,
).rows<{ link_id: string }>();
const listOfOrder = statement(
  'link-store.list-of-order',
  `SELECT ${columns} FROM transfer_links WHERE merchant_id = $merchantId AND order_id = $orderId
    ORDER BY created_at, link_id LIMIT $atMost`,
).rows<LinkRow>();
const withdraw = statement(
  'link-store.withdraw',
  `UPDATE transfer_links SET withdrawn_at = date_trunc('milliseconds', statement_timestamp())
    WHERE merchant_id = $merchantId AND link_id = $linkId AND order_id = $orderId AND withdrawn_at IS NULL
   RETURNING link_id`,
).rows<{ link_id: string }>();
const deleteOfUser = statement(
  'link-store.delete-of-user',
  'DELETE FROM transfer_links WHERE merchant_id = $merchantId AND user_id = $userId',
);
const listMerchantsToSweep = statement(
  'link-store.list-merchants-to-sweep',
  `SELECT merchant_id FROM (
     SELECT merchant_id, expires_at FROM transfer_links
      WHERE expires_at < statement_timestamp() - make_interval(days => $rememberedDays)
        ORDER BY expires_at LIMIT $limit) AS due
   GROUP BY merchant_id ORDER BY min(expires_at)`,
).rows<{ merchant_id: bigint }>();
const sweep = statement(
  'link-store.sweep',
  `DELETE FROM transfer_links WHERE merchant_id = $merchantId AND link_id = ANY (ARRAY(
     SELECT link_id FROM transfer_links
      WHERE merchant_id = $merchantId
        AND expires_at < statement_timestamp() - make_interval(days => $rememberedDays)
      LIMIT $limit FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS swept`,
).rows<{ swept: number }>();

export interface NewLink extends Pick<TransferLink, 'merchantId' | 'linkId' | 'orderId' | 'userId'> {
  readonly tokenHash: Buffer;
  readonly locale: Locale | undefined;
  readonly redirectUrl: string | undefined;
  readonly days: number;
}

export async function addLink(tx: Transaction, link: NewLink): Promise<TransferLink> {
  const { merchantId, linkId, tokenHash, orderId, userId, days } = link;
  const locale = link.locale ?? null;
  const redirectUrl = link.redirectUrl ?? null;
  const values = { merchantId, linkId, tokenHash, orderId, userId, locale, redirectUrl, days };
  const [row] = await tx.query(insert, values);
  if (!row) throw new Error('the link was not written');
  return toLink(row);
}

export async function findLink(database: Queryable, place: TokenPlace): Promise<TransferLink | undefined> {
  const [row] = await database.query(findByToken, place);
  return row && toLink(row);
}

/** The oldest first. */
export async function listLinksOf(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
  atMost: number,
): Promise<TransferLink[]> {
  return (await database.query(listOfOrder, { merchantId, orderId, atMost })).map(toLink);
}

/** Which of these links still open their orders. */
export async function listOpenLinks(
  database: Queryable,
  merchant: MerchantId,
  linkIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await database.query(listOpen, { merchantId: merchant, linkIds });
  return new Set(rows.map((row) => row.link_id));
}

/** Whether it still opens its order. If so, it cannot be withdrawn before this transaction ends. */
export async function lockOpenLink(
  tx: Transaction,
  { merchantId, linkId }: Pick<TransferLink, 'merchantId' | 'linkId'>,
): Promise<boolean> {
  return (await tx.query(lockOpen, { merchantId, linkId })).length > 0;
}

/** False when there is no such link that still opens something. */
export async function withdrawLink(
  tx: Transaction,
  { merchantId, orderId }: OrderRef,
  linkId: string,
): Promise<boolean> {
  return (await tx.query(withdraw, { merchantId, orderId, linkId })).length > 0;
}

export async function deleteLinksOf(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(deleteOfUser, { merchantId: merchant, userId: user });
}

/** Deletes links that ended long ago. */
export function linkSweep(atMost: number): MerchantSweep {
  return {
    due: (database) => database.query(listMerchantsToSweep, { rememberedDays, limit: atMost }),
    sweep: async (tx, merchant) =>
      (await tx.query(sweep, { merchantId: merchant, rememberedDays, limit: atMost })).length,
  };
}

function toLink(row: LinkRow): TransferLink {
  return {
    merchantId: merchantId(row.merchant_id),
    linkId: storedPublicId('lnk', row.link_id),
    orderId: storedPublicId('ord', row.order_id),
    userId: userId(row.user_id),
    locale: row.locale ?? undefined,
    redirectUrl: row.redirect_url ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    withdrawnAt: row.withdrawn_at ?? undefined,
    isExpired: row.is_expired,
  };
}
