/** Stores documents as files, to keep the database small: sealed chunks in sequence, under a random name. */
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveKey } from '../keys/derive.js';

/** The name while it is written. It gets its final name when it is complete and on the disk. */
const unfinished = '.part';

export class DocumentFiles {
  constructor(readonly folder: string) {}

  /** Each instance has its own folder, so two that share a data directory by mistake do not delete each other's files. */
  static ofInstance(dataDirectory: string, rootKey: Buffer): DocumentFiles {
    const name = deriveKey(rootKey, 'documents folder').toString('hex', 0, 8);
    return new DocumentFiles(join(dataDirectory, 'documents', name));
  }

  /** A folder of its own within this one, for documents that another room has the rows of. */
  within(name: string): DocumentFiles {
    return new DocumentFiles(join(this.folder, name));
  }

  /** When this returns, the file and its name survive a power cut. */
  async write(name: string, chunks: Iterable<Buffer>): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, name);
    try {
      const file = await open(`${path}${unfinished}`, 'wx', 0o600);
      try {
        for (const chunk of chunks) await file.writeFile(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}${unfinished}`, path);
      await this.#syncFolder();
    } catch (error) {
      await rm(`${path}${unfinished}`, { force: true });
      throw error;
    }
  }

  /** Reads pieces of these lengths. Throws when the file is shorter or longer. */
  async *read(name: string, lengths: Iterable<number>): AsyncGenerator<Buffer> {
    const file = await open(join(this.folder, name), 'r');
    try {
      for (const length of lengths) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length);
        if (bytesRead !== length) throw new Error('a document is shorter than it was');
        yield buffer;
      }
      const { bytesRead } = await file.read(Buffer.alloc(1), 0, 1);
      if (bytesRead !== 0) throw new Error('a document is longer than it was');
    } finally {
      await file.close();
    }
  }

  /** The names of all files written before a time, finished or not, in batches. */
  async *writtenBefore(then: Date, atMost: number): AsyncGenerator<string[]> {
    let names: string[] = [];
    for await (const name of this.#names()) {
      const written = await stat(join(this.folder, name)).catch(() => undefined);
      if (!written || written.mtime >= then) continue;
      names.push(name);
      if (names.length < atMost) continue;
      yield names;
      names = [];
    }
    if (names.length > 0) yield names;
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true });
  }

  async *#names(): AsyncGenerator<string> {
    const folder = await opendir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    for await (const entry of folder ?? []) if (entry.isFile()) yield entry.name;
  }

  async #syncFolder(): Promise<void> {
    const folder = await open(this.folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
