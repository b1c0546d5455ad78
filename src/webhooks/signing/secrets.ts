/** The secrets that sign notifications: sealed in the database, shown to the merchant once. */
import { randomBytes, randomUUID } from 'node:crypto';
import { recordAudit } from '../../audit/service.js';
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { MerchantId } from '../../ids.js';
import { open, seal } from '../../keys/sealing.js';
import type { Transaction } from '../../postgres/statement.js';
import type { SealedSecret } from './secret-store.js';
import * as store from './secret-store.js';
import { writtenSecret } from './signature.js';

export interface NewSecret {
  readonly secret: string;
  /** Until when the one before signs along; undefined when there is none. */
  readonly previousSignsUntil: Date | undefined;
}

const secretBytes = 32;
const overlapHours = 24;

/** Two sign at once at most: whoever rotates again before the day is over would silence a receiver. */
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
    sealed: seal(sealingKey, secret, placeOf(merchantId, secretId)),
  });
  const subject = `merchant:${merchantId}`;
  const { endOthers } = options;
  await recordAudit(tx, {
    ...by,
    action: 'webhook.secret_rotated',
    subject,
    merchantId,
    details: { endOthers },
  });
  return {
    secret: writtenSecret(secret),
    previousSignsUntil: options.endOthers ? undefined : previousSignsUntil,
  };
}

export function openSecret(
  sealingKey: Buffer,
  merchantId: MerchantId,
  { secretId, sealed }: SealedSecret,
): Buffer {
  return open(sealingKey, sealed, placeOf(merchantId, secretId));
}

/** Moved to another row or merchant it does not open. */
function placeOf(merchantId: MerchantId, secretId: string): string {
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
