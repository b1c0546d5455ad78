// `npm run test:citus`: the tests of the rooms on a Citus cluster, whose coordinator CITUS_URL names. The database of
// the address has the extension and knows the workers; the tests create and drop databases of their own on every
// machine.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fail, root, say, setUp } from './setup.mjs';

if (!process.env.CITUS_URL) {
  const message = 'The Citus test did not run: set CITUS_URL to the address of a coordinator (docs/scaling.md).';
  if (process.env.CI === 'true') fail(message);
  say(message);
  process.exit(0);
}
setUp();
const vitest = join(root, 'node_modules', '.bin', 'vitest');
const config = join('test', 'citus', 'vitest.config.ts');
const child = spawn(vitest, ['run', '--config', config, '--root', root, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('close', (code) => process.exit(code ?? 1));
