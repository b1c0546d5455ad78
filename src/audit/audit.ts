/**
 * The audit log records who did what. An entry is written in the transaction of the change, then numbered and chained.
 * Entries contain ids, states and names of fields but no personal data, so erasing a user never breaks the chain.
 */
import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import type { Actor } from '../caller.js';
import type { MerchantId } from '../ids.js';

export interface AuditRecord {
  readonly actor: Actor;
  /** The action as `room.verb`, such as `merchant.suspended`. */
  readonly action: string;
  /** The object of the action as `kind:id`, such as `merchant:7`. */
  readonly subject: string;
  readonly merchantId?: MerchantId;
  readonly fromState?: string;
  readonly toState?: string;
  readonly details?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly requestId?: string;
}

/** Identifies an actor or a subject. `operator:3` is the operator with the id 3. */
export interface Reference {
  readonly kind: string;
  readonly id: string;
}

/** Reads `kind:id`. The id may contain colons. */
export function referenceOf(text: string): Reference {
  const colon = text.indexOf(':');
  return colon < 0 ? { kind: text, id: '' } : { kind: text.slice(0, colon), id: text.slice(colon + 1) };
}

/** An entry as it is hashed: every column as text, exactly as the database writes it. */
export interface ChainedEntry {
  readonly content: readonly (string | null)[];
  readonly sequence: bigint;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

export interface AuditHead {
  readonly sequence: bigint;
  readonly hash: Buffer;
  readonly signature: Buffer;
}

export const emptyChain = { sequence: 0n, hash: Buffer.alloc(32) } as const;

export function entryHash(
  previousHash: Buffer,
  sequence: bigint,
  content: readonly (string | null)[],
): Buffer {
  const canonical = JSON.stringify([previousHash.toString('hex'), sequence.toString(), ...content]);
  return createHash('sha256').update(canonical).digest();
}

export function signHead(key: KeyObject, sequence: bigint, hash: Buffer): AuditHead {
  return { sequence, hash, signature: sign(null, headMessage(sequence, hash), key) };
}

export function isHeadGenuine(publicKey: KeyObject, head: AuditHead): boolean {
  return verify(null, headMessage(head.sequence, head.hash), publicKey, head.signature);
}

export function actorId(actor: Actor): string {
  switch (actor.kind) {
    case 'merchant':
      return String(actor.merchantId);
    case 'user':
      return String(actor.userId);
    case 'operator':
      return String(actor.operatorId);
    case 'system':
      return actor.name;
  }
}

function headMessage(sequence: bigint, hash: Buffer): Buffer {
  return Buffer.from(`remesa audit head ${sequence} ${hash.toString('hex')}`);
}
