// `npm test`: everything that must hold, on a fresh clone too. `npm test -- <vitest arguments>` runs just those tests, and
// `npm test -- --changed` the tests of what differs from the last commit. `npm run test:faults` runs the fault tests, and
// all others that count rounds, with full counts.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { findOrInstallBrowser } from './browser.mjs';
import { fail, root, say, setUp } from './setup.mjs';

const options = process.argv.slice(2);
const isFaultRun = options.includes('--faults');
const chosen = options.filter((argument) => argument !== '--faults');

setUp();
const tests = await startTests();
const isGood = isFaultRun || chosen.length > 0 || (await check());
// A check that fails ends the tests at once: there is something to mend first.
if (!isGood) tests.process.kill('SIGINT');
const code = await tests.ended;
if (!isGood) fail('Some checks failed; see above. `npm run format` mends what a machine can.');
process.exit(code ?? 1);

/** Runs beside the tests and leaves them the processors: the checks take what the tests do not use. */
async function check() {
  const types = [
    ['types', 'tsc', ['--noEmit', '-p', 'tsconfig.json']],
    ['types of what browsers run', 'tsc', ['-p', 'web/tsconfig.json']],
  ];
  const others = [
    ['format and lint', 'biome', ['ci', '--error-on-warnings', '--colors=off']],
    ['import directions', 'depcruise', ['src', '--config', '.dependency-cruiser.cjs']],
    ['unused code', 'knip', []],
  ];
  const results = await Promise.all([types, others].map(runInTurn));
  return !results.includes(false);
}

async function runInTurn(checks) {
  let isGood = true;
  for (const [what, tool, args] of checks) isGood = (await runQuietly(what, tool, args)) && isGood;
  return isGood;
}

function runQuietly(what, tool, args) {
  const began = Date.now();
  const child = spawn(binary(tool), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    output += data;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const seconds = ((Date.now() - began) / 1000).toFixed(1);
      say(`${code === 0 ? '✓' : '✗'} ${what} (${seconds} s)${code === 0 ? '' : `\n${output}`}`);
      resolve(code === 0);
    });
  });
}

async function startTests() {
  const env = {
    ...process.env,
    FAULTS: isFaultRun ? 'full' : 'few',
    REMESA_BROWSER: (await findOrInstallBrowser()) ?? '',
  };
  const files = isFaultRun && chosen.length === 0 ? countingTests() : chosen;
  const child = spawn(binary('vitest'), ['run', ...files], { cwd: root, stdio: 'inherit', env });
  return { process: child, ended: new Promise((resolve) => child.on('close', resolve)) };
}

function countingTests() {
  const files = readdirSync(join(root, 'test'), { recursive: true })
    .map((file) => join('test', file))
    .filter((file) => file.endsWith('.test.ts'));
  const isCounting = (file) => readFileSync(join(root, file), 'utf8').includes('/harness/rounds.js');
  return [join('test', 'faults'), join('test', 'embedded'), ...files.filter(isCounting)];
}

function binary(name) {
  return join(root, 'node_modules', '.bin', name);
}
