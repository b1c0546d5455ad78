/** A change of a case's state: the row, its history, the audit entry and the event, all or none. */
import { actorId } from '../audit/audit.js';
import { recordAudit } from '../audit/service.js';
import type { By } from '../caller.js';
import { RemesaError } from '../errors.js';
import type { Transaction } from '../postgres/statement.js';
import { recordEvent } from '../webhooks/service.js';
import {
  type CaseState,
  type KycCase,
  type KycLevel,
  type Part,
  type PublicReason,
  viewOfCase,
} from './case.js';
import { sealReason } from './sealed.js';
import { addHistory, saveState } from './store.js';
import { type CaseTransition, stateAfter } from './transitions.js';

export interface TransitionDetails {
  readonly reasons?: readonly PublicReason[];
  readonly parts?: readonly Part[];
  readonly isFinal?: boolean;
  /** For operators' eyes, sealed under the user's key. */
  readonly internal?: { readonly reason: string; readonly key: Buffer };
  /** Of an approval that rests on a document. */
  readonly documentExpiresOn?: string | undefined;
}

/** How long an approval lasts, unless the document ends before. */
const validMonths: Readonly<Record<KycLevel, number>> = { LEVEL_1: 24, LEVEL_2: 24, LEVEL_3: 12 };

const decisions: readonly CaseTransition[] = [
  'approve_automatically',
  'approve',
  'reject',
  'request',
  'revoke',
];
const beginnings: readonly CaseTransition[] = ['submit', 'reopen'];

/** The caller holds the lock of the case's row. */
export async function transitionCase(
  tx: Transaction,
  by: By,
  kycCase: KycCase,
  move: CaseTransition,
  details: TransitionDetails = {},
): Promise<KycCase> {
  const state = kycCase.isClosed ? undefined : stateAfter(kycCase.state, move);
  if (!state) throw notDecidable(kycCase);
  const { reasons = [], parts = [], isFinal = false, internal, documentExpiresOn } = details;
  const after = await saveState(tx, kycCase, {
    state,
    reasons,
    requestedParts: parts,
    isFinal,
    decided: decisions.includes(move) ? 'now' : beginnings.includes(move) ? 'not yet' : 'as before',
    validMonths: validMonths[kycCase.level],
    documentExpiresOn,
  });
  if (!after) throw notDecidable(kycCase);
  const sealed = internal && sealReason(internal.key, after, after.version, internal.reason);
  await recordTransition(tx, by, after, move, kycCase.state, sealed);
  return after;
}

/** Also the first of a case, which comes from nothing. */
export async function recordTransition(
  tx: Transaction,
  { actor, requestId }: By,
  after: KycCase,
  move: CaseTransition,
  from: CaseState | null,
  sealedInternalReason: Buffer | undefined,
): Promise<void> {
  const { merchantId, caseId, state, reasons, requestedParts } = after;
  await addHistory(tx, {
    after,
    move,
    from,
    actorKind: actor.kind,
    actorId: actorId(actor),
    sealedInternalReason,
  });
  await recordAudit(tx, merchantId, {
    actor,
    ...(requestId === undefined ? {} : { requestId }),
    action: `kyc.${move}`,
    subject: `kyc:${caseId}`,
    ...(from === null ? {} : { fromState: from }),
    toState: state,
    details: { reasons, requestedParts },
  });
  await recordEvent(tx, {
    merchantId,
    channel: 'kyc',
    type: `kyc.${state.toLowerCase()}`,
    subject: caseId,
    object: viewOfCase(after),
    previousStatus: from,
  });
}

export function notDecidable(kycCase: KycCase): RemesaError {
  return new RemesaError(
    'conflict',
    'kyc_case_not_decidable',
    kycCase.isClosed
      ? 'The user of this case was deleted.'
      : `This decision is not possible for a case in the state ${kycCase.state}.`,
    { members: { caseStatus: kycCase.state } },
  );
}
