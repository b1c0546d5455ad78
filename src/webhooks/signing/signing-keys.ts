/**
 * Each merchant has its own Ed25519 key, so a signature for one proves nothing to another. Keys are derived, not
 * stored.
 */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { MerchantId } from '../../ids.js';
import { deriveSigningKey } from '../../keys/derive.js';
import { writtenPublicKey } from './signature.js';

export interface PublishedKey {
  readonly id: string;
  readonly publicKey: string;
}

const keysCached = 1000;

export class MerchantSigningKeys {
  /** Creating a key object costs more than signing with it. */
  readonly #cache = new Map<MerchantId, KeyObject>();

  constructor(readonly rootKey: Buffer) {}

  privateKeyOf(merchantId: MerchantId): KeyObject {
    const cached = this.#cache.get(merchantId);
    if (cached) return cached;
    const key = deriveSigningKey(this.rootKey, 'webhook signatures', `merchant ${merchantId}`);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size >= keysCached && oldest !== undefined) this.#cache.delete(oldest);
    this.#cache.set(merchantId, key);
    return key;
  }

  publishedKeyOf(merchantId: MerchantId): PublishedKey {
    const publicKey = writtenPublicKey(createPublicKey(this.privateKeyOf(merchantId)));
    const id = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
    return { id, publicKey };
  }
}
