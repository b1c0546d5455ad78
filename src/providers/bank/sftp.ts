/**
 * The SFTP server of a bank. Each call opens a connection of its own and ends it: banks close those that are idle. The
 * key of the server is pinned, so that nobody else gets our payments, and ours is a file.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import Client from 'ssh2-sftp-client';
import type { BankConnection } from '../../bank/transport/connection.js';
import { isWhole, safeName } from './folder.js';

export interface SftpServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly keyFile: string;
  /** As `ssh-keygen -lf` prints it: `SHA256:…`. */
  readonly hostKey: string;
  readonly outFolder: string;
  readonly inFolder: string;
}

const readyWithinMs = 20_000;

export function sftpConnection(name: string, server: SftpServer): BankConnection {
  const { outFolder, inFolder } = server;
  const session = <Result>(signal: AbortSignal, work: (client: Client) => Promise<Result>) =>
    withSession(server, signal, work);
  return {
    name,
    put: (file, signal) =>
      session(signal, async (client) => {
        const path = `${outFolder}/${safeName(file.name)}`;
        const unfinished = `${outFolder}/.${file.name}.part`;
        await client.put(file.content, unfinished);
        // Servers without this extension refuse to rename over a file: a name that is taken has the same bytes.
        await client.posixRename(unfinished, path).catch(async () => {
          if (await client.exists(path)) await client.delete(path);
          await client.rename(unfinished, path);
        });
      }),
    list: (signal) =>
      session(signal, async (client) => {
        const entries = await client.list(inFolder, ({ type, name: file }) => type === '-' && isWhole(file));
        return entries.map(({ name: file, size }) => ({ name: file, bytes: size }));
      }),
    get: (file, mostBytes, signal) =>
      session(signal, async (client) => {
        const path = `${inFolder}/${safeName(file)}`;
        if ((await client.stat(path)).size > mostBytes) throw new Error(`the file has more than ${mostBytes} bytes`);
        const pieces = new Pieces(mostBytes);
        await client.get(path, pieces);
        return pieces.content();
      }),
    archive: (file, signal) =>
      session(signal, async (client) => {
        const folder = `${inFolder}/archive`;
        const path = `${inFolder}/${safeName(file)}`;
        if (!(await client.exists(path))) return;
        if (!(await client.exists(folder))) await client.mkdir(folder);
        await client.rename(path, await freeName(client, folder, file));
      }),
  };
}

async function withSession<Result>(
  { host, port, user, keyFile, hostKey }: SftpServer,
  signal: AbortSignal,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const client = new Client();
  const stop = () => void client.end().catch(() => {});
  signal.addEventListener('abort', stop);
  try {
    await client.connect({
      host,
      port,
      username: user,
      readyTimeout: readyWithinMs,
      retries: 0,
      privateKey: await readFile(keyFile),
      hostVerifier: (key: Buffer) => isPinned(key, hostKey),
    });
    return await work(client);
  } finally {
    signal.removeEventListener('abort', stop);
    await client.end().catch(() => {});
  }
}

/** A bank that uses a name again loses none of its files. */
async function freeName(client: Client, folder: string, name: string): Promise<string> {
  let free = `${folder}/${name}`;
  for (let number = 2; await client.exists(free); number += 1) free = `${folder}/${name}.${number}`;
  return free;
}

/** The fingerprint of OpenSSH: SHA-256 of the key in base64, without padding. */
function isPinned(key: Buffer, hostKey: string): boolean {
  const found = createHash('sha256').update(key).digest();
  const pinned = Buffer.from(hostKey.slice('SHA256:'.length), 'base64');
  return pinned.length === found.length && timingSafeEqual(pinned, found);
}

/** A file that grows while it is read does not fill the memory. */
class Pieces extends Writable {
  readonly #pieces: Buffer[] = [];
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number) {
    super();
    this.#mostBytes = mostBytes;
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#bytes += piece.length;
    const isTooLong = this.#bytes > this.#mostBytes;
    if (!isTooLong) this.#pieces.push(piece);
    done(isTooLong ? new Error(`the file has more than ${this.#mostBytes} bytes`) : undefined);
  }

  content(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
