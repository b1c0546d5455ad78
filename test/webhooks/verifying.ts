/** What a receiver does that has the published key and node:crypto, and no library. */
import { createPublicKey, verify } from 'node:crypto';

const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

export function verifiesAsymmetric(
  headers: Readonly<Record<string, unknown>>,
  body: string | Buffer,
  publicKey: string,
): boolean {
  const raw = Buffer.from(publicKey.slice('whpk_'.length), 'base64');
  const key = createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: 'der', type: 'spki' });
  const head = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`);
  const content = Buffer.concat([head, Buffer.from(body as string)]);
  const signatures = String(headers['webhook-signature'])
    .split(' ')
    .filter((signature) => signature.startsWith('v1a,'))
    .map((signature) => Buffer.from(signature.slice('v1a,'.length), 'base64'));
  return signatures.some((signature) => verify(null, content, key, signature));
}
