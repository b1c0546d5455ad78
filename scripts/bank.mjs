// `npm run bank` is a simulated bank for development and demos: it serves a folder of files of ISO 20022.
import { setUp } from './setup.mjs';

setUp();
// Loaded after the installation.
const { register } = await import('tsx/esm/api');
register();
const { main } = await import('../demo/bank/main.ts');
process.exitCode = await main();
