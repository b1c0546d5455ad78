/** Shows suspense records with the names of their merchants, and their history with the logins of operators. */
import { clientIdsOf } from '../../../merchants/service.js';
import { loginsOf } from '../../../operators/service.js';
import type { Queryable } from '../../../postgres/statement.js';
import { type InstanceSealer, ofNote } from '../../sealed.js';
import type { SuspenseStep } from '../history.js';
import type { SuspenseRecord } from '../suspense.js';

/** A record with the client id of its owner; undefined for the instance. */
export interface ShownSuspense {
  readonly record: SuspenseRecord;
  readonly clientId: string | undefined;
}

export interface ShownStep extends Omit<SuspenseStep, 'operatorId' | 'sealedNote'> {
  /** The login of the operator who asked for it; undefined for policies, jobs and rails. */
  readonly login: string | undefined;
  readonly note: string | undefined;
}

export async function shownRecords(database: Queryable, records: readonly SuspenseRecord[]): Promise<ShownSuspense[]> {
  const owners = records.map(({ ownerId }) => ownerId);
  const clientIds = await clientIdsOf(database, owners);
  return records.map((record) => ({ record, clientId: clientIds.get(record.ownerId) }));
}

/** Throws `BrokenSeal` when a note was changed. */
export async function shownSteps(
  database: Queryable,
  sealer: InstanceSealer,
  { ownerId, suspenseId }: SuspenseRecord,
  steps: readonly SuspenseStep[],
): Promise<ShownStep[]> {
  const logins = await loginsOf(database);
  return steps.map(({ operatorId, sealedNote, ...step }) => ({
    ...step,
    login: operatorId && (logins.get(operatorId) ?? String(operatorId)),
    note: sealedNote && sealer.openNote(ofNote(ownerId, suspenseId, step.version), sealedNote),
  }));
}
