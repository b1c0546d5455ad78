/** The key that wraps all other keys: given by the operator, or made once beside the embedded database. */
import { createHmac, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupRefused } from '../errors.js';

interface KeySettings {
  readonly masterKey: Buffer | undefined;
  readonly dataDirectory: string;
}

/** The key for a new database: made, unless the settings or the data directory have one. */
export function loadMasterKey(config: KeySettings): Buffer {
  return config.masterKey ?? keyIn(keyFile(config), readOrMake(keyFile(config)));
}

/** The key of a database that exists. Throws `StartupRefused` when there is none. */
export function findMasterKey(config: KeySettings): Buffer {
  if (config.masterKey) return config.masterKey;
  const file = keyFile(config);
  const text = readIfThere(file);
  if (text !== undefined) return keyIn(file, text);
  throw new StartupRefused(
    `The master key of this database is missing: there is no ${file}, and MASTER_KEY is not set. Restore the file from a backup, or set MASTER_KEY to the key that the database was made with.`,
  );
}

function keyFile({ dataDirectory }: KeySettings): string {
  return join(dataDirectory, 'master-key');
}

function keyIn(file: string, text: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === 32) return key;
  throw new StartupRefused(`${file} does not hold a key of 32 bytes; restore it from a backup.`);
}

/** Tells a wrong key from the right one without revealing anything of it. */
export function masterKeyCheckValue(key: Buffer): Buffer {
  return createHmac('sha256', key).update('remesa master key check').digest();
}

function readOrMake(file: string): string {
  const existing = readIfThere(file);
  if (existing !== undefined) return existing;
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  // Linking a whole file into place means that two processes starting at once share one key, never a half one.
  // The draft's name is random: two containers on one volume may well have the same process id.
  const draft = `${file}.${randomBytes(6).toString('hex')}.new`;
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8');
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
