/**
 * Stores the signed heads in a file outside of the database. An attacker who can write to the database could rebuild all
 * chains there, but not this file.
 */
import { createReadStream } from 'node:fs';
import { appendFile, type FileHandle, open } from 'node:fs/promises';
import { type AuditHead, readEnds, writeEnds } from './head.js';

/** Longer than the longest line, which is a head of 100 chains. */
const maxLineBytes = 32_768;
const newline = '\n'.charCodeAt(0);

export class HeadFile {
  constructor(readonly path: string) {}

  async append(head: AuditHead): Promise<void> {
    const line = JSON.stringify({
      number: head.number.toString(),
      previousHash: head.previousHash.toString('hex'),
      ends: writeEnds(head.ends),
      signedAt: head.signedAt.toISOString(),
      hash: head.hash.toString('hex'),
      signature: head.signature.toString('base64'),
    });
    await this.#removeIncompleteLine();
    await appendFile(this.path, `${line}\n`, { mode: 0o600, flush: true });
  }

  /** Reads the lines in pages; undefined: a line that cannot be read. Ignores a last line that a crash left incomplete. */
  async *pages(pageSize: number): AsyncGenerator<readonly (AuditHead | undefined)[]> {
    let page: (AuditHead | undefined)[] = [];
    for await (const line of completeLines(this.path)) {
      page.push(parseLine(line));
      if (page.length < pageSize) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  /** The number of the head in the last line. Undefined when there is none. */
  async lastNumber(): Promise<bigint | undefined> {
    return await this.#withFile('r', async (file) => {
      const { bytes } = await readTail(file);
      const line = bytes.toString('utf8').split('\n').at(-2);
      return line === undefined ? undefined : parseLine(line)?.number;
    });
  }

  /** Removes an incomplete line that a crash left. The next line would be appended to it, and neither could be read. */
  async #removeIncompleteLine(): Promise<void> {
    await this.#withFile('r+', async (file) => {
      const { bytes, start } = await readTail(file);
      const endOfLastLine = bytes.lastIndexOf(newline) + 1;
      if (endOfLastLine < bytes.length) await file.truncate(start + endOfLastLine);
    });
  }

  async #withFile<Result>(flags: string, work: (file: FileHandle) => Promise<Result>): Promise<Result | undefined> {
    const file = await open(this.path, flags).catch(ignoreMissing);
    if (!file) return undefined;
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  }
}

async function readTail(file: FileHandle): Promise<{ bytes: Buffer; start: number }> {
  const { size } = await file.stat();
  const start = Math.max(0, size - maxLineBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxLineBytes), 0, maxLineBytes, start);
  return { bytes: buffer.subarray(0, bytesRead), start };
}

async function* completeLines(path: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, 'utf8')) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    ignoreMissing(error as NodeJS.ErrnoException);
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function parseLine(line: string): AuditHead | undefined {
  try {
    const fields = JSON.parse(line);
    const hash = Buffer.from(fields.hash, 'hex');
    const signature = Buffer.from(fields.signature, 'base64');
    const number = BigInt(fields.number);
    const previousHash = Buffer.from(fields.previousHash, 'hex');
    const signedAt = new Date(fields.signedAt);
    const ends = readEnds(fields.ends);
    return { number, previousHash, ends, signedAt, hash, signature };
  } catch {
    return undefined;
  }
}
