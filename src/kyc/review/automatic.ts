/**
 * The automatic decision on a submitted case: the checks run, and a clean LEVEL_1 is approved. A reviewer decides the
 * rest.
 */
import { isDeepStrictEqual } from 'node:util';
import type { By } from '../../caller.js';
import type { CountryPolicies } from '../../countries/service.js';
import { readMerchantDay } from '../../postgres/merchant-clock.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { type KycCase, progressOf } from '../cases/case.js';
import type { Answers, QuestionId } from '../cases/requirements.js';
import { findCaseById, lockCasesOfUser } from '../cases/store.js';
import { transitionCase } from '../cases/transition.js';
import { reviewCase, type ScreeningOutcome } from '../checks/automatic-checks.js';
import type { HitService, RecordedHits, Screened } from '../hits/service.js';
import { openSubmission } from '../submissions/sealed.js';
import {
  lastSubmission,
  listSamePersonCases,
  listSubmittedDocuments,
  type Submission,
  saveChecks,
} from '../submissions/store.js';
import type { CaseRef } from './queue-store.js';

export interface AutomaticReviewOptions {
  readonly users: UserService;
  readonly hits: HitService;
  readonly countries: Pick<CountryPolicies, 'findings'>;
}

/** What was submitted. It belongs to one version of the case and never changes. */
export interface Evidence {
  readonly kycCase: KycCase;
  readonly submission: Submission;
  readonly answers: Answers;
  readonly attached: ReadonlySet<QuestionId>;
  /** What one snapshot of the screening lists says about the person. */
  readonly screened: Screened;
}

const automaticChecks: By = { actor: { kind: 'system', name: 'automatic checks' } };

export class AutomaticReview {
  readonly #options: AutomaticReviewOptions;

  constructor(options: AutomaticReviewOptions) {
    this.#options = options;
  }

  /**
   * Reads a submission outside any transaction, so that slow questions about it can be asked before the case is locked.
   * Returns undefined when the case no longer waits for a decision. Throws when the submission cannot be opened.
   */
  async gather(database: Queryable, { merchantId, caseId }: CaseRef): Promise<Evidence | undefined> {
    const kycCase = await findCaseById(database, merchantId, caseId);
    if (!kycCase || kycCase.isClosed || progressOf(kycCase).state !== 'SUBMITTED') return undefined;
    const submission = await lastSubmission(database, kycCase);
    const key = await this.#options.users.retainedKey(database, merchantId, kycCase.userId);
    if (!submission || !key) throw new Error('a submitted case has no submission that can be opened');
    // The case was decided and submitted again between the two reads.
    if (submission.version !== progressOf(kycCase).version) return undefined;
    const documents = await listSubmittedDocuments(database, kycCase);
    const attached = documents.filter((row) => row.is_current).map(({ question }) => question);
    const answers = openSubmission(key, kycCase, submission);
    const screened = await this.#options.hits.screen(database, merchantId, kycCase.userId);
    return screened && { kycCase, submission, answers, attached: new Set(attached), screened };
  }

  /**
   * Locks the user and the user's cases and decides. Returns false, and writes nothing, when the case or the registered
   * name has changed since the evidence was gathered. The lock on the user keeps the name as it is until the commit.
   */
  async conclude(tx: Transaction, evidence: Evidence): Promise<boolean> {
    const { merchantId, caseId, userId, version, level, zone } = evidence.kycCase;
    if (!(await this.#options.users.hold(tx, merchantId, userId))) return false;
    const cases = await lockCasesOfUser(tx, merchantId, userId);
    const kycCase = cases.find((lockedCase) => lockedCase.caseId === caseId);
    if (!kycCase || kycCase.isClosed || kycCase.version !== version) return false;
    const { answers, attached, screened } = evidence;
    const profile = await this.#options.users.profile(tx, merchantId, userId);
    if (!profile || !isDeepStrictEqual(profile, screened.person.profile)) return false;
    const hits = await this.#options.hits.record(tx, screened);
    const found = this.#options.countries.findings({
      residence: [profile.countryCode, answers.countryCode ?? profile.countryCode],
      nationality: screened.person.subject.countries ?? [],
      payout: [],
    });
    const review = reviewCase({
      level,
      zone,
      answers,
      attached,
      profile,
      screening: outcomeOf(screened, hits),
      samePerson: await listSamePersonCases(tx, kycCase),
      countryUses: [...new Set(found.map(({ use }) => use))],
      exposures: hits.exposures.map(({ hitId }) => hitId),
      today: await readMerchantDay(tx, merchantId),
    });
    await saveChecks(tx, kycCase, review.checks);
    const move = review.verdict === 'approved' ? 'approve_automatically' : 'refer';
    const decided = await transitionCase(tx, automaticChecks, kycCase, move);
    // An operator has confirmed that this is a listed person, so there is nothing left to review.
    if (hits.blocking.some(({ state }) => state === 'confirmed')) {
      const rejection = { reasons: ['COMPLIANCE'], isFinal: true } as const;
      await transitionCase(tx, automaticChecks, decided, 'reject', rejection);
    }
    return true;
  }
}

function outcomeOf(
  { listsVersion, usability, hasUnreadableName }: Screened,
  { blocking }: RecordedHits,
): ScreeningOutcome {
  return {
    listsVersion,
    hasUnreadableName,
    unusableBecause: usability.isUsable ? undefined : usability.reason,
    hits: blocking.map(({ hitId }) => hitId),
  };
}
