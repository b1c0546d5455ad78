/**
 * Politically exposed customers are served only with the approval of senior management, and looked at again each year
 * (Directive (EU) 2015/849 art. 20(b); FATF R.12). Pure.
 */
import { RemesaError } from '../../errors.js';
import type { OperatorId } from '../../ids.js';
import type { QuestionId } from '../cases/requirements.js';
import type { Check } from '../checks/check.js';
import { type Hit, isExposed } from '../hits/hit.js';

/** After how long management decides again. */
export const reviewedAfterMonths = 12;

/** What the check names when the answer in the form was not no. */
const declaredQuestion: QuestionId = 'politicallyExposed';

export interface Acceptance {
  readonly number: number;
  readonly acceptedBy: OperatorId;
  readonly acceptedAt: Date;
  /** Until when it holds. */
  readonly reviewBy: Date;
}

/** Why a user counts as politically exposed: what the form said, and confirmed hits. Empty: the user does not. */
export function exposureOf(checks: readonly Check[], hits: readonly Hit[]): string[] {
  const declared = checks.some(
    ({ check, about = [] }) => check === 'political_exposure' && about.includes(declaredQuestion),
  );
  return [...(declared ? ['declared'] : []), ...hits.filter(isExposed).map(({ hitId }) => hitId)];
}

export function needsManagement(exposure: readonly string[]): RemesaError {
  return new RemesaError(
    'conflict',
    'kyc_case_needs_management',
    'The user is politically exposed, and management has not accepted that, or more than a year ago.',
    { members: { exposure } },
  );
}
