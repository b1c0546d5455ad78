/** The events of a case: one for each state, one before an approval ends, and one for changes of a renewal. */
import Type from 'typebox';
import type { EventType } from '../webhooks/events/event-schemas.js';
import { type CaseState, caseStates } from './cases/case.js';
import { CaseShape, caseExample, StateShape } from './cases/schemas.js';
import { renewalEventType } from './cases/transition.js';
import { transitions } from './cases/transitions.js';

const summaries: Readonly<Record<CaseState, string>> = {
  PENDING: 'A case was opened, or opened again: its form can be filled in',
  SUBMITTED: 'The user sent the form',
  IN_REVIEW: 'The case waits for a reviewer',
  APPROVED: 'The case was approved',
  REJECTED: 'The case was rejected',
  ACTION_REQUIRED: 'The user must send something again',
  EXPIRED: 'The approval has expired',
  REVOKED: 'The approval was revoked',
};

export const kycEventTypes: readonly EventType[] = [
  ...caseStates.map((state) => ({
    type: `kyc.${state.toLowerCase()}`,
    summary: summaries[state],
    previousStatus: Type.Union([StateShape, Type.Null()]),
    previousStatusExample: transitions.find(({ to }) => to === state)?.from ?? null,
    ...caseIn(state),
  })),
  {
    type: 'kyc.expiring',
    summary: 'The approval ends in 30 days, or in 7',
    previousStatus: Type.Null(),
    previousStatusExample: null,
    ...caseIn('APPROVED'),
  },
  {
    type: renewalEventType,
    summary: 'The renewal of an approval changed its state; the status of the case did not change',
    previousStatus: Type.Null(),
    previousStatusExample: null,
    ...caseIn('APPROVED', ['APPROVED', 'EXPIRED']),
    objectExample: {
      ...caseIn('APPROVED').objectExample,
      renewal: { status: 'SUBMITTED', reasons: [], requestedParts: [] },
    },
  },
];

function caseIn(state: CaseState, states: readonly CaseState[] = [state]) {
  const status =
    states.length === 1
      ? Type.Literal(state, { description: 'The state of the case.' })
      : Type.Enum([...states], { description: 'The state of the case.' });
  const isSentBack = state === 'ACTION_REQUIRED';
  return {
    channel: 'kyc' as const,
    object: Type.Unsafe({
      description: 'The case, as `GET /kyc/cases/{id}` showed it at that moment.',
      allOf: [CaseShape, Type.Object({ status })],
    }),
    objectExample: {
      ...caseExample,
      status: state,
      ...(isSentBack ? {} : { reasons: [], requestedParts: [] }),
    },
  };
}
