/** A file that should not have been sent, and pieces that several of them are made of. */
import { constants, deflateRawSync } from 'node:zlib';
import type { UploadFault } from '../../src/documents/inspect.js';
import { jpegOf, photograph } from './images.js';

type MediaType = 'image/jpeg' | 'image/png' | 'application/pdf';

export interface HostileFile {
  readonly name: string;
  /** What may come of it: one fault, or a document made anew in which nothing of `gone` is left. */
  readonly outcome: readonly (UploadFault | MediaType)[];
  readonly bytes: () => Buffer | Promise<Buffer>;
  readonly gone?: readonly string[];
}

/** What every virus scanner takes for a virus, in two halves, so that none takes this file for one. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
export const html = '<html><script>alert(document.domain)</script></html>';

/** Begins and ends like a ZIP, or a JAR, which is one. */
export const zip = Buffer.concat([
  Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1'),
  Buffer.alloc(20),
  Buffer.from('META-INF/MANIFEST.MF'),
  Buffer.from('PK\x05\x06', 'latin1'),
  Buffer.alloc(18),
]);

/**
 * What unfolds to so many megabytes of one byte, in the format of zlib: the first one, compressed, over and over. Compressing
 * them all would take seconds.
 */
export function deflated(megabytes: number, byte: string): Buffer {
  const bytes = 1e6;
  const one = deflateRawSync(Buffer.alloc(bytes, byte), { finishFlush: constants.Z_SYNC_FLUSH });
  const head = Buffer.from([0x78, 0x9c]);
  return Buffer.concat([
    head,
    ...Array<Buffer>(megabytes).fill(one),
    deflateRawSync(Buffer.alloc(0)),
    adler32(BigInt(megabytes * bytes), BigInt(byte.charCodeAt(0))),
  ]);
}

/** The check sum of a byte that is repeated. */
function adler32(times: bigint, byte: bigint): Buffer {
  const low = (1n + times * byte) % 65_521n;
  const high = (times + (byte * times * (times + 1n)) / 2n) % 65_521n;
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(Number(high) * 65_536 + Number(low));
  return sum;
}

/** What a sender may call a file. */
export const oddNames = [
  '../../x',
  '..\\..\\x',
  '/etc/passwd',
  `${'a'.repeat(300)}.jpg`,
  'front\0.jpg',
  '\u202egpj.exe',
  'CON',
  'a.jpg\r\nX-Injected: yes',
  "'; DROP TABLE kyc_documents; --",
  '<img src=x onerror=alert(1)>.jpg',
];

export function text(content: string): () => Buffer {
  return () => Buffer.from(content, 'latin1');
}

export async function smallJpeg(): Promise<Buffer> {
  return jpegOf(await photograph());
}

export function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length >> 1);
}
