/**
 * Rates from a file that the operator maintains. It is read again when it has changed. Programs should write a new file
 * and rename it, because half of a CSV file is a valid CSV file.
 */
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { type RateSource, RateSourceFault } from '../../rates/sources/rate-source.js';
import { documentLimits } from './fetch-document.js';
import { readCsvRates, readJsonRates } from './file-formats.js';

export interface FileOptions {
  readonly name: string;
  /** A file whose name ends in `.csv` is CSV; every other file is JSON. */
  readonly path: string;
  readonly ageLimitBusinessDays?: number;
}

export function fileSource({ name, path, ageLimitBusinessDays = 5 }: FileOptions): RateSource {
  const read = path.toLowerCase().endsWith('.csv') ? readCsvRates : readJsonRates;
  let readState: string | undefined;
  /** The state of the file before the last read whose result, rates or fault, was recorded. */
  let recordedState: string | undefined;
  return {
    name,
    ageLimitBusinessDays,
    async fetch(known, signal) {
      signal.throwIfAborted();
      readState = await stateOfPath(path);
      const content = await readIfNew(path, known.etag);
      return content && { ...read(content.bytes), validators: { etag: content.state } };
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
    // The change time also reflects corrected permissions.
    return `${stateFrom(stats)}-${stats.ctimeNs}`;
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
}

interface FileContent {
  readonly bytes: Uint8Array;
  readonly state: string;
}

async function readIfNew(path: string, knownState: string | undefined): Promise<FileContent | undefined> {
  let file: FileHandle | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe waits for a writer and blocks one of the few threads for file access.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const state = stateFrom(await regularFileStats(file));
    if (state === knownState) return undefined;
    const bytes = await readWithin(file, documentLimits.bytes);
    if (stateFrom(await regularFileStats(file)) !== state)
      throw new RateSourceFault('unreadable', 'The file was changed while it was read.');
    return { bytes, state };
  } catch (error) {
    throw asFault(error);
  } finally {
    await file?.close();
  }
}

/** Changes with every write, and when another file with the same time replaces this one. */
function stateFrom({ mtimeNs, size, ino }: Pick<BigIntStats, 'mtimeNs' | 'size' | 'ino'>): string {
  return `${mtimeNs}-${size}-${ino}`;
}

async function regularFileStats(file: FileHandle) {
  const stats = await file.stat({ bigint: true });
  if (!stats.isFile()) throw new RateSourceFault('unreadable', 'The path is not a regular file.');
  return stats;
}

async function readWithin(file: FileHandle, maxBytes: number): Promise<Uint8Array> {
  const buffer = Buffer.alloc(maxBytes + 1);
  let size = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, size, buffer.length - size, size);
    size += bytesRead;
    if (size > maxBytes) throw new RateSourceFault('too_large', `The file is larger than ${maxBytes} bytes.`);
    if (bytesRead === 0) return buffer.subarray(0, size);
  }
}

function asFault(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof RateSourceFault || typeof code !== 'string') return error;
  return new RateSourceFault('unreadable', `The file cannot be read (${code}).`);
}
