/**
 * Owns the invitations by which recipients enter their own accounts. Does not own the beneficiary that comes of it
 * (beneficiaries), nor the orders to it (orders).
 */
import type { BeneficiaryId } from '../../beneficiaries/beneficiary.js';
import type { BeneficiaryMethod } from '../../beneficiaries/destinations/destination.js';
import type { BeneficiaryType } from '../../beneficiaries/fields/field.js';
import type { MerchantId, PublicId, UserId } from '../../ids.js';
import type { Locale } from '../../locale.js';

export type InvitationId = PublicId<'inv'>;

export const invitationStatuses = ['open', 'completed', 'withdrawn', 'expired'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

export interface Invitation {
  readonly merchantId: MerchantId;
  readonly invitationId: InvitationId;
  readonly userId: UserId;
  readonly country: string;
  readonly currency: string;
  readonly method: BeneficiaryMethod;
  readonly type: BeneficiaryType;
  /** The language that the merchant chose. */
  readonly locale: Locale | undefined;
  readonly beneficiaryId: BeneficiaryId | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly completedAt: Date | undefined;
  /** Orders placed after it are shown, by the clock of the merchant. Undefined: none. */
  readonly showsFrom: Date | undefined;
  readonly withdrawnAt: Date | undefined;
  readonly isExpired: boolean;
}

export const invitationDays = { least: 1, usual: 7, most: 30 } as const;
/** How long a completed invitation shows what is on its way. */
export const trackingDays = 180;
/** How long an ended invitation is reported as ended instead of unknown. */
export const rememberedDays = 30;
/** Of one user, however they ended. */
export const invitationsAtMost = 100;

export function statusOf({ withdrawnAt, completedAt, isExpired }: Invitation): InvitationStatus {
  if (withdrawnAt) return 'withdrawn';
  if (completedAt) return 'completed';
  return isExpired ? 'expired' : 'open';
}
