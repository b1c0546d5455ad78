/**
 * The ends of the chain, written outside the database: whoever can write the database could rebuild a whole chain in
 * it, but not also these lines.
 */
import { appendFile, open, readFile } from 'node:fs/promises';
import type { AuditHead } from './audit.js';

const longestLineBytes = 4096;

export class HeadFile {
  constructor(readonly path: string) {}

  async append(head: AuditHead): Promise<void> {
    const line = JSON.stringify({
      sequence: head.sequence.toString(),
      hash: head.hash.toString('hex'),
      signature: head.signature.toString('base64'),
    });
    await this.#dropCutOffLine();
    await appendFile(this.path, `${line}\n`, { mode: 0o600, flush: true });
  }

  /** A last line that was cut off by a crash is left out; every other that can't be read is a fault. */
  async read(): Promise<{ heads: AuditHead[]; faults: string[]; isEmpty: boolean }> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const lines = text.split('\n').slice(0, -1).map(headOf);
    const faults = lines.flatMap((head, index) =>
      head ? [] : [`line ${index + 1} of the file of heads can't be read`],
    );
    return { heads: lines.filter((head) => head !== undefined), faults, isEmpty: lines.length === 0 };
  }

  /** What a crash left of a line would otherwise become the beginning of the next one, and make both unreadable. */
  async #dropCutOffLine(): Promise<void> {
    const file = await open(this.path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) return;
    try {
      const { size } = await file.stat();
      const from = Math.max(0, size - longestLineBytes);
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(longestLineBytes),
        0,
        longestLineBytes,
        from,
      );
      const whole = from + buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
      if (whole < size) await file.truncate(whole);
    } finally {
      await file.close();
    }
  }
}

function headOf(line: string): AuditHead | undefined {
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
