/** The verbs by which merchants change their own secrets. */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { MerchantId } from '../../ids.js';
import type { Transaction } from '../../postgres/statement.js';
import {
  hashSecret,
  type Merchant,
  matchingSecret,
  newClientSecret,
  type Restriction,
  type Secret,
  type StoredSecret,
} from '../merchant.js';
import { announceSecrets, type NewSecret, secretNotFound } from '../service.js';
import { endMerchantTokens, lockMerchantById } from '../store.js';
import { maxRestricted, secretsToEnd } from './own-rotation.js';
import { addSecret, dropSecrets, listSecrets } from './secret-store.js';

/** The secret is only in this answer. */
export interface OwnSecret extends NewSecret {
  readonly secretId: string;
}

/**
 * Makes a new secret. The one before it works on until the merchant makes the next one, and at least for 7 days. Throws
 * `client_secret_wrong` and `secret_rotated_recently`.
 */
export async function rotateOwnSecret(
  tx: Transaction,
  by: By,
  merchantId: MerchantId,
  currentSecret: string,
): Promise<OwnSecret> {
  const { merchant, secrets } = await proved(tx, merchantId, currentSecret);
  await dropSecrets(tx, merchantId, secretsToEnd(secrets));
  return made(tx, by, merchant, undefined);
}

/** Makes a secret that gets tokens of some scopes only. Throws `client_secret_wrong` and `too_many_secrets`. */
export async function addRestrictedSecret(
  tx: Transaction,
  by: By,
  merchantId: MerchantId,
  { currentSecret, ...restricted }: Restriction & { readonly currentSecret: string },
): Promise<OwnSecret> {
  const { merchant, secrets } = await proved(tx, merchantId, currentSecret);
  if (secrets.filter((secret) => secret.restricted).length >= maxRestricted) {
    throw new RemesaError(
      'conflict',
      'too_many_secrets',
      `You have ${maxRestricted} restricted secrets; end one first.`,
    );
  }
  return made(tx, by, merchant, restricted);
}

/**
 * Ends a restricted secret, and all tokens of the merchant. Others are ended by the operator: whoever has stolen a
 * secret must not end the owner's. Throws `client_secret_wrong` and `merchant_secret_not_found`.
 */
export async function endRestrictedSecret(
  tx: Transaction,
  by: By,
  merchantId: MerchantId,
  { currentSecret, secretId }: { readonly currentSecret: string; readonly secretId: string },
): Promise<{ readonly clientId: string; readonly secrets: readonly Secret[] }> {
  const { merchant, secrets } = await proved(tx, merchantId, currentSecret);
  if (!secrets.some((secret) => secret.secretId === secretId && secret.restricted)) throw secretNotFound();
  await dropSecrets(tx, merchantId, [secretId]);
  await endMerchantTokens(tx, merchantId);
  const left = await announceSecrets(tx, by, merchant, { action: 'merchant.secret_ended', details: { secretId } });
  return { clientId: merchant.clientId, secrets: left };
}

interface Proved {
  readonly merchant: Merchant;
  readonly secrets: readonly StoredSecret[];
}

/** Locks the merchant, whose caller knows a secret that is not restricted. Throws `client_secret_wrong`. */
async function proved(tx: Transaction, merchantId: MerchantId, currentSecret: string): Promise<Proved> {
  const merchant = await lockMerchantById(tx, merchantId);
  const secrets = await listSecrets(tx, merchantId);
  const known = matchingSecret(currentSecret, secrets);
  if (merchant && known && !known.restricted) return { merchant, secrets };
  throw new RemesaError(
    'forbidden',
    'client_secret_wrong',
    'currentSecret must be a client secret of yours that works and is not restricted.',
  );
}

async function made(
  tx: Transaction,
  by: By,
  merchant: Merchant,
  restricted: Restriction | undefined,
): Promise<OwnSecret> {
  const { merchantId, clientId } = merchant;
  const clientSecret = newClientSecret();
  const secretId = await addSecret(tx, merchantId, { hash: hashSecret(clientSecret), madeBy: 'merchant', restricted });
  const action = restricted ? 'merchant.secret_created' : 'merchant.secret_rotated';
  await announceSecrets(tx, by, merchant, {
    action,
    details: { secretId, ...(restricted && { scopes: restricted.scopes }) },
  });
  return { clientId, secretId, clientSecret };
}
