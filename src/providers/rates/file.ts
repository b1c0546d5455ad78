/**
 * Rates from a file that the operator keeps, read again when it has changed. Whoever writes it should write beside it and
 * rename: half a CSV file is a CSV file.
 */
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { type RateSource, RateSourceFault } from '../../rates/sources/rate-source.js';
import { documentLimits } from './fetch-document.js';
import { readCsvRates, readJsonRates } from './file-formats.js';

export interface FileOptions {
  readonly name: string;
  /** A CSV file is called `.csv`; anything else is JSON. */
  readonly path: string;
  readonly ageLimitBusinessDays?: number;
}

export function fileSource({ name, path, ageLimitBusinessDays = 5 }: FileOptions): RateSource {
  const read = path.toLowerCase().endsWith('.csv') ? readCsvRates : readJsonRates;
  /** As the file was before the last read. */
  let readState: string | undefined;
  /** As the file was before the last read whose outcome was recorded, good or bad. */
  let recordedState: string | undefined;
  return {
    name,
    ageLimitBusinessDays,
    async fetch(known, signal) {
      signal.throwIfAborted();
      readState = await stateOfPath(path);
      const found = await readIfNew(path, known.etag);
      return found && { ...read(found.bytes), validators: { etag: found.state } };
    },
    async hasChanged() {
      return (await stateOfPath(path)) !== recordedState;
    },
    recorded() {
      recordedState = readState;
    },
  };
}

async function stateOfPath(path: string): Promise<string> {
  try {
    const stats = await stat(path, { bigint: true });
    // The last tells of permissions that were mended.
    return `${stateFrom(stats)}-${stats.ctimeNs}`;
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
}

interface FileFound {
  readonly bytes: Uint8Array;
  readonly state: string;
}

async function readIfNew(path: string, knownState: string | undefined): Promise<FileFound | undefined> {
  let file: FileHandle | undefined;
  try {
    // Without it, opening a pipe waits for a writer, and holds one of the few threads for files.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const state = stateFrom(await verified(file));
    if (state === knownState) return undefined;
    const bytes = await readWithin(file, documentLimits.bytes);
    if (stateFrom(await verified(file)) !== state)
      throw new RateSourceFault('unreadable', 'The file was changed while it was read.');
    return { bytes, state };
  } catch (error) {
    throw asFault(error);
  } finally {
    await file?.close();
  }
}

/** Changes with every write, and when another file with the same time takes its place. */
function stateFrom({ mtimeNs, size, ino }: Pick<BigIntStats, 'mtimeNs' | 'size' | 'ino'>): string {
  return `${mtimeNs}-${size}-${ino}`;
}

async function verified(file: FileHandle) {
  const stats = await file.stat({ bigint: true });
  if (!stats.isFile()) throw new RateSourceFault('unreadable', 'What stands in its place is not a file.');
  return stats;
}

async function readWithin(file: FileHandle, bytesAtMost: number): Promise<Uint8Array> {
  const buffer = Buffer.alloc(bytesAtMost + 1);
  let size = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, size, buffer.length - size, size);
    size += bytesRead;
    if (size > bytesAtMost)
      throw new RateSourceFault('too_large', `The file is larger than ${bytesAtMost} bytes.`);
    if (bytesRead === 0) return buffer.subarray(0, size);
  }
}

function asFault(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof RateSourceFault || typeof code !== 'string') return error;
  return new RateSourceFault('unreadable', `The file can't be read (${code}).`);
}
