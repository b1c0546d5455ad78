/** Reads the files of a list and builds its index, in slices: no request waits for a list. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ListEntry } from '../lists/entry.js';
import { ListFault } from '../lists/list-fault.js';
import { readOfac } from '../lists/ofac.js';
import { readOpenSanctions } from '../lists/opensanctions.js';
import { readOpenSanctionsEntities } from '../lists/opensanctions-entities.js';
import { chunksOf, paced } from '../lists/paced.js';
import { IndexedList } from './indexed-list.js';
import { findListFiles, hasEntities, type ListFiles, type ListSource } from './list-source.js';

export interface ReadList {
  /** The hash of the content of all files. */
  readonly version: string;
  readonly indexed: IndexedList;
  readonly signature: string;
  readonly writtenAt: number;
}

/**
 * Throws `ListFault` when the list is damaged, or when a file changes while it is read, and the reason of the signal
 * when it aborts.
 */
export async function readList(source: ListSource, signal?: AbortSignal): Promise<ReadList> {
  const before = await findListFiles(source);
  const contents = await readContents(before);
  const after = await findListFiles(source);
  if (after.signature !== before.signature) throw new ListFault('A file changed while it was read.');
  const { signature, writtenAt } = before;
  const version = await versionOf(contents, signal);
  const indexed = new IndexedList();
  const entries = await entriesOf(source, contents, signal);
  for await (const entry of paced(entries, signal)) indexed.add(entry);
  if (indexed.screened === 0) throw new ListFault('The list has no person and no organisation.');
  return { version, indexed, signature, writtenAt };
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

function entriesOf(
  source: ListSource,
  contents: ReadonlyMap<string, Buffer>,
  signal: AbortSignal | undefined,
): Promise<ListEntry[]> {
  if (source.format === 'opensanctions') {
    const file = basename(source.path);
    const read = hasEntities(source) ? readOpenSanctionsEntities : readOpenSanctions;
    return read(contents.get(file) ?? Buffer.alloc(0), file, signal);
  }
  const [sdn = Buffer.alloc(0)] = contents.values();
  const alt = contents.get('alt.csv') ?? Buffer.alloc(0);
  return readOfac({ sdn, alt, add: contents.get('add.csv') }, signal);
}

async function versionOf(contents: ReadonlyMap<string, Buffer>, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  for (const [name, content] of contents) {
    hash.update(`${name} ${content.length}\n`);
    for await (const chunk of paced(chunksOf(content), signal)) hash.update(chunk);
  }
  return hash.digest('hex').slice(0, 32);
}
