/** Everything that a reviewer reads of a case, in one look. */
import type { By } from '../../caller.js';
import { findMerchantById } from '../../merchants/service.js';
import { listOperators } from '../../operators/service.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { KycCase, Part } from '../cases/case.js';
import { type HistoryEntry, listCaseHistory } from '../cases/history.js';
import { statesAfter } from '../cases/renewal.js';
import type { Answers } from '../cases/requirements.js';
import { openReason } from '../cases/sealed.js';
import { listNotes } from '../cases/store.js';
import { checkDocument } from '../documents/sealed.js';
import type { HitFile, HitReviewService } from '../hits/review-service.js';
import type { HitService } from '../hits/service.js';
import { openSubmission } from '../submissions/sealed.js';
import { partsOf } from '../submissions/state.js';
import { type DocumentRow, lastSubmission, listSubmittedDocuments, type Submission } from '../submissions/store.js';
import { type Compared, compareSources } from './comparison.js';

export const decisions = ['approve', 'reject', 'request', 'revoke'] as const;
export type DecisionName = (typeof decisions)[number];

export interface CaseFileOptions {
  readonly users: UserService;
  readonly hits: HitService;
  readonly hitReviews: Pick<HitReviewService, 'look'>;
}

export interface CaseFile {
  readonly kycCase: KycCase;
  /** The client id of the merchant. */
  readonly clientId: string;
  /** Undefined when nothing was submitted, or the user's key was destroyed. */
  readonly answers: Answers | undefined;
  readonly submission: Submission | undefined;
  readonly documents: readonly DocumentRow[];
  readonly history: readonly NamedEntry[];
  /** Empty when nothing was submitted. */
  readonly comparison: readonly Compared[];
  /** Those that are open or confirmed. */
  readonly hits: readonly HitFile[];
  /** What the state of the case allows. */
  readonly decisions: readonly DecisionName[];
  /** What can be requested again at this level in this zone. */
  readonly parts: readonly Part[];
}

export interface NamedEntry extends HistoryEntry {
  /** A login, a client id, a user id or the name of a job. */
  readonly actorName: string;
  readonly internalReason: string | undefined;
}

/** The caller has recorded that the case is read. */
export async function readCaseFile(
  tx: Transaction,
  by: By,
  kycCase: KycCase,
  { users, hits, hitReviews }: CaseFileOptions,
): Promise<CaseFile> {
  const { merchantId, userId } = kycCase;
  const key = await users.retainedKey(tx, merchantId, userId);
  const submission = await lastSubmission(tx, kycCase);
  const clientId = (await findMerchantById(tx, merchantId))?.clientId ?? '';
  const nameOf = await actorNames(tx, clientId);
  const [history, notes] = await Promise.all([listCaseHistory(tx, kycCase), listNotes(tx, kycCase)]);
  const answers = key && submission && openSubmission(key, kycCase, submission);
  const shownHits: HitFile[] = [];
  for (const { hitId, state } of await hits.listOf(tx, merchantId, userId))
    if (state !== 'dismissed') shownHits.push(await hitReviews.look(tx, by, hitId));
  return {
    kycCase,
    clientId,
    submission,
    answers,
    documents: key ? await checkedDocuments(tx, kycCase, key) : [],
    history: history.map((entry) => ({
      ...entry,
      actorName: nameOf(entry),
      internalReason: key && internalReasonOf(key, kycCase, entry, notes),
    })),
    comparison: answers ? compareSources(answers, await users.profile(tx, merchantId, userId)) : [],
    hits: shownHits,
    decisions: kycCase.isClosed ? [] : decisions.filter((decision) => statesAfter(kycCase, decision)),
    parts: partsOf(kycCase.level, kycCase.zone),
  };
}

/** A case belongs to one merchant, so a merchant who acted on it is that one. */
async function actorNames(tx: Transaction, clientId: string): Promise<(entry: HistoryEntry) => string> {
  const operators = await listOperators(tx);
  const logins = new Map(operators.map(({ operatorId, login }) => [String(operatorId), login]));
  return ({ actor: { kind, id } }) => {
    if (kind === 'merchant') return clientId;
    return kind === 'operator' ? (logins.get(id) ?? id) : id;
  };
}

/** Throws when a document was uploaded for another question or as another type than its row says. */
export async function checkedDocuments(tx: Transaction, kycCase: KycCase, key: Buffer): Promise<DocumentRow[]> {
  const rows = await listSubmittedDocuments(tx, kycCase);
  for (const { document_id: documentId, question, media_type: mediaType, bytes, seal } of rows) {
    checkDocument(key, kycCase, { documentId, question, mediaType, bytes, seal });
  }
  return rows;
}

function internalReasonOf(
  key: Buffer,
  kycCase: KycCase,
  { version }: HistoryEntry,
  notes: ReadonlyMap<number, Buffer>,
): string | undefined {
  const sealed = notes.get(version);
  return sealed && openReason(key, kycCase, version, sealed);
}
