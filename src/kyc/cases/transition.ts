/** A change of the state of a case or of its renewal: the row, the internal reason, and the change in the log, all or none. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import type { Transaction } from '../../postgres/statement.js';
import { type KycCase, type KycLevel, type Part, type PublicReason, progressOf, viewOfCase } from './case.js';
import { actionOf, recordOf } from './history.js';
import { type StatesAfter, statesAfter } from './renewal.js';
import { sealReason } from './sealed.js';
import { addNote, type StateChange, saveState } from './store.js';
import type { CaseTransition } from './transitions.js';

export interface TransitionDetails {
  readonly reasons?: readonly PublicReason[];
  readonly parts?: readonly Part[];
  readonly isFinal?: boolean;
  /** Only operators see it; it is sealed under the user's key. */
  readonly internal?: { readonly reason: string; readonly key: Buffer };
  /** When the document of an approval expires. */
  readonly documentExpiresOn?: string | undefined;
}

/** A change of a renewal that leaves the status of the case as it is. */
export const renewalEventType = 'kyc.renewal_updated';

/** How long an approval lasts, unless the document expires earlier. */
const validMonths: Readonly<Record<KycLevel, number>> = { LEVEL_1: 24, LEVEL_2: 24, LEVEL_3: 12 };

const decisions: readonly CaseTransition[] = ['approve_automatically', 'approve', 'reject', 'request', 'revoke'];
const beginnings: readonly CaseTransition[] = ['submit', 'reopen'];
const approvals: readonly CaseTransition[] = ['approve_automatically', 'approve'];

/**
 * The caller holds the lock of the case's row. Throws `kyc_case_not_decidable` when the state of the case, or of its
 * renewal, does not allow the transition.
 */
export async function transitionCase(
  tx: Transaction,
  by: By,
  kycCase: KycCase,
  move: CaseTransition,
  details: TransitionDetails = {},
): Promise<KycCase> {
  const states = kycCase.isClosed ? undefined : statesAfter(kycCase, move);
  if (!states) throw notDecidable(kycCase);
  const after = await saveState(tx, kycCase, changeOf(kycCase, move, states, details));
  if (!after) throw notDecidable(kycCase);
  const { internal } = details;
  const sealedInternalReason = internal && sealReason(internal.key, after, after.version, internal.reason);
  await recordTransition(tx, by, { before: kycCase, after, move, sealedInternalReason });
  return after;
}

/** Only the case or its renewal gets the new reasons and parts; the other keeps its own. */
function changeOf(
  kycCase: KycCase,
  move: CaseTransition,
  { isRenewal, state, renewal }: StatesAfter,
  { reasons = [], parts = [], isFinal = false, documentExpiresOn }: TransitionDetails,
): StateChange {
  const changed = { version: kycCase.version + 1, reasons, requestedParts: parts, isFinal };
  const renewalAfter = isRenewal ? renewal && { ...changed, state: renewal } : renewal && kycCase.renewal;
  const unchanged = isRenewal && renewal !== undefined;
  return {
    ...(unchanged ? kycCase : changed),
    state,
    renewal: renewalAfter,
    isSubmitted: move === 'submit',
    decided: decisions.includes(move) ? 'now' : beginnings.includes(move) && !isRenewal ? 'not yet' : 'as before',
    approval: approvals.includes(move) ? { validMonths: validMonths[kycCase.level], documentExpiresOn } : undefined,
  };
}

export interface RecordedTransition {
  /** Undefined when the case was opened. */
  readonly before: KycCase | undefined;
  readonly after: KycCase;
  readonly move: CaseTransition;
  readonly sealedInternalReason?: Buffer | undefined;
}

/** Writes the change. One of a renewal alone leaves the status as it is. */
export async function recordTransition(
  tx: Transaction,
  by: By,
  { before, after, move, sealedInternalReason }: RecordedTransition,
): Promise<void> {
  const { merchantId, version, updatedAt: occurredAt } = after;
  const isRenewal = before !== undefined && statesAfter(before, move)?.isRenewal === true;
  const fromState = (isRenewal ? before.renewal?.state : before?.state) ?? null;
  const { state: toState, reasons, requestedParts } = isRenewal ? progressOf(after) : after;
  const isStatusKept = isRenewal && after.renewal !== undefined;
  await Promise.all([
    sealedInternalReason && addNote(tx, after, sealedInternalReason),
    recordChange(tx, by, {
      merchantId,
      action: actionOf(move, isRenewal),
      subject: recordOf(after),
      fromState,
      toState,
      details: { reasons, requestedParts },
      version,
      publicVersion: version,
      event: {
        channel: 'kyc',
        type: isStatusKept ? renewalEventType : `kyc.${after.state.toLowerCase()}`,
        object: viewOfCase(after),
        previousStatus: isStatusKept ? null : (before?.state ?? null),
      },
      occurredAt,
    }),
  ]);
}

export function notDecidable(kycCase: KycCase): RemesaError {
  const { state, renewal } = kycCase;
  const inState = renewal ? `with a renewal in the state ${renewal.state}` : `in the state ${state}`;
  return new RemesaError(
    'conflict',
    'kyc_case_not_decidable',
    kycCase.isClosed ? 'The user of this case was deleted.' : `This decision is not possible for a case ${inState}.`,
    { members: { caseStatus: state, ...(renewal ? { renewalStatus: renewal.state } : {}) } },
  );
}
