/** The verbs of corridors, for operators. */
import { createHash } from 'node:crypto';
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { changedFields } from '../../changes/change.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant } from '../../ids.js';
import { lockInstance } from '../../postgres/instance.js';
import type { Transaction } from '../../postgres/statement.js';
import { type Pair, pairKey } from '../board/guard.js';
import { boardChanged, type RatesContext, updateCorridorRates } from '../board/rate-state.js';
import { auditedTerms, type Corridor, type CorridorTerms, isSameTerms } from './corridor.js';
import { listCorridors, saveCorridor } from './store.js';

export { listCorridors } from './store.js';

export interface CorridorEdit extends Pair {
  readonly terms: CorridorTerms;
  /** The version that was edited, 0 for a corridor that does not exist yet. Undefined: any version is replaced. */
  readonly version: number | undefined;
}

/** Saves all corridors or none. Throws `version_conflict` when one of them has changed since the edited version. */
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
  for (const { fiatIn, fiatOut, terms } of edits) {
    const corridor = await saveCorridor(tx, fiatIn, fiatOut, terms);
    const { isOpen, marginBasisPoints, feeBasisPoints, version } = corridor;
    const before = current.get(recordOf(corridor));
    const changed = changedFields(before && auditedTerms(before), auditedTerms(corridor));
    const details = { isOpen, marginBasisPoints, feeBasisPoints, version, ...changed };
    await recordChange(tx, by, {
      merchantId: instanceTenant,
      action: 'corridor.saved',
      subject: recordOf(corridor),
      details,
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
  const isRisky = (edit: CorridorEdit) => edit.terms.isOpen && !isSameTerms(edit.terms, current.get(recordOf(edit)));
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
