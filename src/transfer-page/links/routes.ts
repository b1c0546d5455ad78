/** Routes for merchants: links to the page of an order. */
import Type from 'typebox';
import { RemesaError } from '../../errors.js';
import { command, type Route, read } from '../../http/route.js';
import type { MerchantId } from '../../ids.js';
import { isRegistered } from '../../kyc-form/redirect.js';
import { findMerchantById } from '../../merchants/service.js';
import { OrderPath } from '../../orders/order/wire/order-shape.js';
import { scopeOf } from '../../orders/order/wire/scope.js';
import type { Queryable } from '../../postgres/statement.js';
import { linkDays, type TransferLink } from './link.js';
import { LinkPath, NewTransferLinkShape, TransferLinkShape, TransferLinkSummaryShape } from './schemas.js';
import type { LinkService } from './service.js';

export interface LinkRouteOptions {
  readonly links: LinkService;
  /** The public address of the service, without a slash at the end. */
  readonly baseUrl: () => string;
  readonly isSandbox: boolean;
}

const described = { tag: 'Orders' } as const;
const ofMerchant = { token: 'merchant', scope: 'orders', user: 'optional' } as const;

export function transferLinkRoutes(options: LinkRouteOptions): Route[] {
  return [createRoute(options), listRoute(options), withdrawRoute(options)];
}

function createRoute({ links, baseUrl, isSandbox }: LinkRouteOptions): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/orders/{id}/links',
    operationId: 'createTransferLink',
    summary: 'Create a link to the page of an order',
    description:
      'The page is for the sender: how to pay, where the money is, what is asked, cancel, and the receipt. It needs no sign-in: whoever has the link acts as the sender. Each call creates a new link, unless it repeats an Idempotency-Key.',
    returns: 'The link. Its address is not shown again.',
    access: ofMerchant,
    params: OrderPath,
    body: NewTransferLinkShape,
    answer: TransferLinkShape,
    idempotency: { keepForHours: 24, isSecret: true },
    refusals: ['order_not_found', 'redirect_url_not_registered', 'too_many_links'],
    async run(call, tx) {
      const { locale, redirectUrl, expiresInDays: days = linkDays.usual } = call.body;
      await requireRegistered(tx, call.caller.merchantId, { redirectUrl, isSandbox });
      const { id } = call.params;
      const { link, token } = await links.create(tx, call.by, { scope: scopeOf(call), id, locale, redirectUrl, days });
      return { id: link.linkId, url: `${baseUrl()}/transfer/${token}`, expiresAt: link.expiresAt.toISOString() };
    },
  });
}

function listRoute({ links }: LinkRouteOptions): Route {
  return read({
    ...described,
    method: 'GET',
    path: '/orders/{id}/links',
    operationId: 'listTransferLinks',
    summary: 'List the links to the page of an order',
    returns: 'The links without their addresses, the oldest first.',
    access: ofMerchant,
    params: OrderPath,
    answer: Type.Array(TransferLinkSummaryShape),
    refusals: ['order_not_found'],
    run: async (call, database) => (await links.list(database, scopeOf(call), call.params.id)).map(viewOfLink),
  });
}

function withdrawRoute({ links }: LinkRouteOptions): Route {
  return command({
    ...described,
    method: 'DELETE',
    path: '/orders/{id}/links/{linkId}',
    operationId: 'withdrawTransferLink',
    summary: 'Withdraw a link to the page of an order',
    description: 'The link opens nothing from now on. Withdrawing it again changes nothing.',
    returns: 'The link.',
    access: ofMerchant,
    params: LinkPath,
    answer: TransferLinkSummaryShape,
    refusals: ['order_not_found', 'link_not_found'],
    async run(call, tx) {
      const { id, linkId } = call.params;
      return viewOfLink(await links.withdraw(tx, call.by, { scope: scopeOf(call), id, linkId }));
    },
  });
}

function viewOfLink({ linkId, createdAt, expiresAt, withdrawnAt }: TransferLink) {
  return {
    id: linkId as string,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
  };
}

interface RedirectCheck {
  readonly redirectUrl: string | undefined;
  readonly isSandbox: boolean;
}

async function requireRegistered(
  database: Queryable,
  merchantId: MerchantId,
  { redirectUrl, isSandbox }: RedirectCheck,
): Promise<void> {
  if (redirectUrl === undefined) return;
  const merchant = await findMerchantById(database, merchantId);
  if (isRegistered(redirectUrl, merchant?.redirectUrls ?? [], { isSandbox })) return;
  throw new RemesaError('impossible', 'redirect_url_not_registered', 'redirectUrl is not registered for you.');
}
