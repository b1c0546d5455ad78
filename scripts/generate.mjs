// `npm run generate` rewrites the generated files: the OpenAPI document, the states of orders, the postings and the
// sandbox values, and the client.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

setUp();
const vitest = join(root, 'node_modules', '.bin', 'vitest');
const result = spawnSync(vitest, ['run', 'test/generated', '--update'], { cwd: root, stdio: 'inherit' });
process.exit(result.status ?? 1);
