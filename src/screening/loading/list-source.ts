/** Where a list comes from, and which files belong to it. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ListFault } from '../lists/list-fault.js';

export interface ListSource {
  /** The name in answers, logs and metrics: `ofac`, or `ofac-2` for a second list of the same format. */
  readonly name: string;
  readonly format: 'ofac' | 'opensanctions';
  /** For OFAC the folder or its `sdn.csv`. */
  readonly path: string;
}

export interface ListFiles {
  /** Changes with every replacement of a file and every write to it. */
  readonly signature: string;
  /** When the oldest of the files was last written, in milliseconds: the age of the list. */
  readonly writtenAt: number;
  /** When the newest of them was last written. */
  readonly changedAt: number;
  readonly paths: Readonly<Record<string, string>>;
}

/** An index takes several times the size of its list, and no list that we know is larger. */
const mostBytes = 200 * 2 ** 20;

/** Whether the file has OpenSanctions' entities as lines of JSON, which say why somebody is listed. */
export function hasEntities({ format, path }: ListSource): boolean {
  return format === 'opensanctions' && /json$/i.test(path);
}

/** Throws `ListFault` when a file is missing, unreadable or too large. */
export async function findListFiles(source: ListSource): Promise<ListFiles> {
  const candidates = await pathsOf(source);
  const found = await Promise.all(candidates.map(({ path, isOptional }) => statOf(path, isOptional)));
  const files = found.flatMap((status, index) => {
    const path = candidates[index]?.path ?? '';
    return status ? [{ path, name: basename(path), status }] : [];
  });
  const bytes = files.reduce((sum, { status }) => sum + status.size, 0);
  if (bytes > mostBytes) throw new ListFault(`The list has ${bytes} bytes; at most ${mostBytes} are read.`);
  const times = files.map(({ status }) => status.mtimeMs);
  return {
    signature: files
      .map(({ name, status: { ino, size, mtimeMs, ctimeMs } }) => [name, ino, size, mtimeMs, ctimeMs].join(':'))
      .join(' '),
    writtenAt: Math.min(...times),
    changedAt: Math.max(...times),
    paths: Object.fromEntries(files.map(({ name, path }) => [name, path])),
  };
}

async function pathsOf({ format, path }: ListSource): Promise<{ path: string; isOptional: boolean }[]> {
  if (format === 'opensanctions') return [{ path, isOptional: false }];
  const isFolder = await stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
  const folder = isFolder ? path : dirname(path);
  return [
    { path: isFolder ? join(folder, 'sdn.csv') : path, isOptional: false },
    { path: join(folder, 'alt.csv'), isOptional: false },
    { path: join(folder, 'add.csv'), isOptional: true },
  ];
}

async function statOf(path: string, isOptional: boolean) {
  try {
    const status = await stat(path);
    if (!status.isFile()) throw new ListFault(`${basename(path)} is not a file.`);
    return status;
  } catch (error) {
    if (error instanceof ListFault) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && isOptional) return undefined;
    throw new ListFault(
      code === 'ENOENT' ? `${basename(path)} does not exist.` : `${basename(path)} cannot be read (${code}).`,
    );
  }
}
