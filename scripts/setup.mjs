// Makes a fresh clone runnable with nothing but Node. It installs the dependencies when the lock file changed and
// builds when a source changed. A stamp file records each step, so that an ordinary start skips them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export function setUp() {
  requireNodeVersion();
  install();
  build();
}

/** For the service alone, which needs no development tools once it is built: `npm ci --omit=dev` is enough. */
export function setUpService() {
  requireNodeVersion();
  const isRelease = !existsSync(join(root, 'src'));
  if (isRelease || (isBuilt() && hasProductionDependencies())) return;
  setUp();
}

/** npm writes what it has installed into a lock file of its own. */
function hasProductionDependencies() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const { packages } = JSON.parse(readFileSync(installed, 'utf8'));
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, dev, optional, devOptional }]) => {
    const isNeeded = path !== '' && !dev && !optional && !devOptional;
    return !isNeeded || packages[path]?.version === version;
  });
}

function requireNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Remesa needs Node.js 20.19 or newer; this is ${process.versions.node}. Download it from nodejs.org.`);
  }
}

function install() {
  const expected = digest([readFileSync(join(root, 'package-lock.json')), process.platform, process.arch]);
  const stamp = join(root, 'node_modules', '.remesa-installed');
  if (hasContent(stamp, expected)) return;
  const startedAt = Date.now();
  say('Installing dependencies from the lock file (the first time takes about half a minute) …');
  runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, expected);
  say(`Dependencies installed in ${secondsSince(startedAt)}.`);
}

/** Of version 7, which is several times as fast. Tools that need the compiler's API use version 6. */
export const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');

const buildStamp = join(root, 'dist', '.built');

function sourceDigest() {
  return digest([
    readFileSync(join(root, 'package-lock.json')),
    readFileSync(join(root, 'tsconfig.json')),
    readFileSync(join(root, 'tsconfig.build.json')),
    ...sourceFiles(join(root, 'src')).flatMap((file) => [file.slice(root.length), readFileSync(file)]),
  ]);
}

/** Whether `dist` was built from the current sources. */
export function isBuilt() {
  return hasContent(buildStamp, sourceDigest());
}

function build() {
  const expected = sourceDigest();
  if (hasContent(buildStamp, expected)) return;
  const startedAt = Date.now();
  say('Building …');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  // `npm test` checks the types. Skipping that here makes the first start several seconds faster.
  run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--noCheck']);
  writeFileSync(buildStamp, expected);
  say(`Built in ${secondsSince(startedAt)}.`);
}

function runNpm(args) {
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js') && existsSync(npm)) run(process.execPath, [npm, ...args]);
  else run('npm', args);
}

function run(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.error) fail(`Could not run ${command}: ${result.error.message}`);
  if (result.status !== 0) fail(`This step failed (exit code ${result.status}): ${command} ${args.join(' ')}`);
}

function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function hasContent(file, expected) {
  return existsSync(file) && readFileSync(file, 'utf8') === expected;
}

function digest(values) {
  const hash = createHash('sha256');
  for (const value of values) hash.update(value).update('\0');
  return hash.digest('hex');
}

function secondsSince(startedAt) {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
}

export function say(message) {
  process.stderr.write(`${message}\n`);
}

export function fail(message) {
  say(message);
  process.exit(1);
}
