/**
 * Keyed hashes (HMAC-SHA256) by which verification recognises what the service wrote. Whoever can write to the database
 * but does not know the key can change neither a posting nor the order of journals without being noticed.
 */
import { createHmac } from 'node:crypto';
import type { TenantId } from '../../ids.js';
import { deriveKey } from '../../keys/derive.js';
import type { Journal, Posting } from '../journal.js';

export interface LedgerEnd {
  readonly number: bigint;
  readonly hash: Buffer;
}

/**
 * A journal without postings, as a seal covers it. `occurredAt` is text with microseconds, as the database writes it.
 */
export interface SealedFields extends Pick<Journal, 'merchantId' | 'journalId' | 'event' | 'reverses' | 'reason'> {
  readonly occurredAt: string;
}

export const emptyLedger: LedgerEnd = { number: 0n, hash: Buffer.alloc(32) };

const headBytes = 32;
const bytesPerPosting = 8;

export class LedgerSealer {
  readonly #keys = new Map<TenantId, Buffer>();

  constructor(readonly rootKey: Buffer) {}

  /**
   * The seal of a journal: a hash over everything, then eight bytes for each posting, which tell which one was changed.
   */
  seal(journal: Journal): Buffer {
    const fields = { ...journal, occurredAt: microsecondText(journal.occurredAt) };
    const marks = journal.postings.map((posting, index) => this.#mark(fields, index + 1, posting));
    return Buffer.concat([this.#head(fields, marks), ...marks]);
  }

  /** Whether the fields of the journal are those that were sealed, whatever became of its postings. */
  isHeadGenuine(fields: SealedFields, seal: Buffer): boolean {
    const marks: Buffer[] = [];
    for (let at = headBytes; at < seal.length; at += bytesPerPosting)
      marks.push(seal.subarray(at, at + bytesPerPosting));
    return this.#head(fields, marks).equals(seal.subarray(0, headBytes));
  }

  isPostingGenuine(fields: SealedFields, seal: Buffer, position: number, posting: Posting): boolean {
    const at = headBytes + (position - 1) * bytesPerPosting;
    return this.#mark(fields, position, posting).equals(seal.subarray(at, at + bytesPerPosting));
  }

  /** The hash of a numbered journal. The seal stands for its fields and postings. */
  chainHash(
    merchantId: TenantId,
    previousHash: Buffer,
    number: bigint,
    { journalId, recordedAt, seal }: { journalId: bigint; recordedAt: string; seal: Buffer },
  ): Buffer {
    const link = [previousHash.toString('hex'), number.toString(), journalId.toString(), recordedAt];
    return this.#hash(merchantId, ['chain', ...link, seal.toString('hex')]);
  }

  #head({ merchantId, journalId, event, reverses, reason, occurredAt }: SealedFields, marks: readonly Buffer[]) {
    const fields = [journalId.toString(), event, reverses?.toString() ?? null, reason ?? null, occurredAt];
    return this.#hash(merchantId, ['journal', ...fields, ...marks.map((mark) => mark.toString('hex'))]);
  }

  #mark({ merchantId, journalId }: SealedFields, position: number, { account, minor, reference }: Posting) {
    const fields = [journalId.toString(), String(position), account, minor.toString(), reference ?? null];
    return this.#hash(merchantId, ['posting', ...fields]).subarray(0, bytesPerPosting);
  }

  #hash(merchantId: TenantId, fields: readonly (string | null)[]): Buffer {
    let key = this.#keys.get(merchantId);
    if (!key) {
      key = deriveKey(this.rootKey, 'ledger', String(merchantId));
      this.#keys.set(merchantId, key);
    }
    return createHmac('sha256', key).update(JSON.stringify(fields)).digest();
  }
}

/** As PostgreSQL writes the time, which has microseconds. */
export function microsecondText(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
