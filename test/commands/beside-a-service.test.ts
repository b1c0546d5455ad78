/** Commands while the service runs. They use its embedded database, and the service reacts to their changes. */
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
import { copyNewCluster } from '../harness/new-cluster.js';
import { type Outcome, remesa, remesaHere, type ServedRemesa, serveRemesa } from './remesa.js';

const patienceMs = 90_000;

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs });
const folder = mkdtempSync(join(tmpdir(), 'remesa-commands-'));
const environment = { DATA_DIR: folder, TOKENS_PER_MINUTE: '10000' };
let served: ServedRemesa;
let api: Api;

beforeAll(async () => {
  await copyNewCluster(folder);
  served = await serveRemesa(environment);
  api = new Api(served.url, undefined);
});
afterAll(async () => {
  await served.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command in its own process. `here` runs it in this process, which is faster. */
const run = (...args: string[]): Promise<Outcome> => remesa(environment, ...args);
const here = (...args: string[]): Promise<Outcome> => remesaHere(environment, ...args);
const running = () => ({ api });
const passwordFile = (text: string) => {
  const file = join(folder, `password-${Math.floor(performance.now())}`);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};
/** Expects a message for a person, without a stack trace or other internals. */
function expectRefusal(outcome: Outcome, message: RegExp): void {
  expect([outcome.code, outcome.stdout]).toEqual([1, '']);
  expect(outcome.stderr).toMatch(message);
  expect(outcome.stderr).not.toMatch(/\n\s+at |node_modules|Error:|check constraint/);
}

describe('remesa merchant', () => {
  it('create prints the client id and secret as JSON, and they work at once', async () => {
    const outcome = await run('merchant', 'create', '--name', 'Acme', '--client-id', 'acme');
    expect(outcome.code).toBe(0);
    const credentials = JSON.parse(outcome.stdout);
    expect(credentials).toEqual({ clientId: 'acme', clientSecret: expect.stringMatching(/^rms_[\w-]{43}$/) });
    expect(outcome.stderr).toBe('The secret is shown only once. Store it safely.\n');
    expect((await askToken(running(), credentials)).status).toBe(200);
    const { stdout, stderr } = served.output();
    expect(stdout + stderr).not.toContain(credentials.clientSecret);
  });

  it('create generates a client id when none is set', async () => {
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

  it('list prints one line for each merchant', async () => {
    const { code, stdout } = await here('merchant', 'list');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['demo\tactive\tDemo merchant', 'acme\tactive\tAcme']));
  });

  it('update changes the fields of its options, and refuses what the service would refuse', async () => {
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
    expectRefusal(await here('merchant', 'update', 'nobody', '--name', 'x'), /no merchant with this client id/);
    const { stdout } = await here('merchant', 'list');
    expect(stdout).toContain('acme\tactive\tAcme Ltd\n');
  });

  it('suspend takes effect on the running service within 5 s, and resume ends it', async () => {
    const merchant = JSON.parse((await here('merchant', 'create', '--name', 'Suspended')).stdout);
    const token = await tokenOf(running(), merchant);
    const status = async () => (await api.get('/merchant/users', { token })).status;
    expect(await status()).toBe(200);
    const suspended = await run('merchant', 'suspend', merchant.clientId);
    expect([suspended.code, suspended.stdout, suspended.stderr]).toEqual([
      0,
      '',
      `${merchant.clientId} is suspended.\n`,
    ]);
    await eventually(async () => (await status()) === 401, { withinMs: 5_000 });
    const resumed = await here('merchant', 'resume', merchant.clientId);
    expect([resumed.code, resumed.stderr]).toEqual([0, `${merchant.clientId} is active.\n`]);
    await eventually(async () => (await status()) === 200, { withinMs: 5_000 });
    expectRefusal(await here('merchant', 'suspend', 'nobody'), /no merchant with this client id/);
  });

  it('rotate-secret prints a new secret; --end-others revokes all other secrets and all tokens', async () => {
    const first = JSON.parse((await here('merchant', 'create', '--name', 'Rotated')).stdout);
    const token = await tokenOf(running(), first);
    const second = JSON.parse((await here('merchant', 'rotate-secret', first.clientId)).stdout);
    expect([(await askToken(running(), first)).status, (await askToken(running(), second)).status]).toEqual([200, 200]);
    const outcome = await here('merchant', 'rotate-secret', first.clientId, '--end-others');
    const third = JSON.parse(outcome.stdout);
    expect(outcome.stderr).toBe('The secret is shown only once. Store it safely.\n');
    expect((await askToken(running(), second)).status).toBe(401);
    const fresh = await tokenOf(running(), third);
    await eventually(async () => (await api.get('/merchant/users', { token })).status === 401, {
      withinMs: 5_000,
    });
    expect((await api.get('/merchant/users', { token: fresh })).status).toBe(200);
  });
});

describe('remesa operator', () => {
  it('create prints only a generated password on standard output, and it works at once', async () => {
    const outcome = await run('operator', 'create', 'ana');
    expect([outcome.code, outcome.stderr]).toEqual([0, 'ana can log in now.\n']);
    expect(outcome.stdout).toMatch(/^[\w-]{20}\n$/);
    const answer = await logIn(running(), 'ana', outcome.stdout.trim());
    expect(answer.json).toMatchObject({ role: 'admin' });
    const listed = await api.get('/operator/operators', { token: answer.json.accessToken });
    expect(listed.json).toMatchObject([{ login: 'ana', role: 'admin', status: 'active' }]);
  });

  it('create reads the password from a file, and then prints none', async () => {
    const file = passwordFile('a password from a file\n');
    const outcome = await here('operator', 'create', 'bea', '--role', 'viewer', '--password-file', file);
    expect([outcome.code, outcome.stdout]).toEqual([0, '']);
    expect((await logIn(running(), 'bea', 'a password from a file')).json).toMatchObject({ role: 'viewer' });
  });

  it('create refuses what the service would refuse', async () => {
    expectRefusal(await here('operator', 'create', 'ana'), /login ana is taken/);
    expectRefusal(await here('operator', 'create', 'Not Right'), /login consists of lower-case letters/);
    const short = passwordFile('short');
    expectRefusal(await here('operator', 'create', 'cleo', '--password-file', short), /from 12 to 256 characters/);
    const long = passwordFile('x'.repeat(257));
    expectRefusal(await here('operator', 'create', 'cleo', '--password-file', long), /from 12 to 256 characters/);
    const missing = join(folder, 'not-there');
    expectRefusal(await here('operator', 'create', 'cleo', '--password-file', missing), /not-there/);
    const role = await here('operator', 'create', 'cleo', '--role', 'root');
    expect([role.code, role.stderr]).toEqual([1, expect.stringContaining('viewer, reviewer, admin')]);
    expect((await here('operator', 'list')).stdout).toBe('ana\tadmin\tactive\nbea\tviewer\tactive\n');
  });

  it('set-password ends open sessions and the old password', async () => {
    const { accessToken } = (await logIn(running(), 'bea', 'a password from a file')).json;
    expect((await api.get('/operator/merchants', { token: accessToken })).status).toBe(200);
    const outcome = await here('operator', 'set-password', 'bea');
    expect([outcome.code, outcome.stderr]).toEqual([0, 'bea can log in now.\n']);
    await eventually(async () => (await api.get('/operator/merchants', { token: accessToken })).status === 401, {
      withinMs: 5_000,
    });
    expect((await logIn(running(), 'bea', 'a password from a file')).status).toBe(401);
    expect((await logIn(running(), 'bea', outcome.stdout.trim())).status).toBe(200);
    expectRefusal(await here('operator', 'set-password', 'nobody'), /no operator with this login/);
  });

  it('set-role, disable and enable print the new role and status, and refuse to remove the last admin', async () => {
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
  const publishedKeyIds = async (): Promise<string[]> =>
    (await api.get('/.well-known/jwks.json')).json.keys.map(({ kid }: { kid: string }) => kid);

  it('makes the running service publish a new key beside the old one', async () => {
    const before = await publishedKeyIds();
    const outcome = await here('keys', 'rotate');
    expect(outcome.code).toBe(0);
    const [, keyId = ''] =
      /^Key (\S+) starts to sign in 1200 s. All other keys are refused after 4860 s\.\n$/.exec(outcome.stderr) ?? [];
    await eventually(async () => (await publishedKeyIds()).includes(keyId), { withinMs: 5_000 });
    expect(await publishedKeyIds()).toEqual([...before, keyId]);
  });

  it('--emergency ends all tokens within 5 s, and new tokens work', async () => {
    const demo = { clientId: 'demo', clientSecret: 'demo-secret' };
    const token = await tokenOf(running(), demo);
    const outcome = await run('keys', 'rotate', '--emergency');
    expect(outcome.stderr).toMatch(/^Key \S+ starts to sign in 0 s. All other keys are refused after 0 s\.\n$/);
    await eventually(async () => (await api.get('/merchant/users', { token })).status === 401, {
      withinMs: 5_000,
    });
    const fresh = await tokenOf(running(), demo);
    expect((await api.get('/merchant/users', { token: fresh })).status).toBe(200);
  });
});

describe('remesa token', () => {
  it('prints only a token on standard output, and it works', async () => {
    const outcome = await run('token', '--url', served.url);
    expect([outcome.code, outcome.stderr]).toEqual([0, `Requesting a token from ${served.url}.\n`]);
    expect((await api.get('/merchant/users', { token: outcome.stdout.trim() })).status).toBe(200);
  });

  it('finds the address of the service in the settings', async () => {
    const { port } = new URL(served.url);
    const firstLine = async (settings: Record<string, string>) =>
      (await remesaHere({ ...environment, ...settings }, 'token')).stderr.split('\n')[0];
    expect(await firstLine({ PORT: port })).toBe(`Requesting a token from ${served.url}.`);
    expect(await firstLine({ PORT: port, HOST: '0.0.0.0' })).toBe(`Requesting a token from ${served.url}.`);
    expect(await firstLine({ PORT: '1', HOST: '::' })).toBe('Requesting a token from http://[::1]:1.');
    expect(await firstLine({ PORT: '1', BASE_URL: served.url })).toBe(`Requesting a token from ${served.url}.`);
    expect(await firstLine({ PORT: '0' })).toMatch(/^With PORT=0 the service chooses its port/);
  });

  it('explains what is wrong without printing the secret', async () => {
    const wrong = await here('token', '--url', served.url, '--client-secret', 'a-secret-in-the-open');
    expectRefusal(wrong, /could not be authenticated/);
    expect(wrong.stderr).not.toContain('a-secret-in-the-open');
    expectRefusal(await here('token', '--url', served.url, '--user-id', '999'), /no such user/);
    expectRefusal(await here('token', '--url', 'http://127.0.0.1:1'), /Nothing answers at/);
    expectRefusal(await here('token', '--url', `${served.url}/docs`), /No token/);
    expectRefusal(await here('token', '--url', 'not an address'), /not an address/);
  });

  it('refuses the answer of a program that is not Remesa', async () => {
    const other = createServer((_request, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expectRefusal(await here('token', '--url', `http://127.0.0.1:${port}`), /No token: 200/);
    other.close();
  });
});

describe('commands', () => {
  it('leave an audit log without faults', async () => {
    const outcome = await run('verify');
    expect(outcome.code).toBe(0);
    expect(outcome.stderr).toMatch(/^Audit log: \d+ entries in \d+ chains, \d+ signed heads, 0 losses, 0 faults\.\n/);
    expect((await run('migrate')).stderr).toBe('The database is up to date.\n');
  });

  it('leave no file that other users can read', () => {
    for (const name of ['master-key', 'audit-heads.jsonl'])
      expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
    expect(readFileSync(join(folder, 'master-key'), 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
  });
});
