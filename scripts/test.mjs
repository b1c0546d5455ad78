// `npm test` runs all checks and tests, also on a fresh clone. `npm test -- <vitest arguments>` runs only those tests,
// and `npm test -- --changed` the tests of uncommitted changes. `npm run test:faults` runs the fault tests, and all
// other tests with repetition counts, with full counts. Where CI is set, files that fail are run once more, each alone:
// a build machine may stall for a while, and a guarantee that does not hold fails twice.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findOrInstallBrowser } from './browser.mjs';
import { compiler, fail, root, say, setUp } from './setup.mjs';

const options = process.argv.slice(2);
const isFaultRun = options.includes('--faults');
const vitestArguments = options.filter((argument) => argument !== '--faults');

setUp();
const scratch = mkdtempSync(join(tmpdir(), 'remesa-tests-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const failedFiles = join(scratch, 'failed-files');
const env = {
  ...process.env,
  FAULTS: isFaultRun ? 'full' : 'few',
  REMESA_BROWSER: (await findOrInstallBrowser()) ?? '',
  FAILED_FILES: failedFiles,
};
const tests = startTests(isFaultRun && vitestArguments.length === 0 ? faultTestFiles() : vitestArguments);
const havePassed = isFaultRun || vitestArguments.length > 0 || (await runChecks());
// A failed check stops the tests at once, because it must be fixed first.
if (!havePassed) tests.process.kill('SIGINT');
let code = await tests.ended;
if (!havePassed) fail('Some checks failed; see above. `npm run format` fixes format and imports.');
if (code === 0 && vitestArguments.length === 0 && !existsSync(failedFiles)) fail('The tests ended without a result.');
if (code === 1 && process.env.CI) code = await runFailedFilesAgain();
process.exit(code ?? 1);

/** Ends at the first file that fails again. */
async function runFailedFilesAgain() {
  if (!existsSync(failedFiles)) return 1;
  const files = readFileSync(failedFiles, 'utf8').split('\n').filter(Boolean);
  if (files.length === 0) return 1;
  for (const file of files) {
    say(`${file} failed. Running it once more, alone.`);
    if ((await startTests([file]).ended) !== 0) return 1;
  }
  say(`Passed when run alone: ${files.join(', ')}`);
  return 0;
}

/** Runs the checks beside the tests. */
async function runChecks() {
  const types = [
    ['types', compiler, ['--noEmit', '--singleThreaded', '-p', 'tsconfig.json']],
    ['types of browser scripts', compiler, ['-p', 'web/tsconfig.json']],
  ];
  const others = [
    ['format and lint', binary('biome'), ['ci', '--error-on-warnings', '--colors=off']],
    ['import directions', binary('depcruise'), ['src', '--config', '.dependency-cruiser.cjs']],
    ['unused code', binary('knip'), []],
  ];
  const results = await Promise.all([types, others].map(runInTurn));
  return !results.includes(false);
}

async function runInTurn(checks) {
  let havePassed = true;
  for (const [name, tool, args] of checks) havePassed = (await runCheck(name, tool, args)) && havePassed;
  return havePassed;
}

/** Shows the output of a check only when it fails. */
function runCheck(name, tool, args) {
  const startedAt = Date.now();
  const child = spawn(tool, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  // The tests are the longer part, and begin at once.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    output += data;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      say(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)${code === 0 ? '' : `\n${output}`}`);
      resolve(code === 0);
    });
  });
}

function startTests(args) {
  const child = spawn(binary('vitest'), ['run', ...args], { cwd: root, stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return { process: child, ended: new Promise((resolve) => child.on('close', resolve)) };
}

/**
 * The fault tests, and all tests with repetition counts. A folder with suites has one test file, which imports them.
 */
function faultTestFiles() {
  const files = readdirSync(join(root, 'test'), { recursive: true })
    .map((file) => join('test', file))
    .filter((file) => /\.(test|suite)\.ts$/.test(file))
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('/harness/rounds.js'))
    .map((file) => (file.endsWith('.suite.ts') ? dirname(file) : file));
  return [join('test', 'faults'), join('test', 'embedded'), ...new Set(files)];
}

function binary(name) {
  return join(root, 'node_modules', '.bin', name);
}
