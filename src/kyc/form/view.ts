/** What the pages of the hosted form are made from. */
import type { PublicId } from '../../ids.js';
import type { Branding } from '../../merchants/merchant.js';
import type { CaseState, KycLevel, PublicReason, Zone } from '../case.js';
import type { Question, QuestionId, StepId } from '../requirements.js';

export const locales = ['en', 'es', 'fr', 'pt', 'ar'] as const;
export type Locale = (typeof locales)[number];

export interface FormMerchant {
  /** What the merchant calls itself to its users. */
  readonly name: string;
  readonly branding: Branding;
  readonly allowedOrigins: readonly string[];
}

/** Common to every page of a case, whether it can still be written to or not. */
export interface FormFrame {
  readonly caseId: PublicId<'kyc'>;
  readonly level: KycLevel;
  readonly zone: Zone;
  /** Of the form: of the renewal when there is one. */
  readonly state: CaseState;
  readonly merchant: FormMerchant;
  /** Asked for by the link. */
  readonly locale: Locale | undefined;
  /** One that the merchant registered, without what the form adds to it. */
  readonly redirectUrl: string | undefined;
  /** Why it came back, or was refused. */
  readonly publicReasons: readonly PublicReason[];
  /** A rejection that no new form can follow. */
  readonly isFinal: boolean;
  /** While the level is being renewed: when the approval ends that the user still holds. */
  readonly heldUntil: Date | undefined;
}

export interface FormView extends FormFrame {
  readonly kind: 'open';
  /** When the write token ends unless it is used before. */
  readonly expiresAt: Date;
  /** Where the person lives, as entered or else as registered. */
  readonly country: string | undefined;
  /** Why the form before this one was rejected, when this one follows a rejection. */
  readonly rejectedFor: readonly PublicReason[];
  /** Only those to be asked; after a request for parts, only what was asked for again. */
  readonly steps: readonly StepView[];
}

export interface StepView {
  readonly id: StepId;
  /** Every question of the step, also those that only some answers make due (`onlyWhen`). */
  readonly questions: readonly Question[];
  readonly answers: Readonly<Partial<Record<QuestionId, string>>>;
  readonly documents: Readonly<Partial<Record<QuestionId, DocumentView>>>;
  readonly isDone: boolean;
}

export interface DocumentView {
  readonly documentId: string;
  readonly mediaType: string;
  readonly bytes: number;
}

/** A form that can't be written to (any more). `unknown`: never there, erased, or long gone; nothing more is said. */
export type FormEnded =
  | { readonly kind: 'unknown' }
  | (FormFrame & {
      /** `held`: the level is held already. `refused`: for good. */
      readonly kind: 'expired' | 'submitted' | 'held' | 'refused';
    });

/** What a status page shows: nothing personal. */
export interface StatusView extends FormFrame {
  readonly kind: 'status';
  readonly updatedAt: Date;
  readonly expiresAt: Date | undefined;
}

export interface AnswerFault {
  readonly question: QuestionId;
  readonly code: AnswerFaultCode;
  /** How long, how old, or which date, where the code has such a limit. */
  readonly limit?: number | string;
  /** How many characters were entered, where their number is wrong. */
  readonly count?: number;
  /** How a right answer looks, where it has one form. */
  readonly example?: string;
}

export const answerFaultCodes = [
  'required',
  'too_short',
  'too_long',
  'wrong_length',
  'wrong_characters',
  'wrong_format',
  'control_characters',
  'not_allowed',
  'incomplete_date',
  'not_digits',
  'no_such_month',
  'no_such_day',
  'short_year',
  'not_a_date',
  'too_young',
  'too_long_ago',
  'in_the_past',
  'in_the_future',
  'wrong_check_digits',
] as const;
export type AnswerFaultCode = (typeof answerFaultCodes)[number];
