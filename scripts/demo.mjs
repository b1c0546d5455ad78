// `npm run demo` plays a whole transfer, or a story of the sandbox, against a running service or one that it starts.
import { findBrowser } from './browser.mjs';
import { root, setUp } from './setup.mjs';

setUp();
// Loaded after the installation.
const { register } = await import('tsx/esm/api');
register();
const { main } = await import('../demo/main.ts');
process.exitCode = await main(root, findBrowser);
