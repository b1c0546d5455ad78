/** The data that the pages of the hosted form show. */
import type { PublicId } from '../../ids.js';
import type { Licensee } from '../../licensee/licensee.js';
import type { Locale } from '../../locale.js';
import type { Branding } from '../../merchants/merchant.js';
import type { CaseState, KycLevel, PublicReason, Zone } from '../cases/case.js';
import type { StepView } from './state.js';

export interface FormMerchant {
  /** What the merchant calls itself to its users. */
  readonly name: string;
  readonly branding: Branding;
  readonly allowedOrigins: readonly string[];
  readonly licensee: Licensee | undefined;
}

/** Common to all pages of a case, open or closed. */
export interface FormFrame {
  readonly caseId: PublicId<'kyc'>;
  readonly level: KycLevel;
  readonly zone: Zone;
  /** The state of the renewal when there is one, otherwise of the case. */
  readonly state: CaseState;
  readonly merchant: FormMerchant;
  /** The language that the link requests. */
  readonly locale: Locale | undefined;
  /** A url that the merchant registered, without the parameters that the form adds. */
  readonly redirectUrl: string | undefined;
  /** Why the form was sent back or rejected. */
  readonly publicReasons: readonly PublicReason[];
  /** A rejection that no new form can follow. */
  readonly isFinal: boolean;
  /** While the level is being renewed: when the approval ends that the user still holds. */
  readonly heldUntil: Date | undefined;
}

/** Parts of a form that was sent are needed again. */
export function isRequestedAgain({ state }: Pick<FormFrame, 'state'>): boolean {
  return state === 'ACTION_REQUIRED';
}

/** A form that can be filled in. */
export interface OpenForm extends FormFrame {
  readonly kind: 'open';
}

export interface FormView extends OpenForm {
  /** When the write token ends unless it is extended. */
  readonly expiresAt: Date;
  /** The user's country, as entered or otherwise as registered. */
  readonly country: string | undefined;
  /** The reasons of the rejection that this form follows; empty when there was none. */
  readonly rejectedFor: readonly PublicReason[];
  /** The steps to fill in: all, or only the requested parts. */
  readonly steps: readonly StepView[];
}

/**
 * A form that cannot be filled in. `unknown` does not reveal whether the form never existed, was erased or is too old.
 */
export type FormEnded =
  | { readonly kind: 'unknown' }
  | (FormFrame & {
      /** `held`: the user already holds the level. `refused`: rejected finally. */
      readonly kind: 'expired' | 'submitted' | 'held' | 'refused';
    });

/** What a status page shows. It holds nothing personal. */
export interface StatusView extends FormFrame {
  readonly kind: 'status';
  readonly updatedAt: Date;
  readonly expiresAt: Date | undefined;
}
