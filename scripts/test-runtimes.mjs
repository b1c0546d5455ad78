// `npm run test:runtimes` brings the runtimes that the client promises, as npm packages in a folder that is removed
// afterwards, and runs the test of the package with them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fail, root } from './setup.mjs';

const { platform, arch } = process;
const cpu = arch === 'arm64' ? 'aarch64' : arch;
const packages = {
  node22: [`node-${platform}-${arch}@22`, 'bin/node'],
  node24: [`node-${platform}-${arch}@24`, 'bin/node'],
  bun: [`@oven/bun-${platform}-${cpu}@1`, 'bin/bun'],
  deno: [`@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}@2`, 'deno'],
};

const folder = mkdtempSync(join(tmpdir(), 'remesa-runtimes-'));
const programs = join(folder, 'bin');
mkdirSync(programs);
try {
  for (const [name, [spec, program]] of Object.entries(packages)) {
    const place = join(folder, name);
    const named = `runtime@npm:${spec}`;
    const { status } = spawnSync('npm', ['install', '--silent', '--no-save', '--prefix', place, named], {
      stdio: 'inherit',
    });
    if (status !== 0) fail(`${spec} could not be installed.`);
    symlinkSync(join(place, 'node_modules/runtime', program), join(programs, name));
  }
  const PATH = `${programs}${delimiter}${process.env.PATH}`;
  const test = [join(root, 'scripts/test.mjs'), 'test/client/package.test.ts'];
  process.exitCode = spawnSync(process.execPath, test, { stdio: 'inherit', env: { ...process.env, PATH } }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
