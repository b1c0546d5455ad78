/** The verbs of invitations: invite, list, withdraw, open by a token, take what the recipient enters. */

import type { BeneficiaryType } from '../../beneficiaries/fields/field.js';
import { type DestinationKey, destinationFaults, findDestination, typesOf } from '../../beneficiaries/requirements.js';
import type { BeneficiaryService } from '../../beneficiaries/service.js';
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { invalidField, invalidFields, RemesaError } from '../../errors.js';
import type { PageMerchant } from '../../hosted-pages/frame.js';
import { hashLinkToken, newLinkToken, readLinkToken } from '../../hosted-pages/link-token.js';
import { type MerchantId, newMerchantPublicId, publicId, type UserId } from '../../ids.js';
import { findLicensee } from '../../licensee/service.js';
import type { Locale } from '../../locale.js';
import { findMerchantById } from '../../merchants/service.js';
import { ordersTo } from '../../orders/order/finding.js';
import type { Order } from '../../orders/order/order.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { type Invitation, invitationsAtMost } from './invitation.js';
import * as store from './invitation-store.js';

export interface InvitationOptions {
  readonly users: UserService;
  readonly beneficiaries: BeneficiaryService;
}

export interface InvitationRequest extends DestinationKey {
  readonly type: BeneficiaryType;
  readonly locale: Locale | undefined;
  readonly days: number;
}

export interface OpenInvitation {
  readonly kind: 'open';
  readonly invitation: Invitation;
  readonly merchant: PageMerchant;
  /** The first name of who invites. */
  readonly senderName: string;
  /** The newest orders to what was entered, of those placed since. Empty before. */
  readonly orders: readonly Order[];
}

export type ClosedInvitation =
  | { readonly kind: 'ended'; readonly invitation: Invitation; readonly merchant: PageMerchant }
  | { readonly kind: 'unknown' };

const ordersShown = 5;

export class InvitationService {
  readonly #options: InvitationOptions;

  constructor(options: InvitationOptions) {
    this.#options = options;
  }

  /** Throws `invalid_fields` for a destination that is not offered, and `too_many_invitations`. */
  async create(tx: Transaction, by: By, owner: store.Owner, request: InvitationRequest) {
    const { country, currency, method, type, locale, days } = request;
    const destination = findDestination(request);
    if (!destination) throw invalidFields(destinationFaults(request));
    if (!typesOf(destination).includes(type)) throw invalidField('type', 'not_allowed', 'is not offered there');
    const { merchantId, userId } = owner;
    await this.#options.users.lock(tx, merchantId, userId);
    if ((await store.listInvitationsOf(tx, owner, invitationsAtMost)).length >= invitationsAtMost) throw tooMany();
    const token = newLinkToken(merchantId);
    const invitationId = newMerchantPublicId('inv', merchantId);
    const tokenHash = hashLinkToken(token);
    const where = { country, currency, method: destination.method, type };
    const invitation = await store.addInvitation(tx, { ...owner, ...where, invitationId, tokenHash, locale, days });
    await audit(tx, by, invitation, 'created', { country, currency, method });
    return { invitation, token };
  }

  /** The newest first. */
  list(database: Queryable, owner: store.Owner): Promise<Invitation[]> {
    return store.listInvitationsOf(database, owner, invitationsAtMost);
  }

  /** Throws `invitation_not_found`. */
  async find(database: Queryable, owner: store.Owner, id: string): Promise<Invitation> {
    const found = (await this.list(database, owner)).find(({ invitationId }) => invitationId === id);
    if (!found) throw notFound();
    return found;
  }

  /** What was entered stays. Withdrawing again changes nothing. Throws `invitation_not_found`. */
  async withdraw(tx: Transaction, by: By, owner: store.Owner, id: string): Promise<Invitation> {
    const isWithdrawn = await store.withdrawInvitation(tx, owner, publicId('inv', id) ?? '');
    const invitation = await this.find(tx, owner, id);
    if (isWithdrawn) await audit(tx, by, invitation, 'withdrawn');
    return invitation;
  }

  /** Never tells whether a user was deleted, or a merchant suspended: such an invitation is unknown. */
  async open(database: Queryable, token: string): Promise<OpenInvitation | ClosedInvitation> {
    const place = readLinkToken(token);
    const invitation = place && (await store.findInvitation(database, place));
    const [merchant, stored] = invitation
      ? await Promise.all([findMerchantById(database, invitation.merchantId), findLicensee(database)])
      : [];
    if (!invitation || merchant?.status !== 'active') return { kind: 'unknown' };
    const { merchantId, userId, beneficiaryId, showsFrom, withdrawnAt, isExpired } = invitation;
    const { name, branding, allowedOrigins } = merchant;
    const named = branding.displayName ?? name;
    const shown: PageMerchant = { name: named, branding, allowedOrigins, licensee: stored?.licensee };
    if (withdrawnAt || isExpired) return { kind: 'ended', invitation, merchant: shown };
    const profile = await this.#options.users.profile(database, merchantId, userId);
    if (!profile) return { kind: 'unknown' };
    const orders =
      beneficiaryId && showsFrom
        ? await ordersTo(database, { merchantId, userId, beneficiaryId, after: showsFrom, atMost: ordersShown })
        : [];
    return { kind: 'open', invitation, merchant: shown, senderName: profile.firstName, orders };
  }

  /**
   * Adds the account to the beneficiaries of who invited. An account that is there already keeps its details, and if
   * they are others, the link shows nothing of what is sent to it: a stranger may know the number of an account.
   * Throws `invitation_not_found` when somebody was first, and what `BeneficiaryService.addUnlessKnown` throws.
   */
  async complete(tx: Transaction, by: By, { invitation }: OpenInvitation, submitted: object): Promise<void> {
    const { merchantId, userId } = invitation;
    const { beneficiaries } = this.#options;
    const { beneficiary, isAsSubmitted } = await beneficiaries.addUnlessKnown(
      tx,
      by,
      { merchantId, userId },
      submitted,
    );
    const { beneficiaryId } = beneficiary;
    const isCompleted = await store.completeInvitation(tx, invitation, { beneficiaryId, isTracked: isAsSubmitted });
    if (!isCompleted) throw notFound();
    await audit(tx, by, invitation, 'completed', { beneficiaryId });
  }

  /** When the user is erased. */
  erase(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
    return store.deleteInvitationsOf(tx, merchantId, userId);
  }
}

function audit(
  tx: Transaction,
  by: By,
  { merchantId, userId, invitationId }: Invitation,
  what: string,
  about: Readonly<Record<string, string>> = {},
): Promise<void> {
  const details = { userId, ...about };
  return recordChange(tx, by, {
    merchantId,
    action: `invitation.${what}`,
    subject: `invitation:${invitationId}`,
    details,
  });
}

function notFound(): RemesaError {
  return new RemesaError('not_found', 'invitation_not_found', 'There is no such invitation.');
}

function tooMany(): RemesaError {
  const message = `The user has ${invitationsAtMost} invitations already.`;
  return new RemesaError('conflict', 'too_many_invitations', message, { members: { max: invitationsAtMost } });
}
