/** Seals what attempts and reports keep about people, bound to their rows. */
import { instanceTenant } from '../ids.js';
import { bindingOf, open, seal } from '../keys/sealing.js';
import type { Attempt } from './attempt.js';

type Place = Pick<Attempt, 'merchantId' | 'userId' | 'attemptId'>;

/** `key` is the user's retained key here and below, but for reports that belong to nothing we know. */
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

export function sealRaw(key: Buffer, { merchantId, userId, attemptId }: Place, raw: string): Buffer {
  return seal(
    key,
    Buffer.from(raw),
    bindingOf('payout_reports', 'sealed_raw', merchantId, userId, attemptId),
  );
}

export function sealUnmatchedRaw(key: Buffer, rail: string, reportId: string, raw: string): Buffer {
  return seal(
    key,
    Buffer.from(raw),
    bindingOf('payout_reports', 'sealed_raw', instanceTenant, rail, reportId),
  );
}

function placeOf({ merchantId, userId, attemptId }: Place, column: string): string {
  return bindingOf('payout_attempts', column, merchantId, userId, attemptId);
}
