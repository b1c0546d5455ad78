/** Creates certificates for the receivers of tests: an authority, certificates that it signs, and self-signed ones. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** `DNS:name` or `IP:127.0.0.1`. */
  readonly names?: readonly string[];
  readonly validDays?: readonly [from: number, to: number];
}

interface Issuer {
  readonly name: string;
  readonly key: KeyObject;
}

/** A certificate authority. Clients trust its `pem`. */
export class TestAuthority {
  readonly pem: string;
  readonly #issuer: Issuer;

  constructor(name: string) {
    const { privateKey, publicKey } = newKeys();
    this.#issuer = { name, key: privateKey };
    this.pem = certificateOf({ issuer: this.#issuer, subject: name, publicKey, isAuthority: true });
  }

  issue(options: CertificateOptions = {}): Certificate {
    const { privateKey, publicKey } = newKeys();
    const cert = certificateOf({ issuer: this.#issuer, subject: 'receiver', publicKey, ...options });
    return { cert, key: pemOf(privateKey) };
  }
}

export function selfSigned(options: CertificateOptions = {}): Certificate {
  const { privateKey, publicKey } = newKeys();
  const issuer = { name: 'itself', key: privateKey };
  return {
    cert: certificateOf({ issuer, subject: 'itself', publicKey, ...options }),
    key: pemOf(privateKey),
  };
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string;

// The parts of X.509 version 3 (RFC 5280) that a TLS handshake checks. Object identifiers are encoded.
const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const commonName = Buffer.from('0603550403', 'hex');
const subjectAltName = Buffer.from('0603551d11', 'hex');
const basicConstraints = Buffer.from('0603551d13', 'hex');
const yes = Buffer.from('0101ff', 'hex');

function certificateOf(options: {
  issuer: Issuer;
  subject: string;
  publicKey: KeyObject;
  names?: readonly string[];
  validDays?: readonly [number, number];
  isAuthority?: boolean;
}): string {
  const { issuer, subject, publicKey, names = ['IP:127.0.0.1'], validDays = [-1, 1], isAuthority } = options;
  const extension = isAuthority
    ? sequence(basicConstraints, yes, tagged(0x04, sequence(yes)))
    : sequence(subjectAltName, tagged(0x04, sequence(...names.map(alternativeName))));
  const toBeSigned = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    distinguishedName(issuer.name),
    sequence(...validDays.map(time)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(extension)),
  );
  const signature = Buffer.concat([Buffer.of(0), sign('sha256', toBeSigned, issuer.key)]);
  const der = sequence(toBeSigned, ecdsaWithSha256, tagged(0x03, signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(commonName, tagged(0x0c, Buffer.from(name)))));
}

function alternativeName(name: string): Buffer {
  const [kind, value = ''] = name.split(':');
  return kind === 'IP' ? tagged(0x87, Buffer.from(value.split('.').map(Number))) : tagged(0x82, Buffer.from(value));
}

function time(daysFromNow: number): Buffer {
  const digits = new Date(Date.now() + daysFromNow * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');
  return tagged(0x17, Buffer.from(digits.slice(2)));
}

function sequence(...elements: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(elements));
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
