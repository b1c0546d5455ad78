/** The verbs of merchants. Each writes an audit entry in the same transaction. */
import { createHash } from 'node:crypto';
import type { ApprovalSubject } from '../approval.js';
import type { By } from '../caller.js';
import { changedFields, type NewChange } from '../changes/change.js';
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
  type Secret,
} from './merchant.js';
import { secretsEvent } from './secrets/secret-events.js';
import * as secrets from './secrets/secret-store.js';
import * as store from './store.js';

export { listSecrets } from './secrets/secret-store.js';
export { clientIdsOf, findMerchantById, listMerchants } from './store.js';

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
  const details = { fields: Object.keys(change).sort(), ...changedFields(auditedOf(merchant), auditedOf(changed)) };
  await audit(tx, by, merchant, 'merchant.updated', { details });
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
 * The previous secret stays valid until the next rotation, and restricted secrets stay. `endOthers`, for a secret that
 * has leaked, ends all other secrets and all tokens. Throws `merchant_not_found`.
 */
export async function rotateSecret(
  tx: Transaction,
  by: By,
  clientId: string,
  options: { endOthers: boolean },
): Promise<NewSecret> {
  const merchant = await lockExisting(tx, clientId);
  const clientSecret = newClientSecret();
  const { merchantId } = merchant;
  const before = await secrets.listSecrets(tx, merchantId);
  const ended = options.endOthers ? before : before.filter(({ restricted }) => !restricted).slice(maxSecrets - 1);
  await secrets.dropSecrets(
    tx,
    merchantId,
    ended.map(({ secretId }) => secretId),
  );
  await secrets.addSecret(tx, merchantId, {
    hash: hashSecret(clientSecret),
    madeBy: 'operator',
    restricted: undefined,
  });
  if (options.endOthers) await store.endMerchantTokens(tx, merchant.merchantId);
  await announceSecrets(tx, by, merchant, { action: 'merchant.secret_rotated', details: options });
  return { clientId, clientSecret };
}

/**
 * Ends a secret and all tokens of the merchant, for a secret that has leaked. Returns the secrets that are left. Throws
 * `merchant_not_found` and `merchant_secret_not_found`.
 */
export async function endSecret(tx: Transaction, by: By, clientId: string, secretId: string): Promise<Secret[]> {
  const merchant = await lockExisting(tx, clientId);
  if ((await secrets.dropSecrets(tx, merchant.merchantId, [secretId])) === 0) throw secretNotFound();
  await store.endMerchantTokens(tx, merchant.merchantId);
  return announceSecrets(tx, by, merchant, { action: 'merchant.secret_ended', details: { secretId } });
}

/** What a new secret is about. Throws `merchant_not_found`. */
export async function reviewRotation(tx: Transaction, clientId: string): Promise<ApprovalSubject> {
  const { merchantId } = await lockExisting(tx, clientId);
  // Restricted secrets do not count: making them must not put off a rotation for ever.
  const newest = (await secrets.listSecrets(tx, merchantId)).find(({ restricted }) => !restricted);
  const subject = `merchant:${clientId}`;
  // The log of changes knows the merchant by its number.
  return { subject, version: newest?.secretId ?? 'none', records: [subject, `merchant:${merchantId}`] };
}

/** What a new merchant is about. There is no record yet that could show it, or change. */
export async function reviewCreation({
  clientId,
  name,
}: {
  clientId?: string;
  name: string;
}): Promise<ApprovalSubject> {
  const generated = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return { subject: `new_merchant:${clientId ?? generated}`, version: 'new', records: [] };
}

/** The merchant is told whenever its secrets change, because whoever has one can act in its name. */
export async function announceSecrets(
  tx: Transaction,
  by: By,
  merchant: Merchant,
  { action, details }: { action: string; details: NewChange['details'] },
): Promise<Secret[]> {
  const left = await secrets.listSecrets(tx, merchant.merchantId);
  await audit(tx, by, merchant, action, { details, event: secretsEvent(action, merchant, left) });
  tx.wake(callerStatusChanged);
  return left;
}

export function secretNotFound(): RemesaError {
  return new RemesaError('not_found', 'merchant_secret_not_found', 'The merchant has no such secret.');
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
    notifySenders: 'none',
    ...chosen,
  };
  const merchantId = await store.addMerchant(tx, clientId, settings);
  if (merchantId === undefined) {
    throw new RemesaError('conflict', 'client_id_taken', `The client id ${clientId} is taken.`);
  }
  await secrets.addSecret(tx, merchantId, {
    hash: hashSecret(clientSecret),
    madeBy: 'operator',
    restricted: undefined,
  });
  // An action of the instance, like its key: a transaction writes the rows of one merchant only.
  const subject = `merchant:${merchantId}`;
  await recordChange(tx, by, { merchantId: instanceTenant, action: 'merchant.created', subject, toState: 'active' });
}

/** Without the branding: a logo is large, and the address for support may be a person's. */
function auditedOf({ name, allowedOrigins, redirectUrls, notifySenders }: MerchantSettings) {
  return { name, allowedOrigins, redirectUrls, notifySenders };
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
  more: Pick<NewChange, 'fromState' | 'toState' | 'details' | 'event'>,
): Promise<void> {
  return recordChange(tx, by, { merchantId, action, subject: `merchant:${merchantId}`, ...more });
}
