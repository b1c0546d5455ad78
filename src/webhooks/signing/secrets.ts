/** The secrets that sign notifications. They are encrypted in the database and shown to the merchant once. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import type { MerchantId } from '../../ids.js';
import { open, seal } from '../../keys/sealing.js';
import type { Transaction } from '../../postgres/statement.js';
import type { SealedSecret } from './secret-store.js';
import * as store from './secret-store.js';
import { writtenSecret } from './signature.js';

export interface NewSecret {
  readonly secret: string;
  /** Until when the previous secret keeps signing; undefined when there is none. */
  readonly previousSignsUntil: Date | undefined;
}

const secretBytes = 32;
const overlapHours = 24;

/**
 * At most two secrets sign at once. Throws `webhook_secret_rotating` while the previous secret still signs, because a
 * receiver that uses it would reject every notification. `endOthers` ends all previous secrets at once instead.
 */
export async function rotateWebhookSecret(
  tx: Transaction,
  by: By,
  sealingKey: Buffer,
  merchantId: MerchantId,
  options: { endOthers: boolean },
): Promise<NewSecret> {
  await store.lockSecrets(tx, merchantId);
  const expiring = await store.findExpiringSecret(tx, merchantId);
  if (expiring && !options.endOthers) throw rotating(expiring);
  const overlap = options.endOthers ? 0 : overlapHours;
  const previousSignsUntil = await store.expireSecrets(tx, merchantId, overlap);
  const secret = randomBytes(secretBytes);
  const secretId = randomUUID();
  await store.addSecret(tx, merchantId, {
    secretId,
    sealed: seal(sealingKey, secret, bindingOf(merchantId, secretId)),
  });
  const subject = `merchant:${merchantId}`;
  const { endOthers } = options;
  await recordChange(tx, by, { merchantId, action: 'webhook.secret_rotated', subject, details: { endOthers } });
  return {
    secret: writtenSecret(secret),
    previousSignsUntil: options.endOthers ? undefined : previousSignsUntil,
  };
}

export function openSecret(sealingKey: Buffer, merchantId: MerchantId, { secretId, sealed }: SealedSecret): Buffer {
  return open(sealingKey, sealed, bindingOf(merchantId, secretId));
}

/** Binds the encrypted secret to its row: it cannot be decrypted in another row or for another merchant. */
function bindingOf(merchantId: MerchantId, secretId: string): string {
  return `webhook_secrets|${merchantId}|${secretId}`;
}

function rotating(until: Date): RemesaError {
  return new RemesaError(
    'conflict',
    'webhook_secret_rotating',
    'The previous secret still signs. Rotate again when it has ended, or repeat the request that made the current one ' +
      'with its Idempotency-Key.',
    { members: { previousSignsUntil: until.toISOString() } },
  );
}
