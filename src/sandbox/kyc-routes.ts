/** Lets a merchant verify its own users in the sandbox: approve a level at once, or decide a case as an operator would. */
import Type from 'typebox';
import { command, type Route } from '../http/route.js';
import { publicId } from '../ids.js';
import { caseNotFound, viewOfCase } from '../kyc/cases/case.js';
import { CaseShape, LevelShape, LevelsShape } from '../kyc/cases/schemas.js';
import { decisionFaults, readDecision } from '../kyc/review/decision-wire.js';
import { DecisionShape } from '../kyc/review/schemas.js';
import type { ReviewService } from '../kyc/review/service.js';
import type { KycService } from '../kyc/service.js';

const GrantedLevelShape = Type.Object(
  {
    kycLevel: LevelShape,
    outcome: Type.Optional(
      Type.Enum(['APPROVED', 'IN_REVIEW'], {
        description: '`IN_REVIEW`: the form is filled in, and you decide the case. Absent: `APPROVED`.',
      }),
    ),
  },
  { title: 'GrantedKycLevel', additionalProperties: false, examples: [{ kycLevel: 'LEVEL_2' }] },
);

export function sandboxKycRoutes(kyc: KycService, reviews: ReviewService): Route[] {
  return [
    command({
      tag: 'Sandbox',
      method: 'POST',
      path: '/sandbox/kyc',
      operationId: 'grantKycLevelInSandbox',
      summary: 'Approve a KYC level of a user, without the form',
      description:
        'The user holds the level at once, and you are notified as after a form. A user who was finally rejected, or who has screening hits, does not get it.',
      returns: 'The levels that the user holds now.',
      access: { token: 'merchant', scope: 'kyc', user: 'required' },
      body: GrantedLevelShape,
      answer: LevelsShape,
      refusals: ['kyc_case_not_decidable'],
      async run({ by, caller: { merchantId }, user, body }, tx) {
        const request = { merchantId, user, level: body.kycLevel };
        if (body.outcome === 'IN_REVIEW') await kyc.simulateSubmission(tx, by, request);
        else await kyc.simulateApproval(tx, by, request);
        return { userId: user.id, kycLevels: await kyc.levels(tx, merchantId, user.id) };
      },
    }),
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
