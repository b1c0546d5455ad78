/** Signs and verifies access tokens (RFC 9068). As RFC 8725 recommends, everything unexpected is refused. */
import type { KeyObject } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { PublicJwk } from './signing-key.js';

export interface Claims {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  readonly clientId: string;
  readonly tokenId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly scope: string;
  readonly userId: number | undefined;
  readonly keyId: string;
}

const maxTokenLength = 4096;
/**
 * The last four bits of a signature are unused. They must be zero, so that each token can be written in one way only.
 */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/;
const expectedHeader = new Set(['alg', 'typ', 'kid']);

export function signToken(
  claims: Omit<Claims, 'keyId'>,
  key: { keyId: string; privateKey: KeyObject },
): Promise<string> {
  const { issuer, audience, subject, clientId, tokenId, issuedAt, expiresAt, scope, userId } = claims;
  return new SignJWT({ client_id: clientId, scope, ...(userId === undefined ? {} : { user_id: userId }) })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key.keyId })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setJti(tokenId)
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(key.privateKey);
}

/**
 * Returns the key id that a token names, or undefined for text that cannot be one of our tokens. Cheap: verifies
 * nothing.
 */
export function claimedKeyId(token: string): string | undefined {
  if (token.length > maxTokenLength || !compactForm.test(token)) return undefined;
  const [header, payload] = token.split('.', 2).map(parseJson);
  if (!header || !payload || Object.keys(header).some((name) => !expectedHeader.has(name))) return undefined;
  const { alg, typ, kid } = header;
  return alg === 'EdDSA' && typ === 'at+jwt' && typeof kid === 'string' ? kid : undefined;
}

/** Undefined for a token that is forged, expired, not valid yet, or meant for another issuer or audience. */
export async function verifyToken(
  token: string,
  key: { publicJwk: PublicJwk; publicKey: KeyObject },
  expected: { issuer: string; audiences: readonly string[]; now: Date },
): Promise<Claims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key.publicKey, {
      algorithms: ['EdDSA'],
      typ: 'at+jwt',
      issuer: expected.issuer,
      audience: [...expected.audiences],
      clockTolerance: 5,
      currentDate: expected.now,
      requiredClaims: ['iss', 'aud', 'sub', 'client_id', 'iat', 'nbf', 'exp', 'jti', 'scope'],
    });
    return claimsOf(payload, key.publicJwk.kid);
  } catch {
    return undefined;
  }
}

function claimsOf(payload: JWTPayload, keyId: string): Claims | undefined {
  const { iss, aud, sub, client_id: clientId, iat, nbf, exp, jti, scope, user_id: userId } = payload;
  const isText = [iss, aud, sub, clientId, jti, scope].every((claim) => typeof claim === 'string');
  const isTime = [iat, nbf, exp].every(isCount) && (nbf as number) < (exp as number);
  const isUser = userId === undefined || (isCount(userId) && userId !== 0);
  if (!isText || !isTime || !isUser) return undefined;
  return {
    issuer: iss as string,
    audience: aud as string,
    subject: sub as string,
    clientId: clientId as string,
    tokenId: jti as string,
    issuedAt: iat as number,
    expiresAt: exp as number,
    scope: scope as string,
    userId: userId as number | undefined,
    keyId,
  };
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * Our tokens are written by `JSON.stringify`. Text that it would write differently, such as a repeated claim, is not
 * ours.
 */
function parseJson(part: string): Record<string, unknown> | undefined {
  try {
    const text = Buffer.from(part, 'base64url').toString('utf8');
    const value: unknown = JSON.parse(text);
    if (JSON.stringify(value) !== text) return undefined;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
