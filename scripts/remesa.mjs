// The command line of a clone. It installs and builds if needed, then runs the service in this process, so that signals
// reach the service and the exit code is the service's.
import { setUpService } from './setup.mjs';

setUpService();
await import('../dist/main.js');
