/**
 * The ends of the chain, written outside the database: whoever can write the database could rebuild a whole chain in
 * it, but not also these lines.
 */
import { appendFile, readFile } from 'node:fs/promises';
import type { AuditHead } from './audit.js';

export class HeadFile {
  constructor(readonly path: string) {}

  async append(head: AuditHead): Promise<void> {
    const line = JSON.stringify({
      sequence: head.sequence.toString(),
      hash: head.hash.toString('hex'),
      signature: head.signature.toString('base64'),
    });
    await appendFile(this.path, `${line}\n`, { mode: 0o600, flush: true });
  }

  /** A last line that was cut off by a crash is left out; every other that can't be read is a fault. */
  async read(): Promise<AuditHead[]> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const lines = text.split('\n');
    return lines.slice(0, -1).map((line) => {
      const { sequence, hash, signature } = JSON.parse(line) as Record<
        'sequence' | 'hash' | 'signature',
        string
      >;
      return {
        sequence: BigInt(sequence),
        hash: Buffer.from(hash, 'hex'),
        signature: Buffer.from(signature, 'base64'),
      };
    });
  }
}
