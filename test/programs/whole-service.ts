// The service as it is shipped, as a process of its own: for tests that kill it.
import { startService } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/log.js';
import { serveUntilSignal } from '../../src/startup/serve.js';

const config = readConfig();
const sink = createLog({ level: config.logLevel });
const starting = startService(config, { log: sink.log, say: console.error });
serveUntilSignal(starting, sink, console.error);
console.log(`listening on ${(await starting).url}`);
