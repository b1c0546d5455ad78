/** A start that fails explains what is wrong and what to do, and leaves nothing running. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { startService } from '../../src/app.js';
import { StartupRefused } from '../../src/errors.js';
import { createLog } from '../../src/log.js';
import { explainStartupFault, serverSentence } from '../../src/startup-faults.js';
import { overTcp } from '../harness/database-url.js';
import { testConfig } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';

const folder = mkdtempSync(join(tmpdir(), 'remesa-start-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { url, sql } = useTestDatabase();
const { log } = createLog({ level: 'silent' });

/** Returns why a service with these settings does not start. */
async function refusalOf(settings: Record<string, string>): Promise<string> {
  const config = testConfig({ DATABASE_URL: url, DATA_DIR: join(folder, 'data'), ...settings });
  const failure = await startService(config, { log, say: () => {} }).then(
    (service) => service.stop().then(() => new Error('the service started')),
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(StartupRefused);
  return (failure as StartupRefused).message;
}

const withUrl = (change: (url: URL) => void): Record<string, string> => {
  const changed = new URL(overTcp(url));
  change(changed);
  return { DATABASE_URL: changed.href };
};
const server = () => new URL(url).host;
const databaseName = () => new URL(url).pathname.slice(1);

describe('a service that cannot listen', () => {
  it('names the port that is in use and suggests another, and leaves no connection open', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await refusalOf({ PORT: String(port) })).toBe(
      `Port ${port} on 127.0.0.1 is in use, perhaps by another Remesa. Stop that program, or set PORT to a free port (PORT=${port + 1}).`,
    );
    const { rows } = await sql.query(
      "SELECT application_name FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'remesa%'",
      [databaseName()],
    );
    expect(rows).toEqual([]);
  });

  it('names an address that does not belong to this machine', async () => {
    expect(await refusalOf({ HOST: '192.0.2.1' })).toMatch(
      /^HOST=192\.0\.2\.1 is not an address of this machine\. Set HOST to 127\.0\.0\.1/,
    );
  });

  it.each([
    [{ code: 'EACCES', syscall: 'listen' }, /^This user may not listen on port 80\. Set PORT to 1024 or higher/],
    [{ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'pay' }, /^HOST=pay is a name that cannot be resolved/],
  ])('explains the system error %j', (fault, sentence) => {
    const settings = { host: 'pay', port: 80, dataDirectory: folder, databaseUrl: undefined };
    const explained = explainStartupFault(Object.assign(new Error(), fault), settings);
    expect((explained as Error).message).toMatch(sentence);
  });
});

describe('the data directory', () => {
  it('is refused when it is a file, below a file, or where no folder can be created', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below')]) {
      expect(await refusalOf({ DATA_DIR: path })).toBe(
        `${path} cannot be used as a folder, because it or a part of it is a file. Set DATA_DIR to a folder.`,
      );
    }
    if (existsSync('/proc/self'))
      expect(await refusalOf({ DATA_DIR: '/proc/remesa' })).toMatch(/^\/proc\/remesa cannot be used or created/);
  });

  it.each([
    ['ENOSPC', 'There is no space left to write /data/x.'],
    ['EROFS', '/data/x is on a read-only file system.'],
    ['EACCES', 'This user may not use /data/x.'],
    ['EMFILE', '/data/x cannot be opened, because too many files are open.'],
  ])('is explained when a file in it fails with %s', (code, sentence) => {
    const settings = { host: '127.0.0.1', port: 1, dataDirectory: '/data', databaseUrl: undefined };
    const error = Object.assign(new Error(code), { code, syscall: 'open', path: '/data/x' });
    const explained = explainStartupFault(new Error('a wrapper', { cause: error }), settings);
    expect((explained as Error).message.startsWith(sentence)).toBe(true);
  });
});

it('a full disk is explained when a write without a path fails and when PostgreSQL reports it', () => {
  const settings = { host: '127.0.0.1', port: 1, dataDirectory: '/data', databaseUrl: undefined };
  const error = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' });
  const sentence = 'There is no space left to write /data. Free some, or set DATA_DIR to a folder on another disk.';
  expect((explainStartupFault(error, settings) as Error).message).toBe(sentence);
  const output = 'FATAL:  could not write to file "pg_wal/xlogtemp.3993": No space left on device';
  expect(serverSentence(output, '/data')).toBe(sentence);
});

describe('the database of DATABASE_URL', () => {
  it('is named when nothing listens there, when its host is unknown, and when the server is not PostgreSQL', async () => {
    expect(await refusalOf(withUrl((to) => (to.port = '1')))).toBe(
      'No PostgreSQL server listens at 127.0.0.1:1. Start it, or correct DATABASE_URL.',
    );
    expect(await refusalOf(withUrl((to) => (to.hostname = 'db.invalid')))).toMatch(
      /^The host db\.invalid of DATABASE_URL cannot be found/,
    );
    const other = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await refusalOf(withUrl((to) => (to.port = String(port))))).toMatch(
      /^The connection to 127\.0\.0\.1:\d+ was closed while it was being opened\./,
    );
  });

  it('is named without its password when the password is wrong or missing', async () => {
    const wrong = await refusalOf(withUrl((to) => (to.password = 'open-sesame')));
    expect(wrong).toBe(
      `The PostgreSQL server at ${server()} does not accept the password of remesa. Correct DATABASE_URL.`,
    );
    expect(await refusalOf(withUrl((to) => (to.password = '')))).toMatch(
      /asks for a password, and DATABASE_URL has none/,
    );
  });

  it('is named when it does not exist, and when the server has no TLS', async () => {
    expect(await refusalOf(withUrl((to) => (to.pathname = '/nowhere')))).toBe(
      `The PostgreSQL server at ${server()} has no database nowhere. Create it there (CREATE DATABASE nowhere OWNER remesa), or correct DATABASE_URL.`,
    );
    expect(await refusalOf(withUrl((to) => (to.search = '?sslmode=verify-full')))).toMatch(
      /has no TLS\. Turn TLS on there/,
    );
  });

  it('is named when the role may not create tables, and when its connections are used up', async () => {
    const role = `r_${databaseName()}`;
    await sql.query(`CREATE ROLE ${role} LOGIN PASSWORD 'weak' CONNECTION LIMIT 1`);
    const asRole = withUrl((to) => {
      to.username = role;
      to.password = 'weak';
    });
    onTestFinished(async () => {
      await sql.query(`DROP OWNED BY ${role}`);
      await sql.query(`DROP ROLE ${role}`);
    });
    expect(await refusalOf(asRole)).toMatch(
      new RegExp(
        `^The role ${role} lacks rights in the database ${databaseName()}: permission denied .* OWNER TO ${role}\\.$`,
      ),
    );
    await sql.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
    expect(await refusalOf(asRole)).toMatch(/has no connection left \(too many connections for role/);
  });

  it('is refused with another master key, and no key is created in the data directory', async () => {
    const dataDirectory = join(folder, 'keyless');
    expect(
      await refusalOf({
        DATA_DIR: dataDirectory,
        MASTER_KEY: 'ZGlmZmVyZW50IGtleSBvZiBleGFjdGx5IDMyIGJ5dC4=',
      }),
    ).toMatch(/^The master key is not the one that this database uses/);
    expect(readdirSync(dataDirectory)).not.toContain('master-key');
  });
});

it('an unknown error is returned unchanged', () => {
  const settings = { host: '127.0.0.1', port: 1, dataDirectory: '/data', databaseUrl: undefined };
  const error = new TypeError('undefined is not a function');
  expect(explainStartupFault(error, settings)).toBe(error);
});

it('a database name with a stray % is shown as it is written in DATABASE_URL', () => {
  const databaseUrl = 'postgres://remesa@127.0.0.1:5432/100%';
  const settings = { host: '127.0.0.1', port: 1, dataDirectory: '/data', databaseUrl };
  const error = Object.assign(new Error('database "100%" does not exist'), {
    code: '3D000',
    severity: 'FATAL',
  });
  expect(explainStartupFault(error, settings)).toMatchObject({
    message: expect.stringContaining('has no database 100%.'),
  });
});

it('a pooler that refuses the time limits at connect is explained', () => {
  const error = Object.assign(new Error('unsupported startup parameter: statement_timeout'), {
    severity: 'FATAL',
    code: '08P01',
  });
  const settings = {
    host: '127.0.0.1',
    port: 3000,
    dataDirectory: '/data',
    databaseUrl: 'postgres://u@db:6432/r',
  };
  expect((explainStartupFault(error, settings) as Error).message).toBe(
    'db:6432 refused the time limits that Remesa sends at connect (unsupported startup parameter: statement_timeout). A pooler such as PgBouncer does that: set DATABASE_POOLER to its mode.',
  );
});
