/** The history of a case: its transitions and those of its renewals, as the log of changes has them. */
import type { Change, Reference } from '../../changes/change.js';
import { listHistory } from '../../changes/service.js';
import type { Queryable } from '../../postgres/statement.js';
import { type CaseState, type KycCase, type Part, type PublicReason, progressOf } from './case.js';

export interface HistoryEntry {
  readonly version: number;
  readonly move: string;
  /** Whether the states are those of the renewal, beside the state of the case. */
  readonly isRenewal: boolean;
  readonly from: CaseState | null;
  readonly to: CaseState;
  readonly actor: Reference;
  readonly reasons: readonly PublicReason[];
  readonly requestedParts: readonly Part[];
  readonly occurredAt: Date;
}

const prefix = 'kyc.';
const renewalPrefix = 'kyc.renewal_';

/** The action under which the log knows a transition. */
export function actionOf(move: string, isRenewal: boolean): string {
  return `${isRenewal ? renewalPrefix : prefix}${move}`;
}

export function recordOf({ caseId }: Pick<KycCase, 'caseId'>): string {
  return `kyc:${caseId}`;
}

/** The oldest first. */
export async function listCaseHistory(database: Queryable, kycCase: KycCase): Promise<HistoryEntry[]> {
  const { merchantId } = kycCase;
  return (await listHistory(database, { merchantId, subject: recordOf(kycCase) })).map(toEntry);
}

/** The reasons of the rejection that a reopened form follows: the change before the reopening. Empty when there was none. */
export async function findRejectionBefore(database: Queryable, kycCase: KycCase): Promise<readonly PublicReason[]> {
  const { version } = progressOf(kycCase);
  const entries = await listCaseHistory(database, kycCase);
  return entries.find((entry) => entry.version === version - 1 && entry.to === 'REJECTED')?.reasons ?? [];
}

function toEntry(change: Change): HistoryEntry {
  const { action, actor, version, fromState, toState, details, occurredAt } = change;
  const isRenewal = action.startsWith(renewalPrefix);
  return {
    version,
    move: action.slice((isRenewal ? renewalPrefix : prefix).length),
    isRenewal,
    from: (fromState ?? null) as CaseState | null,
    to: toState as CaseState,
    actor,
    reasons: (details.reasons ?? []) as PublicReason[],
    requestedParts: (details.requestedParts ?? []) as Part[],
    occurredAt,
  };
}
