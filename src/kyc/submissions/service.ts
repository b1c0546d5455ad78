/** The verbs of the hosted form. The form token is the authorisation: whoever has it may call. */
import type { By, UserCaller } from '../../caller.js';
import type { CleanDocument } from '../../documents/inspect.js';
import { hashLinkToken, newLinkToken, readLinkToken } from '../../hosted-pages/link-token.js';
import type { Locale } from '../../locale.js';
import type { PersonIndex } from '../../persons/service.js';
import { readMerchantDay } from '../../postgres/merchant-clock.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { Profile } from '../../users/user.js';
import { type KycCase, progressOf } from '../cases/case.js';
import { findRejectionBefore } from '../cases/history.js';
import type { Answers, QuestionId, StepId } from '../cases/requirements.js';
import { findCaseById } from '../cases/store.js';
import { transitionCase } from '../cases/transition.js';
import type { AnswerFault } from '../checks/answer-fault.js';
import { readStep } from '../checks/answers.js';
import { personHash } from '../checks/names.js';
import type { DocumentVault } from '../documents/document-vault.js';
import { enteredSince, readEntered, saveAnswers } from './entered.js';
import {
  addFormToken,
  consumeWriteTokens,
  extendFormToken,
  type FormToken,
  findFormToken,
} from './form-token-store.js';
import { reopenForm } from './reopening.js';
import { isAttachedElsewhere } from './same-file.js';
import { sealSubmission } from './sealed.js';
import { enterSession, findSession, frameOf, type Session } from './session.js';
import { type DocumentView, documentsDue, type Entered, type StepView, stepsAsked, stepViews } from './state.js';
import * as formStore from './store.js';
import type { FormEnded, FormFrame, FormView, OpenForm, StatusView } from './view.js';

/** The job that decides submitted cases. */
export const decideJobName = 'kyc.decide';

export interface FormOptions {
  readonly users: UserService;
  readonly documents: DocumentVault;
  /** Keys the hash of name and birth date. */
  readonly personKey: Buffer;
  /** Recognises the person across merchants. */
  readonly persons: PersonIndex;
}

export type StepOutcome =
  | { readonly kind: 'faults'; readonly faults: readonly AnswerFault[] }
  /** Also for a step that the case does not ask for: nothing is stored, and `next` is a step that it asks for. */
  | { readonly kind: 'saved'; readonly next: StepId | 'check' };

export type DocumentOutcome =
  | { readonly kind: 'attached'; readonly document: DocumentView }
  /** The case does not ask for a document of this name. */
  | { readonly kind: 'not_asked' }
  /** The same file answers another question already. */
  | { readonly kind: 'same_file' };

export interface Consent {
  /** The version of the text that the user agreed to. */
  readonly consentVersion: string;
  readonly locale: Locale;
}

export type SubmitOutcome =
  | {
      readonly kind: 'done';
      readonly statusToken: string;
      readonly frame: FormFrame;
      readonly kycCase: KycCase;
    }
  | { readonly kind: 'missing'; readonly steps: readonly StepId[] };

export class FormService {
  readonly #options: FormOptions;

  constructor(options: FormOptions) {
    this.#options = options;
  }

  /** Whether the form is open, without its steps. */
  async find(database: Queryable, token: string): Promise<OpenForm | FormEnded> {
    const session = await findSession(this.#options.users, database, token);
    return session.kind === 'session' ? { ...session.frame, kind: 'open' } : session;
  }

  /** Returns the form with the saved answers. Opening neither consumes nor extends the token. */
  async open(database: Queryable, token: string): Promise<FormView | FormEnded> {
    const session = await findSession(this.#options.users, database, token);
    if (session.kind !== 'session') return session;
    const { kycCase, formToken, frame, key } = session;
    const everything = await readEntered(database, kycCase, key);
    const saved = formToken.isBlank ? enteredSince(kycCase, everything) : everything;
    const today = await readMerchantDay(database, kycCase.merchantId);
    const profile = await this.#options.users.profile(database, kycCase.merchantId, kycCase.userId);
    const steps = stepViews(kycCase, saved, today, formToken.isBlank ? {} : suggestions(profile));
    const country = saved.answers.get('address')?.answers.countryCode ?? profile?.countryCode;
    const { state, version } = progressOf(kycCase);
    const isReopened = state === 'PENDING' && version > 1;
    const rejectedFor = isReopened ? await findRejectionBefore(database, kycCase) : [];
    return { ...frame, kind: 'open', expiresAt: formToken.expiresAt, country, rejectedFor, steps };
  }

  /** The form without answers, because the merchant's server passes it on to the user. */
  async blank(tx: Transaction, token: string): Promise<FormView | FormEnded> {
    const view = await this.open(tx, token);
    if (view.kind !== 'open') return view;
    return { ...view, steps: view.steps.map((step) => ({ ...step, answers: {}, documents: {} })) };
  }

  /** Saves all text answers of a step, by question; a date as `YYYY-MM-DD`. Extends the token. */
  async saveStep(
    tx: Transaction,
    token: string,
    stepId: StepId,
    raw: Readonly<Record<string, string>>,
  ): Promise<StepOutcome | FormEnded> {
    const session = await enterSession(this.#options.users, tx, token);
    if (session.kind !== 'session') return session;
    const { kycCase, key, formToken } = session;
    const questions = stepsAsked(kycCase).find(({ id }) => id === stepId)?.questions ?? [];
    const today = await readMerchantDay(tx, kycCase.merchantId);
    const { answers, faults } = readStep(questions, raw, today);
    await extendFormToken(tx, formToken);
    if (faults.length > 0) return { kind: 'faults', faults };
    if (questions.some(({ kind }) => kind !== 'document')) {
      await saveAnswers(tx, kycCase, key, { step: stepId, answers });
    }
    const steps = stepViews(kycCase, await readEntered(tx, kycCase, key), today, {});
    return { kind: 'saved', next: nextStep(steps, stepId) };
  }

  /** Replaces an earlier document of that question. Extends the token. */
  async attachDocument(
    tx: Transaction,
    token: string,
    question: QuestionId,
    document: CleanDocument,
  ): Promise<DocumentOutcome | FormEnded> {
    const session = await enterSession(this.#options.users, tx, token);
    if (session.kind !== 'session') return session;
    const { kycCase, key, formToken } = session;
    if (!asksForDocument(kycCase, question)) return { kind: 'not_asked' };
    const upload = { question, document };
    if (await isAttachedElsewhere(tx, this.#options.documents, session, upload)) return { kind: 'same_file' };
    const stored = await this.#options.documents.store(tx, kycCase, question, key, document);
    await this.#releaseDocument(tx, kycCase, question);
    await formStore.saveAttachment(tx, kycCase, stored);
    await extendFormToken(tx, formToken);
    const { documentId, mediaType, bytes } = stored;
    return { kind: 'attached', document: { documentId, mediaType, bytes } };
  }

  async removeDocument(
    tx: Transaction,
    token: string,
    question: QuestionId,
  ): Promise<{ readonly kind: 'removed' } | FormEnded> {
    const session = await enterSession(this.#options.users, tx, token);
    if (session.kind !== 'session') return session;
    await this.#releaseDocument(tx, session.kycCase, question);
    await extendFormToken(tx, session.formToken);
    return { kind: 'removed' };
  }

  /** Extends the token to 60 minutes from now, at most to 24 hours after it was made. */
  async extend(
    tx: Transaction,
    token: string,
  ): Promise<{ readonly kind: 'extended'; readonly expiresAt: Date } | FormEnded> {
    const session = await enterSession(this.#options.users, tx, token);
    if (session.kind !== 'session') return session;
    return { kind: 'extended', expiresAt: await extendFormToken(tx, session.formToken) };
  }

  /**
   * Ends at `SUBMITTED` and wakes the job that decides. Consumes every write token of the case: of many submits at once
   * the first succeeds, and the others return `submitted`.
   */
  async submit(tx: Transaction, token: string, consent: Consent): Promise<SubmitOutcome | FormEnded> {
    const session = await enterSession(this.#options.users, tx, token);
    if (session.kind !== 'session') return session;
    const { kycCase, key, frame, formToken } = session;
    const today = await readMerchantDay(tx, kycCase.merchantId);
    const entered = await readEntered(tx, kycCase, key);
    const missing = stepViews(kycCase, entered, today, {}).filter((step) => !step.isDone);
    if (missing.length > 0) return { kind: 'missing', steps: missing.map(({ id }) => id) };
    const due = documentsDue(kycCase, entered);
    const documents = new Map([...entered.documents].filter(([question]) => due.includes(question)));
    for (const question of entered.documents.keys()) {
      if (!documents.has(question)) await this.#releaseDocument(tx, kycCase, question);
    }
    const submitted = await this.#addSubmission(tx, session, { ...entered, documents }, consent);
    await consumeWriteTokens(tx, kycCase);
    const statusToken = newLinkToken(kycCase.merchantId);
    await addFormToken(tx, kycCase, {
      purpose: 'status',
      tokenHash: hashLinkToken(statusToken),
      locale: consent.locale,
      redirectUrl: formToken.redirectUrl,
    });
    tx.wake(decideJobName);
    return {
      kind: 'done',
      statusToken,
      frame: { ...frame, state: progressOf(submitted).state },
      kycCase: submitted,
    };
  }

  /** See `reopenForm`. */
  reopen(tx: Transaction, purpose: FormToken['purpose'], token: string): Promise<string | undefined> {
    return reopenForm(this.#options.users, tx, purpose, token);
  }

  /** Whether a case that was submitted still waits for the automatic decision. */
  async isUndecided(database: Queryable, { merchantId, caseId }: KycCase): Promise<boolean> {
    const kycCase = await findCaseById(database, merchantId, caseId);
    return kycCase !== undefined && progressOf(kycCase).state === 'SUBMITTED';
  }

  async status(database: Queryable, statusToken: string): Promise<StatusView | undefined> {
    const place = readLinkToken(statusToken);
    const formToken = place && (await findFormToken(database, place, 'status'));
    if (!formToken || formToken.isExpired) return undefined;
    const kycCase = await findCaseById(database, formToken.merchantId, formToken.caseId);
    const frame = kycCase && (await frameOf(database, kycCase, formToken));
    return frame && { ...frame, kind: 'status', updatedAt: kycCase.updatedAt, expiresAt: kycCase.expiresAt };
  }

  async #addSubmission(
    tx: Transaction,
    { kycCase, key }: Pick<Session, 'kycCase' | 'key'>,
    entered: Entered,
    consent: Consent,
  ): Promise<KycCase> {
    const submitted = await transitionCase(tx, actingUser(kycCase), kycCase, 'submit');
    const answers = allAnswers(entered);
    const documentIds = [...entered.documents.values()].map(({ documentId }) => documentId);
    const place = {
      version: progressOf(submitted).version,
      consentVersion: consent.consentVersion,
      documentIds,
    };
    const sealedAnswers = sealSubmission(key, submitted, place, answers);
    await formStore.addSubmission(tx, submitted, { sealedAnswers, documentIds, ...consent });
    // Committed before either of two equal persons is decided, so that each decision sees the other person.
    await formStore.savePerson(tx, submitted, personHash(this.#options.personKey, kycCase.merchantId, answers));
    await this.#options.persons.save(tx, kycCase, 'form', answers);
    return submitted;
  }

  /** Detaches a document, and deletes it unless it was submitted. */
  async #releaseDocument(tx: Transaction, kycCase: KycCase, question: QuestionId): Promise<void> {
    const attached = (await formStore.listAttachments(tx, kycCase)).find(
      (attachment) => attachment.question === question,
    );
    if (!attached) return;
    await formStore.removeAttachment(tx, kycCase, question);
    const { merchantId, caseId, userId } = kycCase;
    if (attached.isSubmitted) return;
    await this.#options.documents.discard(tx, { merchantId, caseId, userId, documentId: attached.documentId });
  }
}

/** The next unfinished step after this one, then from the first step on. */
function nextStep(steps: readonly StepView[], current: StepId): StepId | 'check' {
  const at = Math.max(
    0,
    steps.findIndex(({ id }) => id === current),
  );
  const others = [...steps.slice(at), ...steps.slice(0, at)];
  return others.find(({ isDone }) => !isDone)?.id ?? 'check';
}

function asksForDocument(kycCase: KycCase, question: QuestionId): boolean {
  const questions = stepsAsked(kycCase).flatMap((step) => step.questions);
  return questions.some(({ id, kind }) => id === question && kind === 'document');
}

function allAnswers(entered: Entered): Answers {
  return Object.assign({}, ...[...entered.answers.values()].map(({ answers }) => answers));
}

/** What the merchant registered is filled in, so that the user need not type it. */
function suggestions(profile: Profile | undefined): Answers {
  if (!profile) return {};
  const { email: _, ...rest } = profile;
  return rest;
}

/** Whoever has the link acts as the user of the case. */
function actingUser({ merchantId, userId }: KycCase): By {
  const actor: UserCaller = { kind: 'user', merchantId, userId, scopes: new Set() };
  return { actor };
}
