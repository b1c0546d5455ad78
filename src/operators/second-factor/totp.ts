/** Codes of authenticator apps: TOTP (RFC 6238) with SHA-1, six digits and 30 seconds, which every app knows. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const stepSeconds = 30;
const digits = 6;
/** Clocks differ, and people type slowly: the steps before and after count too. */
const toleratedSteps = 1;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function stepAt(time: Date): number {
  return Math.floor(time.getTime() / 1000 / stepSeconds);
}

export function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Returns the step of the code. Undefined when it is wrong, or not later than `usedStep`. */
export function acceptedStep(secret: Uint8Array, code: string, now: Date, usedStep: number): number | undefined {
  const sent = Buffer.from(code.replaceAll(/\s/g, ''));
  if (sent.length !== digits) return undefined;
  const current = stepAt(now);
  const steps = Array.from({ length: 2 * toleratedSteps + 1 }, (_, index) => current - toleratedSteps + index);
  return steps.find((step) => step > usedStep && timingSafeEqual(sent, Buffer.from(codeOf(secret, step))));
}

/** The secret as apps read it and people type it (RFC 4648, base32 without padding). */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** The address that an app reads from a QR code. */
export function appAddress(secret: Uint8Array, login: string): string {
  const issuer = 'Remesa';
  const query = new URLSearchParams({ secret: base32(secret), issuer });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(login)}?${query}`;
}
