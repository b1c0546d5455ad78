/** The verbs of corridors, for operators. */
import { createHash } from 'node:crypto';
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import type { RowSource } from '../../changes/row.js';
import { findAltered, recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant } from '../../ids.js';
import { lockInstance } from '../../postgres/instance.js';
import type { SealedQueryable, Transaction } from '../../postgres/statement.js';
import { type Pair, pairKey } from '../board/guard.js';
import { boardChanged, type RatesContext, updateCorridorRates } from '../board/rate-state.js';
import { type Corridor, type CorridorTerms, corridorPrefix, digestedCorridor, isSameTerms } from './corridor.js';
import { listCorridors, saveCorridor } from './store.js';

export { listCorridors } from './store.js';

/** Corridors that an operator has saved. Those of a new installation come without a change. */
export const corridorRows: RowSource = {
  prefix: corridorPrefix,
  async find(database, merchantId, subjects) {
    if (merchantId !== instanceTenant) return [];
    const corridors = (await listCorridors(database)).map(digestedCorridor);
    return corridors.filter(({ subject }) => subjects.includes(subject));
  },
};

export interface CorridorEdit extends Pair {
  readonly terms: CorridorTerms;
  /** The version that was edited, 0 for a corridor that does not exist yet. Undefined: any version is replaced. */
  readonly version: number | undefined;
}

/** Those that somebody has changed in the database, past the service. */
export function alteredCorridors(database: SealedQueryable, corridors: readonly Corridor[]): Promise<Corridor[]> {
  const rows = corridors.map((corridor) => ({ ...corridor, ...digestedCorridor(corridor) }));
  return findAltered(database, instanceTenant, rows, { areInstalled: true });
}

/**
 * Saves all corridors or none. Throws `version_conflict` when one of them has changed since the edited version. What
 * somebody changed past the service is saved over: the operator says what holds.
 */
export async function saveCorridors(
  tx: Transaction,
  context: RatesContext,
  by: By,
  edits: readonly CorridorEdit[],
): Promise<Corridor[]> {
  await lockInstance(tx);
  refuseConflicts(edits, await listCorridors(tx));
  const saved: Corridor[] = [];
  for (const { fiatIn, fiatOut, terms } of edits) {
    const corridor = await saveCorridor(tx, fiatIn, fiatOut, terms);
    const { isOpen, marginBasisPoints, feeBasisPoints, version } = corridor;
    const details = { isOpen, marginBasisPoints, feeBasisPoints, version };
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
