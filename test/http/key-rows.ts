/** Claims and rows of idempotency keys, for tests that play the transaction of another process. */
import { randomBytes } from 'node:crypto';
import type { KeyClaim } from '../../src/http/commands/idempotency.js';
import { merchantId } from '../../src/ids.js';

export function newKey(): KeyClaim {
  return {
    merchantId: merchantId(1),
    scopeHash: randomBytes(32),
    fingerprint: randomBytes(32),
    keepForHours: 24,
    sealingKey: undefined,
  };
}

export const insertRow = `
  INSERT INTO idempotency_keys (merchant_id, scope_hash, fingerprint, answer, expires_at)
  VALUES ($1, $2, $3, 'the answer', clock_timestamp() + interval '1 day')`;

export function valuesOf(key: KeyClaim): unknown[] {
  return [key.merchantId, key.scopeHash, key.fingerprint];
}
