/** Shows suspense records with the names of their merchants, and their history with the logins of operators. */
import { instanceTenant, type TenantId } from '../../../ids.js';
import { listClientIdsOf } from '../../../merchants/service.js';
import { listOperators } from '../../../operators/service.js';
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
  const owners = records.flatMap(({ ownerId }) => (ownerId === instanceTenant ? [] : [ownerId]));
  const found = owners.length === 0 ? [] : await listClientIdsOf(database, [...new Set(owners)]);
  const clientIds = new Map<TenantId, string>(found.map(({ merchantId, clientId }) => [merchantId, clientId]));
  return records.map((record) => ({ record, clientId: clientIds.get(record.ownerId) }));
}

/** Throws `BrokenSeal` when a note was changed. */
export async function shownSteps(
  database: Queryable,
  sealer: InstanceSealer,
  { ownerId, suspenseId }: SuspenseRecord,
  steps: readonly SuspenseStep[],
): Promise<ShownStep[]> {
  const isDecided = steps.some(({ operatorId }) => operatorId !== undefined);
  const operators = isDecided ? await listOperators(database) : [];
  const logins = new Map(operators.map(({ operatorId, login }) => [operatorId, login]));
  return steps.map(({ operatorId, sealedNote, ...step }) => ({
    ...step,
    login: operatorId && (logins.get(operatorId) ?? String(operatorId)),
    note: sealedNote && sealer.openNote(ofNote(ownerId, suspenseId, step.version), sealedNote),
  }));
}
