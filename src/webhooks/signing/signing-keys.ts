/** Each merchant's own Ed25519 key: what one is sent proves nothing to another. Derived, so that none has to be kept. */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { MerchantId } from '../../ids.js';
import { deriveSigningKey } from '../../keys/derive.js';
import { writtenPublicKey } from './signature.js';

export interface PublishedKey {
  readonly id: string;
  readonly publicKey: string;
}

const keptAtMost = 1000;

export class MerchantSigningKeys {
  /** Making a key object costs more than signing with it. */
  readonly #kept = new Map<MerchantId, KeyObject>();

  constructor(readonly rootKey: Buffer) {}

  privateKeyOf(merchantId: MerchantId): KeyObject {
    const kept = this.#kept.get(merchantId);
    if (kept) return kept;
    const key = deriveSigningKey(this.rootKey, 'webhook signatures', `merchant ${merchantId}`);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= keptAtMost && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(merchantId, key);
    return key;
  }

  publishedKeyOf(merchantId: MerchantId): PublishedKey {
    const publicKey = writtenPublicKey(createPublicKey(this.privateKeyOf(merchantId)));
    const id = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
    return { id, publicKey };
  }
}
