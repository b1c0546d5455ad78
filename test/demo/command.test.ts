/** `npm run demo` as a process: its exit codes, and what it leaves behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildRemesa } from '../commands/remesa.js';
import { postmasterPid } from '../harness/embedded-place.js';
import { eventually } from '../harness/eventually.js';
import { isAlive } from '../harness/is-alive.js';
import { root } from '../harness/programs.js';
import { useRemesa } from '../harness/remesa.js';

const running = useRemesa({ hasRates: true });
const folder = mkdtempSync(join(tmpdir(), 'remesa-demo-test-'));
const started: ChildProcess[] = [];
beforeAll(buildRemesa, 120_000);
afterAll(() => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function start(...args: string[]) {
  const child = spawn(process.execPath, [join(root, 'scripts', 'demo.mjs'), ...args], {
    cwd: root,
    // Nothing listens on this port.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: folder, PORT: '9' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
    });
  const code = once(child, 'close').then(([exitCode]) => exitCode as number | null);
  return { child, code, output: () => output };
}

async function run(...args: string[]) {
  const { code, output } = start(...args);
  return { code: await code, output: output() };
}

it('exits with 0 after everything happened, with 1 when something did not, and with 2 after a wrong option', async () => {
  const { clientId, clientSecret } = running.acme;
  const own = ['--url', running.service.url, '--client-id', clientId, '--client-secret', clientSecret];
  const [played, wrong, unreachable] = await Promise.all([
    run(...own, '--story', 'cancelled_before_payment'),
    run('--stroy', 'happy_path'),
    run('--url', 'http://127.0.0.1:9'),
  ]);
  expect([played.code, played.code === 0 ? '' : played.output]).toEqual([0, '']);
  expect([wrong.code, unreachable.code]).toEqual([2, 1]);
  expect(wrong.output).toMatch(/Unknown option '--stroy'.*npm run demo -- --story <name>/s);
  expect(unreachable.output).toContain('Nothing answers at http://127.0.0.1:9.');
});

it('stops the service that it started, with its database, when it is interrupted', {
  timeout: 300_000,
}, async () => {
  const demo = start('--pace', '100000');
  const pid = await eventually(() => (demo.output().includes('Remesa\n') ? serverPid() : undefined), {
    ...{ withinMs: 180_000, what: 'a service of its own' },
  });
  demo.child.kill('SIGINT');
  expect(await demo.code).toBe(130);
  expect(demo.output()).toContain('Stopped.');
  expect(ownFolders()).toEqual([]);
  // A process that has ended keeps its id until init has read how it ended.
  await eventually(() => !isAlive(pid), { what: 'the end of the database' });
});

function ownFolders(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('remesa-demo-'));
}

/** Of the embedded server of the demo, once it runs. */
function serverPid(): number | undefined {
  const [own] = ownFolders();
  return own === undefined ? undefined : postmasterPid(join(folder, own));
}
