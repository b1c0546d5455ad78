/** Routes of section 4.2 of the API contract, of levels and cases. */
import Type from 'typebox';
import { type Route, read } from '../http/route.js';
import { publicId } from '../ids.js';
import { caseNotFound, caseStates, viewOfCase } from './cases/case.js';
import { CaseShape, LevelsShape, StatesShape } from './cases/schemas.js';
import { transitions } from './cases/transitions.js';
import type { KycService } from './service.js';

const described = { tag: 'KYC' } as const;
const ofUser = { token: 'either', scope: 'kyc', user: 'required' } as const;

export function kycRoutes(kyc: KycService): Route[] {
  return [
    read({
      ...described,
      method: 'GET',
      path: '/kyc',
      operationId: 'getKycLevels',
      summary: 'Find KYC levels of a user',
      description: 'The levels that the user holds now: approved and not expired. A level includes the lower ones.',
      returns: 'The levels that the user holds now, lowest first.',
      access: ofUser,
      answer: LevelsShape,
      async run(call, database) {
        const kycLevels = await kyc.levels(database, call.caller.merchantId, call.user.id);
        return { userId: call.user.id, kycLevels };
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/kyc/cases',
      operationId: 'listKycCases',
      summary: 'List a user’s KYC cases',
      description: 'One case for each level and zone that a form was requested for.',
      returns: 'The user’s cases, the oldest first.',
      access: ofUser,
      answer: Type.Array(CaseShape),
      async run(call, database) {
        return (await kyc.listCases(database, call.caller.merchantId, call.user.id)).map(viewOfCase);
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/kyc/cases/{id}',
      operationId: 'getKycCase',
      summary: 'Get a KYC case',
      returns: 'The case.',
      access: { token: 'either', scope: 'kyc', user: 'optional' },
      params: Type.Object({ id: Type.String({ description: 'The id of the case.' }) }),
      answer: CaseShape,
      refusals: ['kyc_case_not_found'],
      async run(call, database) {
        const caseId = publicId('kyc', call.params.id);
        if (caseId === undefined) throw caseNotFound();
        return viewOfCase(await kyc.findCase(database, call.caller.merchantId, caseId, call.user?.id));
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/meta/kyc-states',
      operationId: 'getKycStates',
      summary: 'List the states of a KYC case',
      returns: 'All states, and the transitions between them.',
      access: { token: 'either', scope: 'kyc', user: 'none' },
      answer: StatesShape,
      run: async () => ({
        states: [...caseStates],
        transitions: transitions.map((transition) => ({ ...transition })),
      }),
    }),
  ];
}
