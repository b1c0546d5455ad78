/** What operators do with cases: look through them, look at one, decide. */
import Type, { type Static } from 'typebox';
import { ListPage } from '../../http/answer.js';
import { command, type Route, read, stream } from '../../http/route.js';
import { publicId } from '../../ids.js';
import { findMerchant, findMerchantById, merchantNotFound } from '../../merchants/service.js';
import { listOperators } from '../../operators/service.js';
import type { Database } from '../../postgres/database.js';
import type { Queryable } from '../../postgres/statement.js';
import { type KycCase, viewOfCase } from '../case.js';
import { CaseFileShape, CaseShape, DecisionShape, QueuedCaseShape, QueueQuery } from '../schemas.js';
import { caseNotFound } from '../service.js';
import type { HistoryRow } from '../store.js';
import { decisionFaults, readDecision } from './decision-wire.js';
import { findMerchantOfCase, listQueue, type QueuePlace } from './queue-store.js';
import type { CaseFile, ReviewService } from './service.js';

const described = { tag: 'KYC for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
/** Who sees what people entered must be someone who decides on it. */
const forReviewers = { ...described, access: { token: 'operator', role: 'reviewer' } } as const;
const CaseId = Type.String({ description: 'The id of the case.' });
const CasePath = Type.Object({ caseId: CaseId });

export function operatorKycRoutes(database: Database, reviews: ReviewService): Route[] {
  return [queueRoute(), fileRoute(reviews), documentRoute(database, reviews), decisionRoute(reviews)];
}

function queueRoute(): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/kyc',
    operationId: 'listKycQueue',
    summary: 'List KYC cases',
    description:
      'Contains nothing personal. The header `Link` names the next page. Cases of deleted users are left out.',
    returns: 'A page of cases, those that have waited longest first.',
    query: QueueQuery,
    answer: Type.Array(QueuedCaseShape),
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const { status: state, level, zone, merchant, limit = 50, after } = call.query;
      const merchantId = merchant === undefined ? undefined : await merchantIdOf(database, merchant);
      const page = await listQueue(database, { state, level, zone, merchantId }, placeOf(after), limit);
      const cases = await withMerchants(database, page.cases);
      return new ListPage(cases, page.next && nextAddress(call.query, page.next));
    },
  });
}

function fileRoute(reviews: ReviewService): Route {
  return command({
    ...forReviewers,
    method: 'GET',
    path: '/operator/kyc/{caseId}',
    operationId: 'getKycCaseFile',
    summary: 'Get a KYC case with its submission',
    // Each look is recorded, so none is answered from a stored answer.
    idempotency: false,
    description: 'Each request is recorded in the audit log.',
    returns: 'The case with answers, checks, documents and history.',
    params: CasePath,
    answer: CaseFileShape,
    refusals: ['kyc_case_not_found'],
    async run(call, tx) {
      const file = await reviews.look(tx, call.by, caseIdOf(call.params.caseId));
      const merchant = await findMerchantById(tx, file.kycCase.merchantId);
      const logins = new Map(
        (await listOperators(tx)).map(({ operatorId, login }) => [String(operatorId), login]),
      );
      return encodeFile(file, merchant?.clientId ?? '', logins);
    },
  });
}

function documentRoute(database: Database, reviews: ReviewService): Route {
  return stream({
    ...forReviewers,
    method: 'GET',
    path: '/operator/kyc/{caseId}/documents/{documentId}',
    operationId: 'getKycDocument',
    summary: 'Download a document of a KYC case',
    description:
      'An attachment, with a content security policy that lets nothing in it run. Each request is recorded in the audit log.',
    returns: 'The document.',
    params: Type.Object({
      caseId: CaseId,
      documentId: Type.String({ description: 'The id of the document, from the case.' }),
    }),
    answer: Type.String({ contentMediaType: 'application/octet-stream', examples: ['…'] }),
    answerTypes: ['image/jpeg', 'image/png', 'application/pdf'],
    refusals: ['kyc_case_not_found', 'kyc_document_not_found'],
    async run(call, queryable) {
      const { documentId } = call.params;
      const caseId = caseIdOf(call.params.caseId);
      const found = await database.transaction((tx) =>
        reviews.lookAtDocument(tx, call.by, caseId, documentId),
      );
      const { media_type: mediaType, question } = found.document;
      const ending = { 'image/jpeg': 'jpg', 'image/png': 'png' }[mediaType] ?? 'pdf';
      return {
        mediaType,
        headers: {
          'content-disposition': `attachment; filename="${caseId}-${question}.${ending}"`,
          'content-security-policy': "sandbox; default-src 'none'",
          'cache-control': 'no-store',
        },
        chunks: reviews.readDocument(queryable, found),
      };
    },
  });
}

function decisionRoute(reviews: ReviewService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/kyc/{caseId}/decision',
    operationId: 'decideKycCase',
    summary: 'Decide a KYC case',
    subject: (call, database) => merchantOfCase(database, caseIdOf(call.params.caseId)),
    description: 'To approve a case although one of its checks failed, give an `internalReason`.',
    returns: 'The case after the decision.',
    params: CasePath,
    body: DecisionShape,
    inspect: (body) => decisionFaults(body, { isSandbox: false }),
    answer: CaseShape,
    refusals: ['kyc_case_not_found', 'kyc_case_not_decidable', 'kyc_document_expired'],
    async run(call, tx) {
      const decision = readDecision(call.body);
      return viewOfCase(await reviews.decideAsOperator(tx, call.by, caseIdOf(call.params.caseId), decision));
    },
    async onRefused(call, error, tx) {
      if (error.code !== 'kyc_case_not_decidable') return;
      const { decision } = call.body;
      await reviews.noteRefusedDecision(tx, call.by, caseIdOf(call.params.caseId), decision);
    },
  });
}

function caseIdOf(text: string) {
  const caseId = publicId('kyc', text);
  if (caseId === undefined) throw caseNotFound();
  return caseId;
}

async function merchantOfCase(database: Queryable, caseId: string) {
  const merchantId = await findMerchantOfCase(database, caseId);
  if (merchantId === undefined) throw caseNotFound();
  return merchantId;
}

async function merchantIdOf(database: Queryable, clientId: string) {
  const merchant = await findMerchant(database, clientId);
  if (!merchant) throw merchantNotFound();
  return merchant.merchantId;
}

async function withMerchants(
  database: Queryable,
  cases: readonly KycCase[],
): Promise<Static<typeof QueuedCaseShape>[]> {
  const ids = [...new Set(cases.map(({ merchantId }) => merchantId))];
  const merchants = await Promise.all(ids.map((id) => findMerchantById(database, id)));
  const clientIds = new Map(
    merchants.flatMap((merchant) => (merchant ? [[merchant.merchantId, merchant.clientId]] : [])),
  );
  return cases.map((kycCase) => ({
    ...viewOfCase(kycCase),
    merchant: clientIds.get(kycCase.merchantId) ?? '',
  }));
}

function placeOf(after: string | undefined): QueuePlace | undefined {
  const [atMicros, caseId] = after?.split('.') ?? [];
  return atMicros === undefined || caseId === undefined ? undefined : { atMicros, caseId };
}

function nextAddress(query: Static<typeof QueueQuery>, next: QueuePlace): string {
  const search = new URLSearchParams(
    Object.entries({ ...query, after: `${next.atMicros}.${next.caseId}` }).map(([name, value]) => [
      name,
      String(value),
    ]),
  );
  return `/operator/kyc?${search}`;
}

function encodeFile(
  file: CaseFile,
  merchant: string,
  logins: ReadonlyMap<string, string>,
): Static<typeof CaseFileShape> {
  const { kycCase, submission } = file;
  return {
    ...viewOfCase(kycCase),
    merchant,
    isUserDeleted: kycCase.isClosed,
    answers: file.answers ? { ...file.answers } : null,
    consent: submission
      ? {
          version: submission.consentVersion,
          locale: submission.locale,
          givenAt: submission.submittedAt.toISOString(),
        }
      : null,
    checks: (submission?.checks ?? []).map(({ about, ...check }) => ({
      ...check,
      ...(about ? { about: [...about] } : {}),
    })),
    documents: file.documents.map((row) => ({
      documentId: row.document_id,
      question: row.question,
      mediaType: row.media_type,
      bytes: row.bytes,
      storedAt: row.stored_at.toISOString(),
      isCurrent: row.is_current,
    })),
    history: file.history.map((row) => ({
      from: row.from_state,
      to: row.to_state,
      at: row.occurred_at.toISOString(),
      actorKind: row.actor_kind,
      actorId: row.actor_id,
      actor: `${row.actor_kind}:${actorName(row, merchant, logins)}`,
      reasons: row.reasons,
      requestedParts: row.requested_parts,
      internalReason: row.internalReason ?? null,
    })),
  };
}

/** A case belongs to one merchant, so a merchant who acted on it is that one. */
function actorName(
  { actor_kind: kind, actor_id: id }: HistoryRow,
  merchant: string,
  logins: ReadonlyMap<string, string>,
): string {
  if (kind === 'merchant') return merchant;
  return kind === 'operator' ? (logins.get(id) ?? id) : id;
}
