/**
 * Keyed hashes (HMAC-SHA256) by which verification recognises what the service wrote. Whoever can write to the database
 * but does not know the key can change no posting without being noticed. The change that wrote a journal covers its
 * seal.
 */
import { createHmac } from 'node:crypto';
import type { TenantId } from '../../ids.js';
import { deriveKey } from '../../keys/derive.js';
import type { Journal, Posting } from '../journal.js';

/** A journal without postings, as a seal covers it. Times are text with microseconds, as the database writes them. */
export interface SealedFields extends Pick<Journal, 'merchantId' | 'journalId' | 'event' | 'reverses' | 'reason'> {
  readonly occurredAt: string;
  readonly recordedAt: string;
}

const headBytes = 32;
const bytesPerPosting = 8;

export class LedgerSealer {
  readonly #keys = new Map<TenantId, Buffer>();

  constructor(readonly rootKey: Buffer) {}

  /**
   * The seal of a journal: a hash over everything, then eight bytes for each posting, which tell which one was changed.
   */
  seal(journal: Journal): Buffer {
    const occurredAt = microsecondText(journal.occurredAt);
    const fields = { ...journal, occurredAt, recordedAt: microsecondText(journal.recordedAt) };
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

  #head({ merchantId, journalId, event, reverses, reason, ...times }: SealedFields, marks: readonly Buffer[]) {
    const fields = [journalId.toString(), event, reverses?.toString() ?? null, reason ?? null];
    return this.#hash(merchantId, [
      'journal',
      ...fields,
      times.occurredAt,
      times.recordedAt,
      ...marks.map((mark) => mark.toString('hex')),
    ]);
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
