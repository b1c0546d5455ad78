/** Seals rows by a keyed hash (HMAC-SHA256), so that the service recognises what it wrote itself. */
import { createHmac } from 'node:crypto';
import type { TenantId } from '../ids.js';
import { deriveKey } from './derive.js';

/** Returns the seal of a content, under a key of the merchant. */
export type Sealer = (merchantId: TenantId, content: string) => Buffer;

export function sealerOf(rootKey: Buffer): Sealer {
  const keys = new Map<TenantId, Buffer>();
  return (merchantId, content) => {
    const key = keys.get(merchantId) ?? deriveKey(rootKey, 'changes', String(merchantId));
    keys.set(merchantId, key);
    return createHmac('sha256', key).update(content).digest();
  };
}
