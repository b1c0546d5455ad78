// `npm run dev` serves from the sources and restarts when a source, a page asset, a migration or .env changes.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

setUp();
const watched = ['web/**', 'migrations/**', '.env'].flatMap((files) => ['--include', files]);
const child = spawn(
  process.execPath,
  [join(root, 'node_modules/tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', ...watched, 'src/main.ts', 'serve'],
  { cwd: root, stdio: 'inherit' },
);
// The terminal also sends Ctrl-C to the child. A second SIGINT would stop it at once.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('close', (code) => process.exit(code ?? 1));
