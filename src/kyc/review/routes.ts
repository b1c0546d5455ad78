/** Routes for operators: list cases, read a case and its documents, decide. */
import Type, { type Static } from 'typebox';
import { ListPage } from '../../http/answers/answer.js';
import { attachment } from '../../http/answers/stream.js';
import { auditedRead, auditedStream, command, type Route, read } from '../../http/route.js';
import { publicId } from '../../ids.js';
import { caseNotFound, viewOfCase } from '../cases/case.js';
import { CaseShape } from '../cases/schemas.js';
import { encodeHitFile } from '../hits/routes.js';
import type { CaseFile } from './case-file.js';
import { decisionFaults, readDecision } from './decision-wire.js';
import { listQueuedCases } from './queue.js';
import type { QueuePlace } from './queue-store.js';
import { CaseFileShape, OperatorDecisionShape, QueuedCaseShape, QueueQuery } from './schemas.js';
import type { ReviewService } from './service.js';

const described = { tag: 'KYC for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
/** Only reviewers may read what users entered. */
const forReviewers = { ...described, access: { token: 'operator', role: 'reviewer' } } as const;
const CaseId = Type.String({ description: 'The id of the case.' });
const CasePath = Type.Object({ caseId: CaseId });

export function operatorKycRoutes(reviews: ReviewService): Route[] {
  return [queueRoute(), fileRoute(reviews), documentRoute(reviews), decisionRoute(reviews)];
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
      const { status: state, level, zone, merchant: clientId, limit = 50, after } = call.query;
      const request = { state, level, zone, clientId, after: placeOf(after), limit };
      const { cases, next } = await listQueuedCases(database, request);
      const encoded = cases.map((queued) => ({ ...viewOfCase(queued.kycCase), merchant: queued.clientId }));
      return new ListPage(encoded, next && nextAddress(call.query, next));
    },
  });
}

function fileRoute(reviews: ReviewService): Route {
  return auditedRead({
    ...forReviewers,
    method: 'GET',
    path: '/operator/kyc/{caseId}',
    operationId: 'getKycCaseFile',
    summary: 'Get a KYC case with its submission',
    description:
      'With the screening hits that stand in the way of an approval. The audit log has the reading of the case, and of each hit.',
    returns: 'The case with answers, checks, documents, hits and history, and what may be decided.',
    params: CasePath,
    answer: CaseFileShape,
    refusals: ['kyc_case_not_found'],
    async run(call, tx) {
      return encodeFile(await reviews.look(tx, call.by, caseIdOf(call.params.caseId)));
    },
  });
}

function documentRoute(reviews: ReviewService): Route {
  return auditedStream({
    ...forReviewers,
    method: 'GET',
    path: '/operator/kyc/{caseId}/documents/{documentId}',
    operationId: 'getKycDocument',
    summary: 'Download a document of a KYC case',
    description: 'The document is sent as an attachment, and browsers run no script in it.',
    returns: 'The document.',
    params: Type.Object({
      caseId: CaseId,
      documentId: Type.String({ description: 'The id of the document, from the case.' }),
    }),
    answer: Type.String({ contentMediaType: 'application/octet-stream', examples: ['…'] }),
    answerTypes: ['image/jpeg', 'image/png', 'application/pdf'],
    refusals: ['kyc_case_not_found', 'kyc_document_not_found'],
    look: (call, tx) => reviews.lookAtDocument(tx, call.by, caseIdOf(call.params.caseId), call.params.documentId),
    async run(_call, database, found) {
      const { media_type: mediaType, question } = found.document;
      const ending = { 'image/jpeg': 'jpg', 'image/png': 'png' }[mediaType] ?? 'pdf';
      return {
        mediaType,
        headers: attachment(`${found.kycCase.caseId}-${question}.${ending}`),
        chunks: reviews.readDocument(database, found),
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
    subject: (call) => reviews.merchantOf(caseIdOf(call.params.caseId)),
    description:
      'To approve a case although one of its checks failed, give an `internalReason`. A case of a user with open or confirmed screening hits cannot be approved, nor one of a politically exposed user whom management has not accepted.',
    returns: 'The case after the decision.',
    params: CasePath,
    body: OperatorDecisionShape,
    inspect: (body) => decisionFaults(body, { isSandbox: false }),
    answer: CaseShape,
    refusals: [
      'kyc_case_not_found',
      'kyc_case_not_decidable',
      'kyc_case_has_hits',
      'kyc_case_needs_management',
      'kyc_document_expired',
      'version_conflict',
    ],
    async run(call, tx) {
      const decision = readDecision(call.body);
      const { version } = call.body;
      return viewOfCase(
        await reviews.decideAsOperator(tx, call.by, caseIdOf(call.params.caseId), { ...decision, version }),
      );
    },
    async onRefused(call, error, tx) {
      if (error.code !== 'kyc_case_not_decidable' && error.code !== 'kyc_case_has_hits') return;
      const { decision } = call.body;
      await reviews.recordRefusedDecision(tx, call.by, caseIdOf(call.params.caseId), decision);
    },
  });
}

function caseIdOf(text: string) {
  const caseId = publicId('kyc', text);
  if (caseId === undefined) throw caseNotFound();
  return caseId;
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

function encodeFile(file: CaseFile): Static<typeof CaseFileShape> {
  const { kycCase, submission } = file;
  return {
    ...viewOfCase(kycCase),
    version: kycCase.version,
    merchant: file.clientId,
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
    history: file.history.map((entry) => ({
      isRenewal: entry.isRenewal,
      from: entry.from,
      to: entry.to,
      at: entry.occurredAt.toISOString(),
      actorKind: entry.actor.kind,
      actorId: entry.actor.id,
      actor: `${entry.actor.kind}:${entry.actorName}`,
      reasons: [...entry.reasons],
      requestedParts: [...entry.requestedParts],
      internalReason: entry.internalReason ?? null,
    })),
    comparison: file.comparison.map(({ field, declared, machineReadable, registered, differs }) => ({
      field,
      declared: declared ?? null,
      machineReadable: machineReadable ?? null,
      registered: registered ?? null,
      differs: [...differs],
    })),
    hits: file.hits.map(encodeHitFile),
    decisions: [...file.decisions],
    parts: [...file.parts],
  };
}
