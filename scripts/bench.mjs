// `npm run bench [-- name …]`: runs the measurements of bench/, each in a process of its own, on the code as it is
// shipped: compiled, not through a loader that adds work of its own to every function.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fail, root, say, setUp } from './setup.mjs';

const built = join(root, 'test-output', 'bench');
const known = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));

for (const name of names)
  if (!known.includes(name)) fail(`There is no bench ${name}; there are ${known.join(', ')}.`);
setUp();
compile();
let failed = false;
for (const name of names.length > 0 ? names : known) failed = !(await run(name)) || failed;
process.exit(failed ? 1 : 0);

function compile() {
  const result = spawnSync(
    join(root, 'node_modules', '.bin', 'tsc'),
    ['-p', 'bench/tsconfig.json', '--noCheck'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  );
  if (result.status !== 0) fail('The benches could not be compiled.');
  // What the compiled service looks for beside its own folder.
  for (const name of ['migrations', 'package.json', 'web']) {
    if (!existsSync(join(built, name))) symlinkSync(join(root, name), join(built, name));
  }
}

function run(name) {
  const load = loadavg().map((value) => value.toFixed(1));
  say(`\n── ${name} (load of the machine before: ${load.join(' ')})`);
  const child = spawn(process.execPath, [join(built, 'bench', `${name}.js`), ...options], {
    cwd: root,
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code === 0)));
}
