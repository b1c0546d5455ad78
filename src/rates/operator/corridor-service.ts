/** The verbs of corridors, for operators. */
import { createHash } from 'node:crypto';
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { changedFields } from '../../changes/change.js';
import { recordChange } from '../../changes/service.js';
import { invalidField, RemesaError } from '../../errors.js';
import { instanceTenant } from '../../ids.js';
import { lockInstance } from '../../postgres/instance.js';
import type { Transaction } from '../../postgres/statement.js';
import { type Pair, pairKey } from '../board/guard.js';
import { boardChanged, type RatesContext, updateCorridorRates } from '../board/rate-state.js';
import {
  auditedTerms,
  type Corridor,
  type CorridorTerms,
  digestedCorridor,
  type EditedTerms,
  isSameTerms,
} from '../corridors/corridor.js';
import { defaultRateTerms, defaultWaitingTerms } from '../corridors/default-terms.js';
import { listCorridors, saveCorridor } from '../corridors/store.js';

export { listCorridors } from '../corridors/store.js';

export interface CorridorEdit extends Pair {
  readonly terms: EditedTerms;
  /** The version that was edited, 0 for a corridor that does not exist yet. Undefined: any version is replaced. */
  readonly version: number | undefined;
}

/**
 * Saves all corridors or none. Throws `version_conflict` when one of them has changed since the edited version, and
 * `invalid_fields` when a rate would be guaranteed for longer than the payment may take. What somebody changed past the
 * service is saved over: the operator says what holds.
 */
export async function saveCorridors(
  tx: Transaction,
  context: RatesContext,
  by: By,
  edits: readonly CorridorEdit[],
): Promise<Corridor[]> {
  await lockInstance(tx);
  const corridors = await listCorridors(tx);
  refuseConflicts(edits, corridors);
  const current = new Map(corridors.map((corridor) => [recordOf(corridor), corridor]));
  const saved: Corridor[] = [];
  for (const edit of edits) {
    const terms = completeTerms(edit, current.get(recordOf(edit)));
    if (terms.rateGuaranteeHours > terms.paymentDueHours)
      throw invalidField('rateGuaranteeHours', 'not_allowed', 'must not be more than paymentDueHours');
    const corridor = await saveCorridor(tx, edit.fiatIn, edit.fiatOut, terms);
    const { isOpen, marginBasisPoints, feeBasisPoints, version } = corridor;
    const before = current.get(recordOf(corridor));
    const changed = changedFields(before && auditedTerms(before), auditedTerms(corridor));
    const details = { isOpen, marginBasisPoints, feeBasisPoints, version, ...changed };
    await recordChange(tx, by, {
      ...digestedCorridor(corridor),
      merchantId: instanceTenant,
      action: 'corridor.saved',
      details,
      version,
    });
    saved.push(corridor);
  }
  await updateCorridorRates(tx, context);
  tx.wake(boardChanged);
  return saved;
}

/**
 * What saving these corridors is about; undefined when one person is enough: to close corridors, to change closed ones,
 * and to save open ones as they are.
 */
export async function reviewCorridors(
  tx: Transaction,
  edits: readonly CorridorEdit[],
): Promise<ApprovalSubject | undefined> {
  await lockInstance(tx);
  const current = new Map((await listCorridors(tx)).map((corridor) => [recordOf(corridor), corridor]));
  const isRisky = (edit: CorridorEdit) => {
    const corridor = current.get(recordOf(edit));
    return edit.terms.isOpen && !isSameTerms(completeTerms(edit, corridor), corridor);
  };
  if (!edits.some(isRisky)) return undefined;
  const records = edits.map(recordOf);
  const versions = records.map((record) => `${record} ${current.get(record)?.version ?? 0}`);
  const [only] = records;
  return {
    subject: records.length === 1 && only !== undefined ? only : 'corridor:several',
    version: createHash('sha256').update(versions.join()).digest('hex'),
    records,
  };
}

/** What the edit leaves out stays as it is; a new corridor gets the defaults. */
function completeTerms({ fiatIn, fiatOut, terms }: CorridorEdit, corridor: Corridor | undefined): CorridorTerms {
  const before = corridor ?? { ...defaultRateTerms(fiatIn, fiatOut), ...defaultWaitingTerms };
  const { rateToleranceBasisPoints, rateMaxAgeHours, onHold } = before;
  const { rateGuaranteeHours, paymentDueHours, maxUnpaidOrders, countsUnpaidOrders } = before;
  return {
    rateToleranceBasisPoints,
    rateMaxAgeHours,
    onHold,
    rateGuaranteeHours,
    paymentDueHours,
    maxUnpaidOrders,
    countsUnpaidOrders,
    ...terms,
  };
}

/** The corridors that the edits replace, in the same order. Undefined where there is none yet. */
export async function replacedCorridors(tx: Transaction, edits: readonly Pair[]): Promise<(Corridor | undefined)[]> {
  const current = new Map((await listCorridors(tx)).map((corridor) => [recordOf(corridor), corridor]));
  return edits.map((edit) => current.get(recordOf(edit)));
}

/** The name under which the audit log and approvals know a corridor. */
export function recordOf({ fiatIn, fiatOut }: Pair): string {
  return `corridor:${fiatIn}-${fiatOut}`;
}

function refuseConflicts(edits: readonly CorridorEdit[], corridors: readonly Corridor[]): void {
  const versions = new Map(corridors.map(({ fiatIn, fiatOut, version }) => [pairKey(fiatIn, fiatOut), version]));
  const conflicts = edits.flatMap(({ fiatIn, fiatOut, version }) => {
    const currentVersion = versions.get(pairKey(fiatIn, fiatOut)) ?? 0;
    return version === undefined || version === currentVersion ? [] : [{ fiatIn, fiatOut, version, currentVersion }];
  });
  if (conflicts.length === 0) return;
  throw new RemesaError('conflict', 'version_conflict', 'A corridor has changed since you read it.', {
    members: { conflicts },
  });
}
