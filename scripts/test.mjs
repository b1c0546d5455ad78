// `npm test`: everything that must hold, on a fresh clone too. `npm test -- <vitest arguments>` runs just those tests;
// `npm run test:faults` runs the fault tests, and all others that count rounds, with full counts.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOrInstallBrowser } from './browser.mjs';
import { fail, root, say, setUp } from './setup.mjs';

const given = process.argv.slice(2);
const isFaultRun = given.includes('--faults');
const chosen = given.filter((argument) => argument !== '--faults');

setUp();
if (!isFaultRun && chosen.length === 0) await check();
await test();

async function check() {
  const checks = [
    ['format and lint', 'biome', ['ci', '--error-on-warnings', '--colors=off']],
    ['types', 'tsc', ['--noEmit', '-p', 'tsconfig.json']],
    ['types of what browsers run', 'tsc', ['-p', 'web/tsconfig.json']],
    ['import directions', 'depcruise', ['src', '--config', '.dependency-cruiser.cjs']],
    ['unused code', 'knip', []],
  ];
  const results = await Promise.all(checks.map(([what, tool, args]) => runQuietly(what, tool, args)));
  if (results.includes(false))
    fail('Some checks failed; see above. `npm run format` mends what a machine can.');
}

function runQuietly(what, tool, args) {
  const began = Date.now();
  const child = spawn(binary(tool), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
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

async function test() {
  const env = {
    ...process.env,
    FAULTS: isFaultRun ? 'full' : 'few',
    REMESA_BROWSER: (await findOrInstallBrowser()) ?? '',
  };
  const files = isFaultRun && chosen.length === 0 ? countingTests() : chosen;
  const child = spawn(binary('vitest'), ['run', ...files], { cwd: root, stdio: 'inherit', env });
  child.on('close', (code) => process.exit(code ?? 1));
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
