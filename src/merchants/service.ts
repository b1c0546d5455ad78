/** The verbs of merchants. Each writes an audit entry in the same transaction. */
import type { By } from '../caller.js';
import type { NewChange } from '../changes/change.js';
import { recordChange } from '../changes/service.js';
import { RemesaError } from '../errors.js';
import { instanceTenant, type MerchantId } from '../ids.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { callerStatusChanged } from '../tokens/service.js';
import {
  hashSecret,
  type Merchant,
  type MerchantSettings,
  maxSecrets,
  newClientId,
  newClientSecret,
} from './merchant.js';
import * as store from './store.js';

export { findMerchantById, listClientIdsOf, listMerchants } from './store.js';

export type MerchantChange = Partial<MerchantSettings>;

/** The secret is only in this answer. The database stores its hash. */
export interface NewSecret {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Throws `client_id_taken` when another merchant has the client id. */
export async function createMerchant(
  tx: Transaction,
  by: By,
  merchant: MerchantChange & { name: string; clientId?: string },
): Promise<NewSecret> {
  const { clientId = newClientId(), ...settings } = merchant;
  const clientSecret = newClientSecret();
  await insertMerchant(tx, by, clientId, clientSecret, settings);
  return { clientId, clientSecret };
}

/** Creates the demo merchant of a sandbox. Its secret is public, so a live instance never has it. */
export async function ensureDemoMerchant(tx: Transaction): Promise<void> {
  if (await store.findMerchant(tx, 'demo')) return;
  const by: By = { actor: { kind: 'system', name: 'sandbox' } };
  await insertMerchant(tx, by, 'demo', 'demo-secret', { name: 'Demo merchant' }).catch((error: unknown) => {
    // Another node that started on the same empty database has created it.
    if (!(error instanceof RemesaError && error.code === 'client_id_taken')) throw error;
  });
}

/** Throws `merchant_not_found`. */
export async function getMerchant(database: Queryable, clientId: string): Promise<Merchant> {
  const merchant = await store.findMerchant(database, clientId);
  if (!merchant) throw merchantNotFound();
  return merchant;
}

/** Throws `merchant_not_found`. */
export async function merchantIdOf(database: Queryable, clientId: string): Promise<MerchantId> {
  return (await getMerchant(database, clientId)).merchantId;
}

/** Throws `merchant_not_found`. */
export async function updateMerchant(
  tx: Transaction,
  by: By,
  clientId: string,
  change: MerchantChange,
): Promise<Merchant> {
  const merchant = await lockExisting(tx, clientId);
  const changed = { ...merchant, ...change };
  await store.saveMerchant(tx, merchant.merchantId, changed);
  await audit(tx, by, merchant, 'merchant.updated', { details: { fields: Object.keys(change).sort() } });
  return changed;
}

/** Throws `merchant_not_found`. Does nothing when the merchant has this status already. */
export async function setMerchantStatus(
  tx: Transaction,
  by: By,
  clientId: string,
  status: Merchant['status'],
): Promise<Merchant> {
  const merchant = await lockExisting(tx, clientId);
  if (merchant.status === status) return merchant;
  await store.saveStatus(tx, merchant.merchantId, status);
  const action = status === 'suspended' ? 'merchant.suspended' : 'merchant.resumed';
  await audit(tx, by, merchant, action, { fromState: merchant.status, toState: status });
  tx.wake(callerStatusChanged);
  return { ...merchant, status };
}

/**
 * The previous secret stays valid until the next rotation. `endOthers`, for a secret that has leaked, ends all other
 * secrets and all tokens. Throws `merchant_not_found`.
 */
export async function rotateSecret(
  tx: Transaction,
  by: By,
  clientId: string,
  options: { endOthers: boolean },
): Promise<NewSecret> {
  const merchant = await lockExisting(tx, clientId);
  const clientSecret = newClientSecret();
  const keepAtMost = options.endOthers ? 1 : maxSecrets;
  await store.addSecret(tx, merchant.merchantId, hashSecret(clientSecret), keepAtMost);
  if (options.endOthers) await store.endMerchantTokens(tx, merchant.merchantId);
  await audit(tx, by, merchant, 'merchant.secret_rotated', { details: { endOthers: options.endOthers } });
  tx.wake(callerStatusChanged);
  return { clientId, clientSecret };
}

function merchantNotFound(): RemesaError {
  return new RemesaError('not_found', 'merchant_not_found', 'There is no merchant with this client id.');
}

async function insertMerchant(
  tx: Transaction,
  by: By,
  clientId: string,
  clientSecret: string,
  chosen: MerchantChange & { name: string },
): Promise<void> {
  const settings: MerchantSettings = {
    allowedOrigins: [],
    redirectUrls: [],
    branding: {},
    ...chosen,
  };
  const merchantId = await store.addMerchant(tx, clientId, settings);
  if (merchantId === undefined) {
    throw new RemesaError('conflict', 'client_id_taken', `The client id ${clientId} is taken.`);
  }
  await store.addSecret(tx, merchantId, hashSecret(clientSecret), maxSecrets);
  // An action of the instance, like its key: a transaction writes the rows of one merchant only.
  const subject = `merchant:${merchantId}`;
  await recordChange(tx, by, { merchantId: instanceTenant, action: 'merchant.created', subject, toState: 'active' });
}

async function lockExisting(tx: Transaction, clientId: string): Promise<Merchant> {
  const merchant = await store.lockMerchant(tx, clientId);
  if (!merchant) throw merchantNotFound();
  return merchant;
}

function audit(
  tx: Transaction,
  by: By,
  { merchantId }: Merchant,
  action: string,
  more: Pick<NewChange, 'fromState' | 'toState' | 'details'>,
): Promise<void> {
  return recordChange(tx, by, { merchantId, action, subject: `merchant:${merchantId}`, ...more });
}
