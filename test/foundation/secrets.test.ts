import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { newFolder } from '../harness/new-folder.js';
import { faultsOf, refusalOf } from './refusal.js';

const key = '+Db9g7mnrS0RC8/pTJE/Gn4FMtyJJmNfIisfY6x5MYI=';
const folder = newFolder();

function fileWith(text: string): string {
  const file = join(folder, `secret-${Math.random()}`);
  writeFileSync(file, text);
  return file;
}

describe('a secret in a file', () => {
  it.each(['\n', '\r\n', ''])('is read without its line end (%j)', (end) => {
    const config = readConfig({ MASTER_KEY_FILE: fileWith(`${key}${end}`) });
    expect(config.masterKey?.toString('base64')).toBe(key);
  });

  it('may be DATABASE_URL, which contains a password', () => {
    const url = 'postgres://remesa:swordfish@db/remesa';
    expect(readConfig({ DATABASE_URL_FILE: fileWith(`${url}\n`), MASTER_KEY: key }).databaseUrl).toBe(url);
  });

  it('is refused when the secret is also set directly', () => {
    expect(faultsOf({ MASTER_KEY: key, MASTER_KEY_FILE: fileWith(key) })).toEqual([
      'MASTER_KEY and MASTER_KEY_FILE are both set; only one may be',
    ]);
  });

  it('is refused when the file is missing', () => {
    expect(faultsOf({ METRICS_TOKEN_FILE: join(folder, 'nowhere') })).toEqual([
      'METRICS_TOKEN_FILE names a file that cannot be read (ENOENT)',
    ]);
  });

  it('is refused when the file is empty', () => {
    expect(faultsOf({ DATABASE_URL_FILE: fileWith('\n') })).toEqual(['DATABASE_URL_FILE names an empty file']);
  });

  it('is not printed when it is wrong', () => {
    expect(refusalOf({ MASTER_KEY_FILE: fileWith('opensesame') })).toMatch(/MASTER_KEY must be 32 random bytes/);
    expect(refusalOf({ MASTER_KEY_FILE: fileWith('opensesame') })).not.toContain('opensesame');
  });

  it('is ignored for a setting that is not a secret', () => {
    expect(readConfig({ PORT_FILE: fileWith('4000') }).port).toBe(3000);
  });
});

describe('the master key', () => {
  it('is accepted as base64, base64url and hexadecimal', () => {
    const bytes = Buffer.from(key, 'base64');
    for (const text of [key, bytes.toString('base64url'), bytes.toString('hex'), bytes.toString('hex').toUpperCase()]) {
      expect(readConfig({ MASTER_KEY: text }).masterKey).toEqual(bytes);
    }
  });

  it.each([
    ['zeroes', '0'.repeat(64)],
    ['one repeated byte', 'ab'.repeat(32)],
    ['a repeated sequence', '0123456789abcdef'.repeat(4)],
    ['one repeated letter', `${'A'.repeat(43)}=`],
  ])('is refused when it can be guessed: %s', (_, weak) => {
    expect(faultsOf({ MASTER_KEY: weak })).toEqual(['MASTER_KEY is not random (make one: openssl rand -base64 32)']);
  });

  it.each([
    ['31 bytes', Buffer.alloc(31, 'x').toString('base64')],
    ['33 bytes', Buffer.alloc(33, 'x').toString('base64')],
    ['a passphrase', 'correct horse battery staple correct horse!'],
    ['63 hexadecimal digits', 'a'.repeat(63)],
  ])('is refused when it does not have 32 bytes: %s', (_, wrong) => {
    expect(faultsOf({ MASTER_KEY: wrong })).toEqual([
      'MASTER_KEY must be 32 random bytes as base64 or hexadecimal (make one: openssl rand -base64 32)',
    ]);
  });
});
