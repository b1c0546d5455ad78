/** The automatic decision on a submitted case: the checks run, and a clean LEVEL_1 is approved. A reviewer decides the rest. */
import type { By } from '../../caller.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { type KycCase, progressOf } from '../case.js';
import { personHash } from '../checks/names.js';
import {
  lastSubmission,
  listSubmittedDocuments,
  merchantToday,
  notePerson,
  type Submission,
  saveChecks,
} from '../form/store.js';
import type { Answers, QuestionId } from '../requirements.js';
import { openSubmission } from '../sealed.js';
import { findCaseById, lockCase } from '../store.js';
import { transitionCase } from '../transition.js';
import { reviewCase } from './checks.js';
import type { CaseRef } from './queue-store.js';

export interface AutomaticReviewOptions {
  readonly users: UserService;
  /** Keys the hash of name and birth date. */
  readonly personKey: Buffer;
}

/** What was submitted. It belongs to one version of the case and never changes. */
export interface Evidence {
  readonly kycCase: KycCase;
  readonly submission: Submission;
  readonly answers: Answers;
  readonly attached: ReadonlySet<QuestionId>;
}

const automaticChecks: By = { actor: { kind: 'system', name: 'automatic checks' } };

export class AutomaticReview {
  constructor(readonly options: AutomaticReviewOptions) {}

  /**
   * Reads a submission outside any transaction, so that slow questions about it can be asked before the case is locked.
   * Returns undefined when the case no longer waits for a decision. Throws when the submission cannot be opened.
   */
  async gather(database: Queryable, { merchantId, caseId }: CaseRef): Promise<Evidence | undefined> {
    const kycCase = await findCaseById(database, merchantId, caseId);
    if (!kycCase || kycCase.isClosed || progressOf(kycCase).state !== 'SUBMITTED') return undefined;
    const submission = await lastSubmission(database, kycCase);
    const key = await this.options.users.retainedKey(database, merchantId, kycCase.userId);
    if (!submission || !key) throw new Error('a submitted case has no submission that can be opened');
    // The case was decided and submitted again between the two reads.
    if (submission.version !== progressOf(kycCase).version) return undefined;
    const documents = await listSubmittedDocuments(database, kycCase);
    const attached = documents.filter((row) => row.is_current).map(({ question }) => question);
    const answers = openSubmission(key, kycCase, submission);
    return { kycCase, submission, answers, attached: new Set(attached) };
  }

  /**
   * Locks the user and the case, as a submit does, and decides. Returns false, and writes nothing, when the case has
   * changed since the evidence was gathered. The lock on the user keeps the registered name as it is until the commit.
   */
  async conclude(tx: Transaction, evidence: Evidence): Promise<boolean> {
    const { merchantId, caseId, userId, version, level, zone } = evidence.kycCase;
    if (!(await this.options.users.hold(tx, merchantId, userId))) return false;
    const kycCase = await lockCase(tx, merchantId, caseId);
    if (!kycCase || kycCase.isClosed || kycCase.version !== version) return false;
    const { answers, attached } = evidence;
    const person = personHash(this.options.personKey, merchantId, answers);
    const review = reviewCase({
      level,
      zone,
      answers,
      attached,
      profile: await this.options.users.profile(tx, merchantId, userId),
      samePerson: await notePerson(tx, kycCase, person),
      today: await merchantToday(tx, merchantId),
    });
    await saveChecks(tx, kycCase, review.checks);
    const move = review.verdict === 'approved' ? 'approve_automatically' : 'refer';
    await transitionCase(tx, automaticChecks, kycCase, move);
    return true;
  }
}
