/**
 * The job that voids what imported files recorded, part by part. A part that was interrupted is done again, which voids
 * nothing twice.
 */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { TenantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import type { Job } from '../../worker/worker.js';
import type { VoidService } from '../corrections/void-service.js';
import { type InstanceSealer, ofImport } from '../sealed.js';
import { claimNextPartToVoid, endVoid, findVoidRequest, listOwnersToVoidFor, type PartToVoid } from './import-store.js';
import { voidImportJob } from './service.js';

export interface VoidImportOptions {
  readonly database: Database;
  readonly voids: VoidService;
  readonly sealer: InstanceSealer;
}

const leaseSeconds = 120;

export function voidImportJobOf(options: VoidImportOptions): Job {
  return { name: voidImportJob, everySeconds: 30, run: (signal) => run(options, signal) };
}

/** One part of each owner in turn. Returns how many. */
async function run(options: VoidImportOptions, signal: AbortSignal): Promise<number> {
  let done = 0;
  for (const owner of await listOwnersToVoidFor(options.database)) {
    if (signal.aborted) return done;
    if (await voidNextPart(options, owner)) done += 1;
  }
  return done;
}

async function voidNextPart(options: VoidImportOptions, owner: TenantId): Promise<boolean> {
  const { database, sealer } = options;
  const part = await claimNextPartToVoid(database, owner, leaseSeconds);
  const request = part && (await findVoidRequest(database, part));
  if (!part || !request) return false;
  const by: By = { actor: { kind: 'operator', operatorId: request.operator, role: 'reviewer' } };
  const note = sealer.openNote(ofImport(owner, part.importId), request.sealedNote);
  for (const paymentId of recordedBy(part)) await voidOne(options, by, paymentId, note);
  await database.transaction((tx) => endVoid(tx, part));
  return true;
}

/** A payment that has moved on stays. What fails is tried again with its part. */
async function voidOne({ database, voids }: VoidImportOptions, by: By, paymentId: string, note: string) {
  try {
    await database.transaction((tx) => voids.void(tx, by, paymentId, { note }));
  } catch (error) {
    const isRefused = error instanceof RemesaError && error.kind === 'conflict';
    if (!isRefused) throw error;
  }
}

/** What the lines recorded, and not what had been recorded before. */
function recordedBy({ results }: PartToVoid): string[] {
  return results.flatMap(({ outcome, paymentId }) => (outcome === 'duplicate' ? [] : (paymentId ?? [])));
}
