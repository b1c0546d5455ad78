// The command line of a clone: sets up what is missing, then runs the built service in this same process,
// so that signals and exit codes are the service's own.
import { setUp } from './setup.mjs';

setUp();
await import('../dist/main.js');
