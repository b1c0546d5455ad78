// The service with the room of changes, as a process of its own: for tests that kill or stop it while it notifies.
import { startService } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/log.js';
import { serveUntilSignal } from '../../src/startup/serve.js';
import { changesRooms } from '../rooms/changes.js';

const config = readConfig();
const sink = createLog({ level: config.logLevel });
const starting = startService(config, { log: sink.log, say: console.error, extraRooms: changesRooms });
serveUntilSignal(starting, sink, console.error);
console.log(`listening on ${(await starting).url}`);
