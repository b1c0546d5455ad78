/** Seals what attempts and reports keep about people, bound to their rows. */
import { instanceTenant, type UserId } from '../ids.js';
import { bindingOf, open, seal } from '../keys/sealing.js';
import type { AttemptRef } from './attempt.js';

/** The row, and whose money it is: a user's, or a suspense record's. */
type Place = AttemptRef & ({ readonly userId: UserId } | { readonly suspenseId: string });

interface DocumentPlace {
  readonly rail: string;
  readonly digest: string;
}

/** `key` is that of `AttemptKeys` here and below, but for reports that belong to nothing we know. */
export function sealContent(key: Buffer, place: Place, content: Buffer): Buffer {
  return seal(key, content, placeOf(place, 'sealed_content'));
}

/** The exact bytes that were sealed. Throws `BrokenSeal`. */
export function openContent(key: Buffer, place: Place, sealed: Buffer): Buffer {
  return open(key, sealed, placeOf(place, 'sealed_content'));
}

export function sealPickupCode(key: Buffer, place: Place, code: string): Buffer {
  return seal(key, Buffer.from(code), placeOf(place, 'sealed_pickup_code'));
}

/** Throws `BrokenSeal`. */
export function openPickupCode(key: Buffer, place: Place, sealed: Buffer): string {
  return open(key, sealed, placeOf(place, 'sealed_pickup_code')).toString();
}

export function sealRaw(key: Buffer, place: Place, raw: string): Buffer {
  const { merchantId, attemptId } = place;
  return seal(key, Buffer.from(raw), bindingOf('payout_reports', 'sealed_raw', merchantId, ownerOf(place), attemptId));
}

export function sealUnmatchedRaw(key: Buffer, rail: string, reportId: string, raw: string): Buffer {
  return seal(key, Buffer.from(raw), bindingOf('payout_reports', 'sealed_raw', instanceTenant, rail, reportId));
}

export function sealDocument(key: Buffer, { rail, digest }: DocumentPlace, document: Buffer): Buffer {
  return seal(key, document, bindingOf('payout_documents', 'sealed_content', instanceTenant, rail, digest));
}

/** Throws `BrokenSeal`. */
export function openDocument(key: Buffer, { rail, digest }: DocumentPlace, sealed: Buffer): Buffer {
  return open(key, sealed, bindingOf('payout_documents', 'sealed_content', instanceTenant, rail, digest));
}

function placeOf(place: Place, column: string): string {
  const { merchantId, attemptId } = place;
  return bindingOf('payout_attempts', column, merchantId, ownerOf(place), attemptId);
}

function ownerOf(place: Place): UserId | string {
  return 'userId' in place ? place.userId : place.suspenseId;
}
