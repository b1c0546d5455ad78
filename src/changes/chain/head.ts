/**
 * Signed heads. A head lists the chains that grew since the head before it and covers that head's hash, so the newest
 * head covers the end of every chain, and chains that did not grow cost nothing.
 */
import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { type TenantId, tenantId } from '../../ids.js';
import type { ChainEnd } from './chain.js';

/** The end of one merchant's chain. */
export interface MerchantEnd extends ChainEnd {
  readonly merchantId: TenantId;
}

export interface AuditHead {
  readonly number: bigint;
  readonly previousHash: Buffer;
  readonly ends: readonly MerchantEnd[];
  readonly signedAt: Date;
  readonly hash: Buffer;
  readonly signature: Buffer;
}

/** An end as it is stored and hashed: merchant, number, hash in hexadecimal. */
export type WrittenEnd = readonly [merchantId: string, number: string, hash: string];

export const noHead = { number: 0n, hash: Buffer.alloc(32) } as const;

export function signHead(
  key: KeyObject,
  previous: Pick<AuditHead, 'number' | 'hash'>,
  ends: readonly MerchantEnd[],
  signedAt: Date,
): AuditHead {
  const unsigned = { number: previous.number + 1n, previousHash: previous.hash, ends, signedAt };
  const hash = headHash(unsigned);
  return { ...unsigned, hash, signature: sign(null, headMessage(unsigned.number, hash), key) };
}

/** Returns false when the content is not the content that was signed, or the signature is not valid. */
export function isHeadGenuine(publicKey: KeyObject, head: AuditHead): boolean {
  const isHashOfContent = head.hash.equals(headHash(head));
  return isHashOfContent && verify(null, headMessage(head.number, head.hash), publicKey, head.signature);
}

export function writeEnds(ends: readonly MerchantEnd[]): WrittenEnd[] {
  return ends.map(({ merchantId, number, hash }) => [String(merchantId), String(number), hash.toString('hex')]);
}

/** Throws when the value does not have the form that `writeEnds` writes. */
export function readEnds(written: readonly WrittenEnd[]): MerchantEnd[] {
  return written.map(([merchantId, number, hash]) => ({
    merchantId: tenantId(Number(merchantId)),
    number: BigInt(number),
    hash: Buffer.from(hash, 'hex'),
  }));
}

function headHash({
  number,
  previousHash,
  ends,
  signedAt,
}: Pick<AuditHead, 'number' | 'previousHash' | 'ends' | 'signedAt'>): Buffer {
  const canonical = JSON.stringify([
    previousHash.toString('hex'),
    number.toString(),
    signedAt.getTime(),
    writeEnds(ends),
  ]);
  return createHash('sha256').update(canonical).digest();
}

function headMessage(number: bigint, hash: Buffer): Buffer {
  return Buffer.from(`remesa audit signed head ${number} ${hash.toString('hex')}`);
}
