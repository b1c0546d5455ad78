// Builds packages/client, as `npm pack` needs it: the compiled modules with their types, and the licence.
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const folder = join(root, 'packages/client');
const compiler = join(root, 'node_modules/typescript-7/bin/tsc');

rmSync(join(folder, 'dist'), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' });
if (status === 0) copyFileSync(join(root, 'LICENSE'), join(folder, 'dist', 'LICENSE'));
process.exitCode = status ?? 1;
