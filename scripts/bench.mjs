// `npm run bench [-- name …]` runs the measurements of bench/, each in its own process. It runs compiled code, as it is
// shipped, because a loader would slow down every function.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { compiler, fail, root, say, setUp } from './setup.mjs';

const outputFolder = join(root, 'test-output', 'bench');
const allNames = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));

for (const name of names)
  if (!allNames.includes(name)) fail(`There is no benchmark ${name}. Choose from: ${allNames.join(', ')}.`);
setUp();
compile();
let failed = false;
for (const name of names.length > 0 ? names : allNames) failed = !(await run(name)) || failed;
process.exit(failed ? 1 : 0);

function compile() {
  const result = spawnSync(compiler, ['-p', 'bench/tsconfig.json', '--noCheck'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (result.status !== 0) fail('The benchmarks could not be compiled.');
  // The compiled service expects these beside its own folder.
  for (const name of ['migrations', 'package.json', 'web']) {
    if (!existsSync(join(outputFolder, name))) symlinkSync(join(root, name), join(outputFolder, name));
  }
}

function run(name) {
  const load = loadavg().map((value) => value.toFixed(1));
  say(`\n── ${name} (load average before: ${load.join(' ')})`);
  const child = spawn(process.execPath, [join(outputFolder, 'bench', `${name}.js`), ...options], {
    cwd: root,
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code === 0)));
}
