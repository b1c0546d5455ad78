/** Commands while the service runs: they are guests on its embedded database, and it hears of what they do. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { askToken, logIn, tokenOf } from '../harness/access.js';
import { Api } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { buildRemesa, type Outcome, remesa, remesaHere, type ServedRemesa, serveRemesa } from './remesa.js';

const patienceMs = 90_000;

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs });
const folder = mkdtempSync(join(tmpdir(), 'remesa-commands-'));
const environment = { DATA_DIR: folder, TOKENS_PER_MINUTE: '10000' };
let served: ServedRemesa;
let api: Api;

beforeAll(async () => {
  buildRemesa();
  served = await serveRemesa(environment);
  api = new Api(served.url, undefined);
});
afterAll(async () => {
  await served.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** In a process of its own, as a person runs it; `here` spares the time where only what it says is in question. */
const run = (...args: string[]): Promise<Outcome> => remesa(environment, ...args);
const here = (...args: string[]): Promise<Outcome> => remesaHere(environment, ...args);
const running = () => ({ api });
const passwordFile = (text: string) => {
  const file = join(folder, `password-${Math.floor(performance.now())}`);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};
/** A message for a person, and no trace of the program's inside. */
function expectRefusal(outcome: Outcome, message: RegExp): void {
  expect([outcome.code, outcome.stdout]).toEqual([1, '']);
  expect(outcome.stderr).toMatch(message);
  expect(outcome.stderr).not.toMatch(/\n\s+at |node_modules|Error:|check constraint/);
}

describe('remesa merchant', () => {
  it('create prints client id and secret as JSON, once, and they work at once', async () => {
    const outcome = await run('merchant', 'create', '--name', 'Acme', '--client-id', 'acme');
    expect(outcome.code).toBe(0);
    const made = JSON.parse(outcome.stdout);
    expect(made).toEqual({ clientId: 'acme', clientSecret: expect.stringMatching(/^rms_[\w-]{43}$/) });
    expect(outcome.stderr).toBe('The secret is shown this once; keep it well.\n');
    expect((await askToken(running(), made)).status).toBe(200);
    const { stdout, stderr } = served.output();
    expect(stdout + stderr).not.toContain(made.clientSecret);
  });

  it('create makes a client id up', async () => {
    const { stdout } = await here('merchant', 'create', '--name', 'Nameless');
    expect(JSON.parse(stdout).clientId).toMatch(/^client_[0-9a-f]{18}$/);
  });

  it('create refuses what the service would refuse', async () => {
    expectRefusal(await here('merchant', 'create', '--name', 'Acme', '--client-id', 'acme'), /acme is taken/);
    expectRefusal(await here('merchant', 'create', '--name', 'Acme', '--client-id', 'Not Right'), /clientId/);
    expectRefusal(await here('merchant', 'create', '--name', ''), /name/);
    const withoutName = await here('merchant', 'create');
    expect([withoutName.code, withoutName.stdout]).toEqual([1, '']);
    expect(withoutName.stderr).toContain("required option '--name <name>' not specified");
  });

  it('list prints one line each', async () => {
    const { code, stdout } = await here('merchant', 'list');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['demo\tactive\tDemo merchant', 'acme\tactive\tAcme']),
    );
  });

  it('update changes what it is given, and refuses what the service would refuse', async () => {
    const outcome = await here(
      'merchant',
      'update',
      'acme',
      '--name',
      'Acme Ltd',
      '--origin',
      'https://a.example',
      'https://b.example',
      '--redirect-url',
      'https://a.example/done',
    );
    expect(outcome.code).toBe(0);
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      clientId: 'acme',
      name: 'Acme Ltd',
      allowedOrigins: ['https://a.example', 'https://b.example'],
      redirectUrls: ['https://a.example/done'],
    });
    expectRefusal(await here('merchant', 'update', 'acme', '--origin', '*'), /allowedOrigins/);
    expectRefusal(await here('merchant', 'update', 'acme', '--redirect-url', 'javascript:x'), /redirectUrls/);
    expectRefusal(
      await here('merchant', 'update', 'nobody', '--name', 'x'),
      /no merchant with this client id/,
    );
    const { stdout } = await here('merchant', 'list');
    expect(stdout).toContain('acme\tactive\tAcme Ltd\n');
  });

  it('suspend bites on the running service within 5 s, resume restores', async () => {
    const made = JSON.parse((await here('merchant', 'create', '--name', 'Suspended')).stdout);
    const token = await tokenOf(running(), made);
    const status = async () => (await api.get('/merchant/users', { token })).status;
    expect(await status()).toBe(200);
    const suspended = await run('merchant', 'suspend', made.clientId);
    expect([suspended.code, suspended.stdout, suspended.stderr]).toEqual([
      0,
      '',
      `${made.clientId} is suspended.\n`,
    ]);
    await eventually(async () => (await status()) === 401, { withinMs: 5_000 });
    const resumed = await here('merchant', 'resume', made.clientId);
    expect([resumed.code, resumed.stderr]).toEqual([0, `${made.clientId} is active.\n`]);
    await eventually(async () => (await status()) === 200, { withinMs: 5_000 });
    expectRefusal(await here('merchant', 'suspend', 'nobody'), /no merchant with this client id/);
  });

  it('rotate-secret prints the new one once; --end-others ends the rest, and tokens with them', async () => {
    const first = JSON.parse((await here('merchant', 'create', '--name', 'Rotated')).stdout);
    const token = await tokenOf(running(), first);
    const second = JSON.parse((await here('merchant', 'rotate-secret', first.clientId)).stdout);
    expect([(await askToken(running(), first)).status, (await askToken(running(), second)).status]).toEqual([
      200, 200,
    ]);
    const outcome = await here('merchant', 'rotate-secret', first.clientId, '--end-others');
    const third = JSON.parse(outcome.stdout);
    expect(outcome.stderr).toBe('The secret is shown this once; keep it well.\n');
    expect((await askToken(running(), second)).status).toBe(401);
    const fresh = await tokenOf(running(), third);
    await eventually(async () => (await api.get('/merchant/users', { token })).status === 401, {
      withinMs: 5_000,
    });
    expect((await api.get('/merchant/users', { token: fresh })).status).toBe(200);
  });
});

describe('remesa operator', () => {
  it('create prints a password that it made, and nothing else on standard output; it works at once', async () => {
    const outcome = await run('operator', 'create', 'ana');
    expect([outcome.code, outcome.stderr]).toEqual([0, 'ana can log in now.\n']);
    expect(outcome.stdout).toMatch(/^[\w-]{20}\n$/);
    const answer = await logIn(running(), 'ana', outcome.stdout.trim());
    expect(answer.json).toMatchObject({ role: 'admin' });
    const listed = await api.get('/operator/operators', { token: answer.json.accessToken });
    expect(listed.json).toMatchObject([{ login: 'ana', role: 'admin', status: 'active' }]);
  });

  it('create takes the password of a file, and then prints none', async () => {
    const file = passwordFile('a password from a file\n');
    const outcome = await here('operator', 'create', 'bea', '--role', 'viewer', '--password-file', file);
    expect([outcome.code, outcome.stdout]).toEqual([0, '']);
    expect((await logIn(running(), 'bea', 'a password from a file')).json).toMatchObject({ role: 'viewer' });
  });

  it('create refuses what the service would refuse', async () => {
    expectRefusal(await here('operator', 'create', 'ana'), /login ana is taken/);
    expectRefusal(await here('operator', 'create', 'Not Right'), /login is in lower case/);
    const short = passwordFile('short');
    expectRefusal(
      await here('operator', 'create', 'cleo', '--password-file', short),
      /at least 12 and at most 256 characters/,
    );
    const long = passwordFile('x'.repeat(257));
    expectRefusal(
      await here('operator', 'create', 'cleo', '--password-file', long),
      /at least 12 and at most 256 characters/,
    );
    const missing = join(folder, 'not-there');
    expectRefusal(await here('operator', 'create', 'cleo', '--password-file', missing), /not-there/);
    const role = await here('operator', 'create', 'cleo', '--role', 'root');
    expect([role.code, role.stderr]).toEqual([1, expect.stringContaining('viewer, reviewer, admin')]);
    expect((await here('operator', 'list')).stdout).toBe('ana\tadmin\tactive\nbea\tviewer\tactive\n');
  });

  it('set-password ends open logins and the old password', async () => {
    const { accessToken } = (await logIn(running(), 'bea', 'a password from a file')).json;
    expect((await api.get('/operator/merchants', { token: accessToken })).status).toBe(200);
    const outcome = await here('operator', 'set-password', 'bea');
    expect([outcome.code, outcome.stderr]).toEqual([0, 'bea can log in now.\n']);
    await eventually(
      async () => (await api.get('/operator/merchants', { token: accessToken })).status === 401,
      { withinMs: 5_000 },
    );
    expect((await logIn(running(), 'bea', 'a password from a file')).status).toBe(401);
    expect((await logIn(running(), 'bea', outcome.stdout.trim())).status).toBe(200);
    expectRefusal(await here('operator', 'set-password', 'nobody'), /no operator with this login/);
  });

  it('set-role, disable and enable say what holds now, and keep the last admin', async () => {
    expect((await here('operator', 'set-role', 'bea', 'reviewer')).stderr).toBe('bea is reviewer, active.\n');
    expect((await here('operator', 'disable', 'bea')).stderr).toBe('bea is reviewer, disabled.\n');
    expect((await here('operator', 'enable', 'bea')).stderr).toBe('bea is reviewer, active.\n');
    expectRefusal(await here('operator', 'disable', 'ana'), /last active admin/);
    expectRefusal(await here('operator', 'set-role', 'ana', 'viewer'), /last active admin/);
    expectRefusal(await here('operator', 'disable', 'nobody'), /no operator with this login/);
    const role = await here('operator', 'set-role', 'bea', 'root');
    expect([role.code, role.stderr]).toEqual([1, expect.stringContaining('viewer, reviewer, admin')]);
  });
});

describe('remesa keys rotate', () => {
  const published = async (): Promise<string[]> =>
    (await api.get('/.well-known/jwks.json')).json.keys.map(({ kid }: { kid: string }) => kid);

  it('publishes a new key on the running service and keeps the old one', async () => {
    const before = await published();
    const outcome = await here('keys', 'rotate');
    expect(outcome.code).toBe(0);
    const [, keyId = ''] =
      /^Key (\S+) signs in 1200 s; all others are refused in 4860 s\.\n$/.exec(outcome.stderr) ?? [];
    await eventually(async () => (await published()).includes(keyId), { withinMs: 5_000 });
    expect(await published()).toEqual([...before, keyId]);
  });

  it('--emergency ends all tokens within 5 s; new ones work', async () => {
    const demo = { clientId: 'demo', clientSecret: 'demo-secret' };
    const token = await tokenOf(running(), demo);
    const outcome = await run('keys', 'rotate', '--emergency');
    expect(outcome.stderr).toMatch(/^Key \S+ signs in 0 s; all others are refused in 0 s\.\n$/);
    await eventually(async () => (await api.get('/merchant/users', { token })).status === 401, {
      withinMs: 5_000,
    });
    const fresh = await tokenOf(running(), demo);
    expect((await api.get('/merchant/users', { token: fresh })).status).toBe(200);
  });
});

describe('remesa token', () => {
  it('prints a token that works, and nothing else', async () => {
    const outcome = await run('token', '--url', served.url);
    expect([outcome.code, outcome.stderr]).toEqual([0, `Asking ${served.url} for a token.\n`]);
    expect((await api.get('/merchant/users', { token: outcome.stdout.trim() })).status).toBe(200);
  });

  it('asks where the settings say that the service is', async () => {
    const { port } = new URL(served.url);
    const asked = async (settings: Record<string, string>) =>
      (await remesaHere({ ...environment, ...settings }, 'token')).stderr.split('\n')[0];
    expect(await asked({ PORT: port })).toBe(`Asking ${served.url} for a token.`);
    expect(await asked({ PORT: port, HOST: '0.0.0.0' })).toBe(`Asking ${served.url} for a token.`);
    expect(await asked({ PORT: '1', HOST: '::' })).toBe('Asking http://[::1]:1 for a token.');
    expect(await asked({ PORT: '1', BASE_URL: served.url })).toBe(`Asking ${served.url} for a token.`);
    expect(await asked({ PORT: '0' })).toMatch(/^PORT=0 lets the service choose its port/);
  });

  it('says what is wrong, without a secret', async () => {
    const wrong = await here('token', '--url', served.url, '--client-secret', 'a-secret-in-the-open');
    expectRefusal(wrong, /could not be authenticated/);
    expect(wrong.stderr).not.toContain('a-secret-in-the-open');
    expectRefusal(await here('token', '--url', served.url, '--user-id', '999'), /no such user/);
    expectRefusal(await here('token', '--url', 'http://127.0.0.1:1'), /Nothing answers at/);
    expectRefusal(await here('token', '--url', `${served.url}/docs`), /No token/);
    expectRefusal(await here('token', '--url', 'not an address'), /not an address/);
  });

  it('is not confused by an answer of something else', async () => {
    const other = createServer((_request, response) => response.end('<html>hello</html>')).listen(
      0,
      '127.0.0.1',
    );
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expectRefusal(await here('token', '--url', `http://127.0.0.1:${port}`), /No token: 200/);
    other.close();
  });
});

describe('what commands leave behind', () => {
  it('is in the audit log as done by the command line, and the log is whole', async () => {
    const outcome = await run('verify');
    expect(outcome.code).toBe(0);
    expect(outcome.stderr).toMatch(/^Audit log: \d+ entries, \d+ signed heads, 0 faults\.\n/);
    expect((await run('migrate')).stderr).toBe('The database is up to date.\n');
  });

  it('is no file that others can read', () => {
    for (const name of ['master-key', 'audit-heads.jsonl'])
      expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
    expect(readFileSync(join(folder, 'master-key'), 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
  });
});
