/**
 * Seals what was asked for, the reasons of refusals, and answers with secrets. A sealed payload opens only beside the
 * columns it came with.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../keys/derive.js';
import { BrokenSeal, bindingOf, open, seal } from '../keys/sealing.js';
import type { Approval, ApprovalRequest } from './approval.js';

export class ApprovalSeals {
  readonly #sealingKey: Buffer;
  readonly #hashingKey: Buffer;

  constructor(rootKey: Buffer) {
    this.#sealingKey = deriveKey(rootKey, 'approval payloads');
    this.#hashingKey = deriveKey(rootKey, 'approval payload hashes');
  }

  sealPayload(request: ApprovalRequest, payload: string): { sealedPayload: Buffer; payloadHash: Buffer } {
    const sealedPayload = seal(this.#sealingKey, Buffer.from(payload), payloadBinding(request));
    return { sealedPayload, payloadHash: this.#hash(payload) };
  }

  /** Undefined when the payload, its hash, or anything that was asked for has been altered in the database. */
  openPayload(approval: Approval, sealedPayload: Buffer): string | undefined {
    try {
      const payload = open(this.#sealingKey, sealedPayload, payloadBinding(approval)).toString();
      return timingSafeEqual(this.#hash(payload), approval.payloadHash) ? payload : undefined;
    } catch (error) {
      if (error instanceof BrokenSeal) return undefined;
      throw error;
    }
  }

  sealReason(approval: ApprovalRequest, reason: string): Buffer {
    return seal(this.#sealingKey, Buffer.from(reason), reasonBinding(approval));
  }

  openReason(approval: ApprovalRequest, sealedReason: Buffer): string {
    return open(this.#sealingKey, sealedReason, reasonBinding(approval)).toString();
  }

  sealAnswer(approval: ApprovalRequest, answer: string): Buffer {
    return seal(this.#sealingKey, Buffer.from(answer), answerBinding(approval));
  }

  openAnswer(approval: ApprovalRequest, sealedAnswer: Buffer): string {
    return open(this.#sealingKey, sealedAnswer, answerBinding(approval)).toString();
  }

  /** Keyed, because the hash stays in the audit log and a name could be guessed from a plain hash. */
  #hash(payload: string): Buffer {
    return createHmac('sha256', this.#hashingKey).update(payload).digest();
  }
}

function payloadBinding(request: ApprovalRequest): string {
  const { merchantId, approvalId, action, operationId, subject, records, version } = request;
  const { requestedBy, requestedAt, expiresAt } = request;
  return bindingOf(
    'approval_requests',
    'sealed_payload',
    merchantId,
    approvalId,
    action,
    operationId,
    subject,
    records,
    version,
    requestedBy,
    requestedAt.toISOString(),
    expiresAt.toISOString(),
  );
}

function reasonBinding({ merchantId, approvalId }: ApprovalRequest): string {
  return bindingOf('approval_requests', 'sealed_reason', merchantId, approvalId);
}

function answerBinding({ merchantId, approvalId }: ApprovalRequest): string {
  return bindingOf('approval_requests', 'sealed_answer', merchantId, approvalId);
}
