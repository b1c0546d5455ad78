/** Derives one key for each purpose from the instance's root key, so that none of them has to be stored. */
import { createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';

export type KeyPurpose =
  | 'idempotency fingerprint'
  | 'idempotency answers'
  | 'audit head'
  | 'changes'
  | 'signing keys'
  | 'quote proofs'
  | 'webhook secrets'
  | 'webhook signatures'
  | 'kyc person index'
  | 'person index'
  | 'blocks'
  | 'screened person'
  | 'documents folder'
  | 'beneficiary account'
  | 'ledger'
  | 'approval payloads'
  | 'approval payload hashes'
  | 'payers'
  | 'payer digests'
  | 'payouts of suspense'
  | 'bank lines'
  | 'payout reports'
  | 'sandbox pick-up codes'
  | 'order accounts'
  | 'bank files'
  | 'second factors';

/**
 * `rootKey` may also be the data key of a user. `owner` distinguishes the keys of a purpose that has one key per
 * merchant, endpoint or document.
 */
export function deriveKey(rootKey: Buffer, purpose: KeyPurpose, owner?: string): Buffer {
  const name = owner === undefined ? purpose : `${purpose} ${owner}`;
  return Buffer.from(hkdfSync('sha256', rootKey, '', `remesa ${name}`, 32));
}

/** The bytes before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

export function deriveSigningKey(rootKey: Buffer, purpose: KeyPurpose, owner?: string): KeyObject {
  const der = Buffer.concat([ed25519Prefix, deriveKey(rootKey, purpose, owner)]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}
