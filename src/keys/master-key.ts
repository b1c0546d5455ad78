/** Finds the master key: in the setting MASTER_KEY, or in a file that is created beside the embedded database. */
import { createHmac, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupRefused } from '../errors.js';

interface KeySettings {
  readonly masterKey: Buffer | undefined;
  readonly dataDirectory: string;
}

/** The key for a new database. Creates one if neither the settings nor the data directory have one. */
export function loadMasterKey(config: KeySettings): Buffer {
  return config.masterKey ?? parseKey(keyFile(config), readOrCreate(keyFile(config)));
}

/** The key of an existing database. Throws `StartupRefused` when there is none. */
export function findMasterKey(config: KeySettings): Buffer {
  if (config.masterKey) return config.masterKey;
  const file = keyFile(config);
  const text = readIfPresent(file);
  if (text !== undefined) return parseKey(file, text);
  throw new StartupRefused(
    `The master key of this database is missing: there is no ${file}, and MASTER_KEY is not set. Restore the file from a backup, or set MASTER_KEY to the key that the database uses.`,
  );
}

function keyFile({ dataDirectory }: KeySettings): string {
  return join(dataDirectory, 'master-key');
}

function parseKey(file: string, text: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === 32) return key;
  throw new StartupRefused(`${file} does not contain a key of 32 bytes. Restore it from a backup.`);
}

/** A value by which the right key is recognised. It reveals nothing about the key. */
export function masterKeyCheckValue(key: Buffer): Buffer {
  return createHmac('sha256', key).update('remesa master key check').digest();
}

function readOrCreate(file: string): string {
  const existing = readIfPresent(file);
  if (existing !== undefined) return existing;
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  // A complete file is linked into place, so two processes that start at once share one key and never read half of it.
  // The draft's name is random, because two containers on one volume can have the same process id.
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

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
