/** The verbs of merchants on their policies: read and declare them. */
import type { By } from '../../caller.js';
import { changedFields } from '../../changes/change.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import type { MerchantId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { type DeclaredPolicies, defaultPolicies, digestedPolicies } from './policies.js';
import { findPolicies, savePolicies } from './policy-store.js';

/** What holds now: what the merchant declared, or the defaults. */
export async function policiesOf(database: Queryable, merchantId: MerchantId): Promise<DeclaredPolicies> {
  return (await findPolicies(database, merchantId)) ?? { ...defaultPolicies, version: 0 };
}

/**
 * They hold for payments that are recorded from now on. Throws `policies_changed` when `version` is not the newest, and
 * `ledger_fault` when somebody else has changed them in the database.
 */
export async function declarePolicies(
  tx: Transaction,
  by: By,
  merchantId: MerchantId,
  declared: DeclaredPolicies,
): Promise<DeclaredPolicies> {
  const before = await findPolicies(tx, merchantId);
  const isNewest = declared.version === (before?.version ?? 0);
  const saved = isNewest ? await savePolicies(tx, merchantId, declared) : undefined;
  if (!saved) throw policiesChanged((await policiesOf(tx, merchantId)).version);
  await recordChange(tx, by, {
    ...digestedPolicies(merchantId, saved),
    rowBefore: before && digestedPolicies(merchantId, before).row,
    merchantId,
    action: 'policies.declared',
    details: { ...saved, ...changedFields({ ...(before ?? defaultPolicies) }, { ...saved }) },
    version: saved.version,
  });
  return saved;
}

function policiesChanged(version: number): RemesaError {
  const message = 'The policies have changed since you read them.';
  return new RemesaError('conflict', 'policies_changed', message, { members: { version } });
}
