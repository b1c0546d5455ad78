/** Downloads a list beside the one in use, checks it as a start would, and puts it in place only when it is whole. */
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ListFault } from '../lists/list-fault.js';
import type { ListSource } from './list-source.js';
import { readList } from './read-list.js';
import { refuseShrunken } from './shrinking.js';

export interface DownloadOptions {
  /** Where the files are. For OFAC a folder, whose files have the names of ours in capitals. */
  readonly address: URL;
  /** A new version that lost more of its entries or names is refused. */
  readonly mostShrinkPercent: number;
  /** Told of each file that has arrived. */
  readonly onFile?: (name: string, bytes: number) => void;
  readonly withinMs?: number;
}

export interface Downloaded {
  readonly entries: number;
  /** False when the content is the one that was there already. Its files are new all the same. */
  readonly isNew: boolean;
  /** When the publisher last changed it, as far as the answers tell. */
  readonly publishedAt: Date | undefined;
}

const mostBytes = 200 * 2 ** 20;

/** Throws `ListFault` when the download fails, is damaged or has lost too much. What is in use stays then. */
export async function downloadList(source: ListSource, options: DownloadOptions): Promise<Downloaded> {
  const target = await folderOf(source);
  await mkdir(target, { recursive: true });
  const folder = await mkdtemp(join(target, '.download-'));
  try {
    const files = await fetchAll(source, folder, options);
    const path = source.format === 'ofac' ? folder : join(folder, basename(source.path));
    const list = await readList({ ...source, path });
    const before = await readList(source).catch(() => undefined);
    if (before) refuseShrunken(before.indexed, list.indexed, options.mostShrinkPercent);
    for (const { name } of files) await rename(join(folder, name), join(target, name));
    const publishedMs = Math.max(...files.map(({ publishedAt }) => publishedAt ?? 0));
    return {
      entries: list.indexed.entries,
      isNew: before?.version !== list.version,
      publishedAt: publishedMs > 0 ? new Date(publishedMs) : undefined,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In the folder of the target, so that renaming moves no bytes. */
async function folderOf({ format, path }: ListSource): Promise<string> {
  if (format === 'opensanctions' || path.endsWith('.csv')) return dirname(path);
  const isFile = await stat(path).then(
    (status) => status.isFile(),
    () => false,
  );
  return isFile ? dirname(path) : path;
}

interface File {
  readonly name: string;
  readonly publishedAt: number | undefined;
}

async function fetchAll(source: ListSource, folder: string, options: DownloadOptions): Promise<File[]> {
  const names = source.format === 'ofac' ? ['sdn.csv', 'alt.csv', 'add.csv'] : [basename(source.path)];
  const files: File[] = [];
  for (const name of names) {
    const address =
      source.format === 'ofac' ? new URL(name.toUpperCase(), withSlash(options.address)) : options.address;
    const publishedAt = await fetchFile(address, join(folder, name), options);
    files.push({ name, publishedAt });
  }
  return files;
}

/** Returns when the publisher last changed the file. */
async function fetchFile(address: URL, path: string, options: DownloadOptions): Promise<number | undefined> {
  const signal = AbortSignal.timeout(options.withinMs ?? 300_000);
  const name = basename(path);
  try {
    const answer = await fetch(address, { signal });
    if (!answer.ok) throw new ListFault(`${name}: ${address.host} answered ${answer.status}.`);
    const bytes = await readLimited(answer, name);
    const announced = answer.headers.get('content-encoding') ? null : answer.headers.get('content-length');
    if (announced !== null && Number(announced) !== bytes.length) {
      throw new ListFault(`${name}: ${bytes.length} of ${announced} bytes arrived.`);
    }
    await writeFile(path, bytes);
    options.onFile?.(name, bytes.length);
    const changed = Date.parse(answer.headers.get('last-modified') ?? '');
    return Number.isNaN(changed) ? undefined : changed;
  } catch (error) {
    if (error instanceof ListFault) throw error;
    throw new ListFault(`${name}: ${address.host} cannot be reached (${reasonOf(error)}).`);
  }
}

async function readLimited(answer: Response, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > mostBytes) throw new ListFault(`${name} has more than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  const { cause, name } = error as Error;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
}

function withSlash(address: URL): URL {
  return address.pathname.endsWith('/') ? address : new URL(`${address.href}/`);
}
