/** Lets a merchant decide the KYC cases of its own users in the sandbox, as an operator would. */
import Type from 'typebox';
import { command, type Route } from '../http/route.js';
import { publicId } from '../ids.js';
import { viewOfCase } from '../kyc/case.js';
import { decisionFaults, readDecision } from '../kyc/review/decision-wire.js';
import type { ReviewService } from '../kyc/review/service.js';
import { CaseShape, DecisionShape } from '../kyc/schemas.js';
import { caseNotFound } from '../kyc/service.js';

export function sandboxKycRoutes(reviews: ReviewService): Route[] {
  return [
    command({
      tag: 'Sandbox',
      method: 'POST',
      path: '/sandbox/kyc/{caseId}/decision',
      operationId: 'decideKycCaseInSandbox',
      summary: 'Decide a KYC case of your own, as an operator would',
      returns: 'The case after the decision.',
      access: { token: 'merchant', scope: 'kyc', user: 'none' },
      params: Type.Object({ caseId: Type.String({ description: 'The id of the case.' }) }),
      body: DecisionShape,
      inspect: (body) => decisionFaults(body, { isSandbox: true }),
      answer: CaseShape,
      refusals: ['kyc_case_not_found', 'kyc_case_not_decidable', 'kyc_document_expired'],
      async run(call, tx) {
        const caseId = publicId('kyc', call.params.caseId);
        if (caseId === undefined) throw caseNotFound();
        const { merchantId } = call.caller;
        return viewOfCase(await reviews.decide(tx, call.by, { merchantId, caseId }, readDecision(call.body)));
      },
    }),
  ];
}
