/**
 * A folder that some other program exchanges with the bank: `out/` is to the bank, `in/` from it, and `archive/` has
 * what was read. A file appears in one step, because a rename within a file system does.
 */
import { mkdir, open, readdir, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BankConnection, isSafeName, type OfferedFile } from '../../bank/transport/connection.js';

export function folderConnection(name: string, folder: string): BankConnection {
  const [out, incoming, archive] = ['out', 'in', 'archive'].map((part) => join(folder, part)) as [
    string,
    string,
    string,
  ];
  return {
    name,
    async put(file) {
      await mkdir(out, { recursive: true });
      // The name begins with a dot, so that nobody takes a file that is not whole.
      const unfinished = join(out, `.${file.name}.part`);
      await writeDurably(unfinished, file.content);
      await rename(unfinished, join(out, file.name));
      await syncFolder(out);
    },
    async list() {
      await mkdir(incoming, { recursive: true });
      const entries = await readdir(incoming, { withFileTypes: true });
      const names = entries.filter((entry) => entry.isFile() && isWhole(entry.name)).map((entry) => entry.name);
      return (await Promise.all(names.sort().map((file) => offered(incoming, file)))).flatMap((file) => file ?? []);
    },
    async get(file, mostBytes) {
      const path = join(incoming, safeName(file));
      if ((await stat(path)).size > mostBytes) throw new Error(`the file has more than ${mostBytes} bytes`);
      return readFile(path);
    },
    async archive(file) {
      await mkdir(archive, { recursive: true });
      const path = join(incoming, safeName(file));
      await rename(path, join(archive, await freeName(archive, file))).catch(ignoreMissing);
      await syncFolder(dirname(path));
    },
  };
}

/** Names of temporary files, as programs that upload have them. */
export function isWhole(name: string): boolean {
  return !name.startsWith('.') && !/\.(part|tmp|filepart)$/i.test(name);
}

/** A bank names its own files: nothing outside of the folder is read. Throws for another name. */
export function safeName(name: string): string {
  if (!isSafeName(name)) throw new Error('not the name of a file');
  return name;
}

async function offered(folder: string, name: string): Promise<OfferedFile | undefined> {
  // Whoever put it down may have taken it back.
  const found = await stat(join(folder, name)).catch(ignoreMissing);
  return found && { name, bytes: found.size };
}

/** A bank that uses a name again loses none of its files. */
async function freeName(folder: string, name: string): Promise<string> {
  const taken = new Set(await readdir(folder));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}.${number}`;
  return free;
}

async function writeDurably(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'w', 0o640);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw error;
}
