import { describe, expect, it } from 'vitest';
import { acceptedStep, appAddress, base32, codeOf } from '../../src/operators/second-factor/totp.js';

const secret = Buffer.from('12345678901234567890');

describe('codes of authenticator apps', () => {
  // RFC 6238, appendix B, with SHA-1; apps show the last six of the eight digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at second %i', (seconds, code) => {
    expect(codeOf(secret, Math.floor(seconds / 30))).toBe(code);
  });

  it('count half a minute early and late, once, and never before a code that was used', () => {
    const now = new Date(1_111_111_111_000);
    const step = 37_037_037;
    const accepted = [-2, -1, 0, 1, 2].map((late) => acceptedStep(secret, codeOf(secret, step + late), now, 0));
    expect(accepted).toEqual([undefined, step - 1, step, step + 1, undefined]);
    expect(acceptedStep(secret, '050471', now, step)).toBeUndefined();
    expect(acceptedStep(secret, ' 050 471 ', now, step - 1)).toBe(step);
    for (const code of ['', '50471', '0504710', 'abcdef']) expect(acceptedStep(secret, code, now, 0)).toBeUndefined();
  });

  it('come from a secret that apps read as base32', () => {
    expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(appAddress(secret, 'ana@x')).toBe(
      'otpauth://totp/Remesa:ana%40x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Remesa',
    );
  });
});
