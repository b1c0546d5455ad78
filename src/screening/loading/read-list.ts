/** Reads the files of a list and builds its index. All of it is work for the processor: the service does it in a worker thread. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ListEntry } from '../lists/entry.js';
import { ListFault } from '../lists/list-fault.js';
import { readOfac } from '../lists/ofac.js';
import { readOpenSanctions } from '../lists/opensanctions.js';
import { buildIndex } from '../search-index/build-index.js';
import type { IndexData } from '../search-index/index-data.js';
import { findListFiles, type ListFiles, type ListSource } from './list-source.js';

export interface ReadList {
  /** The hash of the content of all files. */
  readonly version: string;
  readonly entries: number;
  readonly names: number;
  readonly persons: IndexData;
  readonly organisations: IndexData;
  readonly signature: string;
  readonly writtenAt: number;
}

/** Throws `ListFault` when the list is damaged, or when a file changes while it is read. */
export async function readList(source: ListSource): Promise<ReadList> {
  const before = await findListFiles(source);
  const contents = await readContents(before);
  const after = await findListFiles(source);
  if (after.signature !== before.signature) throw new ListFault('A file changed while it was read.');
  const { signature, writtenAt } = before;
  return { ...indexList(source, contents), signature, writtenAt };
}

async function readContents({ paths }: ListFiles): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  for (const [name, path] of Object.entries(paths)) {
    contents.set(
      name,
      await readFile(path).catch((error: NodeJS.ErrnoException) => {
        throw new ListFault(`${name} cannot be read (${error.code}).`);
      }),
    );
  }
  return contents;
}

function indexList(
  source: ListSource,
  contents: ReadonlyMap<string, Buffer>,
): Omit<ReadList, 'signature' | 'writtenAt'> {
  const entries = entriesOf(source, contents);
  const screened = entries.filter(({ kind }) => kind !== 'other');
  if (screened.length === 0) throw new ListFault('The list has no person and no organisation.');
  return { version: versionOf(contents), ...indexEntries(entries) };
}

/** Also used for the list that comes with the sandbox. */
export function indexEntries(
  entries: readonly ListEntry[],
): Pick<ReadList, 'entries' | 'names' | 'persons' | 'organisations'> {
  return {
    entries: entries.length,
    names: entries.reduce((sum, entry) => sum + entry.names.length, 0),
    persons: buildIndex(entries, 'person'),
    organisations: buildIndex(entries, 'organisation'),
  };
}

function entriesOf(source: ListSource, contents: ReadonlyMap<string, Buffer>): ListEntry[] {
  if (source.format === 'opensanctions') {
    const file = basename(source.path);
    return readOpenSanctions(contents.get(file) ?? Buffer.alloc(0), file);
  }
  const [sdn = Buffer.alloc(0)] = contents.values();
  return readOfac({ sdn, alt: contents.get('alt.csv') ?? Buffer.alloc(0), add: contents.get('add.csv') });
}

function versionOf(contents: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256');
  for (const [name, content] of contents) hash.update(`${name} ${content.length}\n`).update(content);
  return hash.digest('hex').slice(0, 32);
}
