/** The verbs of the licensee: read it, replace it, and know it from memory. */
import type { By } from '../caller.js';
import { changedFields } from '../changes/change.js';
import { recordChange } from '../changes/service.js';
import { RemesaError } from '../errors.js';
import { instanceTenant } from '../ids.js';
import { lockInstance } from '../postgres/instance.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { Refresher } from '../worker/refresher.js';
import { type Licensee, licenseeFaults, type StoredLicensee, simulatedLicensee } from './licensee.js';
import { findLicensee, saveLicensee } from './store.js';

/** The name under which the audit log and approvals know the record. */
export const licenseeRecord = 'licensee:instance';
export { findLicensee } from './store.js';

export const licenseeChanged = 'licensee.changed';
const refreshEveryMs = 5_000;

/**
 * Enters or replaces the record. `version` is the one that was read, 0 for none. Throws `invalid_fields` and
 * `version_conflict`.
 */
export async function replaceLicensee(
  tx: Transaction,
  by: By,
  { licensee, version }: { readonly licensee: Licensee; readonly version: number },
): Promise<StoredLicensee> {
  const errors = licenseeFaults(licensee);
  const [first] = errors;
  if (first) throw new RemesaError('invalid', 'invalid_fields', `${first.field}: ${first.message}`, { errors });
  await lockInstance(tx);
  const before = await findLicensee(tx);
  const currentVersion = before?.version ?? 0;
  if (version !== currentVersion)
    throw new RemesaError('conflict', 'version_conflict', 'The licensee has changed since you read it.', {
      members: { version, currentVersion },
    });
  const saved = await saveLicensee(tx, licensee);
  await recordChange(tx, by, {
    merchantId: instanceTenant,
    action: before ? 'licensee.changed' : 'licensee.created',
    subject: licenseeRecord,
    details: {
      version: saved.version,
      ...changedFields(before && auditedTerms(before.licensee), auditedTerms(licensee)),
    },
  });
  tx.wake(licenseeChanged);
  return saved;
}

/** A sandbox shows complete pages from the start. Does nothing where a licensee was entered. */
export async function addSimulatedLicensee(tx: Transaction): Promise<void> {
  if (await findLicensee(tx)) return;
  await lockInstance(tx);
  if (!(await findLicensee(tx))) await saveLicensee(tx, simulatedLicensee);
}

/** Knows from memory whether there is a licensee. */
export class LicenseeWatch extends Refresher {
  #licensee: Licensee | undefined;

  constructor(database: Queryable) {
    super(async () => {
      this.#licensee = (await findLicensee(database))?.licensee;
    }, refreshEveryMs);
  }

  /** Undefined until somebody has entered it. */
  get current(): Licensee | undefined {
    return this.#licensee;
  }

  /** Nobody may be asked for money without being told who takes it: PSD2 art. 45(1). Throws `licensee_missing`. */
  require(): Licensee {
    const { current } = this;
    if (current) return current;
    throw licenseeMissing();
  }
}

export function licenseeMissing(): RemesaError {
  return new RemesaError('impossible', 'licensee_missing', 'The operator has not entered who holds the licence.');
}

function auditedTerms(licensee: Licensee): Record<string, string> {
  return Object.fromEntries(Object.entries(licensee).map(([name, value]) => [name, JSON.stringify(value)]));
}
