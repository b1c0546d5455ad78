/**
 * Stores the signed heads of the chain in a file outside of the database. An attacker who can write to the database could
 * rebuild the whole chain there, but not this file.
 */
import { appendFile, open, readFile } from 'node:fs/promises';
import type { AuditHead } from './audit.js';

const maxLineBytes = 4096;

export class HeadFile {
  constructor(readonly path: string) {}

  async append(head: AuditHead): Promise<void> {
    const line = JSON.stringify({
      sequence: head.sequence.toString(),
      hash: head.hash.toString('hex'),
      signature: head.signature.toString('base64'),
    });
    await this.#removeIncompleteLine();
    await appendFile(this.path, `${line}\n`, { mode: 0o600, flush: true });
  }

  /** Ignores a last line that a crash left incomplete. Every other line that cannot be read is a fault. */
  async read(): Promise<{ heads: AuditHead[]; faults: string[]; isEmpty: boolean }> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const heads = text.split('\n').slice(0, -1).map(parseHead);
    const faults = heads.flatMap((head, index) =>
      head ? [] : [`line ${index + 1} of the file of heads cannot be read`],
    );
    return { heads: heads.filter((head) => head !== undefined), faults, isEmpty: heads.length === 0 };
  }

  /** Removes an incomplete line that a crash left. The next line would be appended to it, and neither could be read. */
  async #removeIncompleteLine(): Promise<void> {
    const file = await open(this.path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) return;
    try {
      const { size } = await file.stat();
      const start = Math.max(0, size - maxLineBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxLineBytes), 0, maxLineBytes, start);
      const endOfLastLine = start + buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
      if (endOfLastLine < size) await file.truncate(endOfLastLine);
    } finally {
      await file.close();
    }
  }
}

function parseHead(line: string): AuditHead | undefined {
  try {
    const { sequence, hash, signature } = JSON.parse(line);
    return {
      sequence: BigInt(sequence),
      hash: Buffer.from(hash, 'hex'),
      signature: Buffer.from(signature, 'base64'),
    };
  } catch {
    return undefined;
  }
}
