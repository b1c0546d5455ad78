/** The SFTP server of a bank, played by OpenSSH: files appear whole, and no other server gets them. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BankConnection } from '../../src/bank/transport/connection.js';
import { sftpConnection } from '../../src/providers/bank/sftp.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';

const program = '/usr/sbin/sshd';
if (!existsSync(program)) spawnSync('apt-get', ['install', '-y', '-q', 'openssh-server'], { stdio: 'ignore' });
const canRun = existsSync(program);
if (!canRun) console.warn('The tests of SFTP are left out: there is no sshd (apt-get install openssh-server).');

const folder = newFolder();
let server: ChildProcess | undefined;
let port = 0;
const fingerprint = (key: string) =>
  execFileSync('ssh-keygen', ['-lf', `${key}.pub`])
    .toString()
    .split(' ')[1] ?? '';
const key = (name: string) => {
  const path = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path]);
  return path;
};

function connection(fields: { hostKey?: string; keyFile?: string } = {}): BankConnection {
  return sftpConnection('main-eur', {
    host: '127.0.0.1',
    port,
    user: userInfo().username,
    keyFile: fields.keyFile ?? join(folder, 'client'),
    hostKey: fields.hostKey ?? fingerprint(join(folder, 'host')),
    outFolder: join(folder, 'out'),
    inFolder: join(folder, 'in'),
  });
}

const soon = () => AbortSignal.timeout(20_000);

describe.skipIf(!canRun)('the SFTP server of a bank', () => {
  beforeAll(async () => {
    for (const name of ['out', 'in']) mkdirSync(join(folder, name));
    const [host, client] = [key('host'), key('client')];
    key('other');
    writeFileSync(join(folder, 'authorized'), readFileSync(`${client}.pub`));
    port = await freePort();
    const settings = {
      Port: port,
      ListenAddress: '127.0.0.1',
      HostKey: host,
      AuthorizedKeysFile: join(folder, 'authorized'),
      PidFile: 'none',
      StrictModes: 'no',
      UsePAM: 'no',
      PasswordAuthentication: 'no',
      PermitRootLogin: 'yes',
      Subsystem: 'sftp internal-sftp',
    };
    const text = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
    writeFileSync(join(folder, 'config'), text.join(''));
    if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
    server = spawn(program, ['-D', '-e', '-f', join(folder, 'config')], { stdio: 'ignore' });
    await eventually(
      () =>
        connection()
          .list(soon())
          .then(
            () => true,
            () => false,
          ),
      { what: 'sshd' },
    );
  }, 60_000);

  afterAll(() => server?.kill());

  it('gets a file whole under its name, and the same file again', async () => {
    const file = { name: 'main-eur.MSG1.xml', content: Buffer.from('<Document/>'.repeat(50_000)) };
    await connection().put(file, soon());
    await connection().put(file, soon());
    expect(readdirSync(join(folder, 'out'))).toEqual([file.name]);
    expect(readFileSync(join(folder, 'out', file.name)).equals(file.content)).toBe(true);
  });

  it('offers its files but those that are not whole, and puts aside what was stored, under a name that is free', async () => {
    const bank = connection();
    for (const text of ['first', 'second']) {
      writeFileSync(join(folder, 'in', 'camt.xml'), text);
      writeFileSync(join(folder, 'in', 'next.xml.part'), 'half');
      expect(await bank.list(soon())).toEqual([{ name: 'camt.xml', bytes: text.length }]);
      expect((await bank.get('camt.xml', 100, soon())).toString()).toBe(text);
      await expect(bank.get('camt.xml', 2, soon())).rejects.toThrow('more than 2 bytes');
      await bank.archive('camt.xml', soon());
      await bank.archive('camt.xml', soon());
    }
    expect(readdirSync(join(folder, 'in', 'archive'))).toEqual(['camt.xml', 'camt.xml.2']);
    await expect(bank.get('../client', 1_000, soon())).rejects.toThrow('not the name of a file');
  });

  it('gets nothing from us with another key than the pinned one, and takes nothing with another key of ours', async () => {
    const file = { name: 'secret.xml', content: Buffer.from('secret') };
    const impostor = connection({ hostKey: fingerprint(join(folder, 'other')) });
    await expect(impostor.put(file, soon())).rejects.toThrow();
    await expect(connection({ keyFile: join(folder, 'other') }).put(file, soon())).rejects.toThrow();
    expect(readdirSync(join(folder, 'out'))).not.toContain(file.name);
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return free;
}
