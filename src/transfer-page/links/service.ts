/** The verbs of links: give one out, list them, withdraw one, and find what a token opens. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import type { PageMerchant } from '../../hosted-pages/frame.js';
import { hashLinkToken, newLinkToken, readLinkToken } from '../../hosted-pages/link-token.js';
import { type MerchantId, newMerchantPublicId, publicId, type UserId } from '../../ids.js';
import { findLicensee } from '../../licensee/service.js';
import type { Locale } from '../../locale.js';
import { findMerchantById } from '../../merchants/service.js';
import { findOrderOf, recordOf } from '../../orders/order/finding.js';
import type { OrderRef } from '../../orders/order/order.js';
import type { OrderScope } from '../../orders/order/wire/scope.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { linksAtMost, type TransferLink } from './link.js';
import * as store from './link-store.js';

export interface LinkRequest {
  readonly scope: OrderScope;
  /** The order as the caller names it. */
  readonly id: string;
  readonly locale: Locale | undefined;
  /** Checked by the caller: it is registered for the merchant. */
  readonly redirectUrl: string | undefined;
  readonly days: number;
}

export interface CreatedLink {
  readonly link: TransferLink;
  /** It is in the address only. */
  readonly token: string;
}

export class LinkService {
  /** Throws `order_not_found` and `too_many_links`. */
  async create(tx: Transaction, by: By, request: LinkRequest): Promise<CreatedLink> {
    const { scope, id, locale, redirectUrl, days } = request;
    const order = await findOrderOf(tx, scope, id);
    const { merchantId, orderId, userId } = order;
    if ((await store.listLinksOf(tx, order, linksAtMost)).length >= linksAtMost) throw tooMany();
    const token = newLinkToken(merchantId);
    const linkId = newMerchantPublicId('lnk', merchantId);
    const tokenHash = hashLinkToken(token);
    const link = await store.addLink(tx, { merchantId, linkId, tokenHash, orderId, userId, locale, redirectUrl, days });
    await recordChange(tx, by, {
      merchantId,
      action: 'order.link_created',
      subject: recordOf(order),
      details: { linkId, expiresAt: link.expiresAt.toISOString() },
    });
    return { link, token };
  }

  /** The oldest first. Throws `order_not_found`. */
  async list(database: Queryable, scope: OrderScope, id: string): Promise<TransferLink[]> {
    return store.listLinksOf(database, await findOrderOf(database, scope, id), linksAtMost);
  }

  /** Withdrawing again changes nothing. Throws `order_not_found` and `link_not_found`. */
  async withdraw(tx: Transaction, by: By, { scope, id, linkId }: NamedLink): Promise<TransferLink> {
    const order = await findOrderOf(tx, scope, id);
    const isWithdrawn = await store.withdrawLink(tx, order, publicId('lnk', linkId) ?? '');
    const link = (await store.listLinksOf(tx, order, linksAtMost)).find((known) => known.linkId === linkId);
    if (!link) throw new RemesaError('not_found', 'link_not_found', 'The order has no such link.');
    if (isWithdrawn) {
      const { merchantId } = order;
      const details = { linkId: link.linkId as string };
      await recordChange(tx, by, { merchantId, action: 'order.link_withdrawn', subject: recordOf(order), details });
    }
    return link;
  }

  /** The link of a token and whether it opens its order. Undefined for what was never a link, or is long gone. */
  async find(database: Queryable, token: string): Promise<FoundLink | undefined> {
    const place = readLinkToken(token);
    const link = place && (await store.findLink(database, place));
    const [merchant, stored] = link
      ? await Promise.all([findMerchantById(database, link.merchantId), findLicensee(database)])
      : [];
    if (!link || merchant?.status !== 'active') return undefined;
    const { name, branding, allowedOrigins } = merchant;
    const isOpen = !link.isExpired && link.withdrawnAt === undefined;
    const shown = { name: branding.displayName ?? name, branding, allowedOrigins, licensee: stored?.licensee };
    return { link, isOpen, merchant: shown };
  }

  /** Whether the link still opens its order. If so, it cannot be withdrawn before this transaction ends. */
  async hold(tx: Transaction, link: TransferLink): Promise<boolean> {
    const merchant = await findMerchantById(tx, link.merchantId);
    return merchant?.status === 'active' && store.lockOpenLink(tx, link);
  }

  /** Which of these links still open their orders. */
  async open(database: Queryable, merchantId: MerchantId, linkIds: readonly string[]): Promise<ReadonlySet<string>> {
    const merchant = await findMerchantById(database, merchantId);
    return merchant?.status === 'active' ? store.listOpenLinks(database, merchantId, linkIds) : new Set();
  }

  /** The language of the newest link to the order that has one. */
  async localeOf(database: Queryable, order: OrderRef): Promise<Locale | undefined> {
    return (await store.listLinksOf(database, order, linksAtMost)).findLast(({ locale }) => locale)?.locale;
  }

  /** When the user is erased. */
  erase(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
    return store.deleteLinksOf(tx, merchantId, userId);
  }
}

export interface NamedLink {
  readonly scope: OrderScope;
  readonly id: string;
  readonly linkId: string;
}

export interface FoundLink {
  readonly link: TransferLink;
  readonly isOpen: boolean;
  readonly merchant: PageMerchant;
}

function tooMany(): RemesaError {
  const message = `The order has ${linksAtMost} links already.`;
  return new RemesaError('conflict', 'too_many_links', message, { members: { max: linksAtMost } });
}
