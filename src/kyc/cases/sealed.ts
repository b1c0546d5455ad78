/** Seals the internal reasons of decisions under the user's retained key, bound to their rows. */
import { bindingOf, open, seal } from '../../keys/sealing.js';
import type { KycCase } from './case.js';

export type CaseRef = Pick<KycCase, 'merchantId' | 'caseId' | 'userId'>;

export function sealReason(key: Buffer, kycCase: CaseRef, version: number, reason: string): Buffer {
  return seal(key, Buffer.from(reason), reasonBinding(kycCase, version));
}

export function openReason(key: Buffer, kycCase: CaseRef, version: number, sealed: Buffer): string {
  return open(key, sealed, reasonBinding(kycCase, version)).toString();
}

function reasonBinding({ merchantId, userId, caseId }: CaseRef, version: number): string {
  return bindingOf('kyc_notes', 'sealed_reason', merchantId, userId, caseId, version);
}
