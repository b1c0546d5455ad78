// The service with the room of changes, as a process of its own: for tests that kill or stop it while it notifies.
import { writeSync } from 'node:fs';
import { startService } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/log.js';
import { serveUntilSignal } from '../../src/startup/serve.js';
import { changesRooms } from '../rooms/changes.js';

const config = readConfig();
const sink = createLog({ level: config.logLevel });
const starting = startService(config, {
  ...{ log: sink.log, say: console.error, extraRooms: changesRooms },
  // A busy machine must not make it refuse requests.
  eventLoopDelayMs: 60_000,
});
serveUntilSignal(starting, sink, console.error);
console.log(`listening on ${(await starting).url}`);

// A handler runs in a turn of its own, so the process is suspended between two turns of the event loop.
process.on('SIGUSR2', () => {
  writeSync(1, 'suspended\n');
  process.kill(process.pid, 'SIGSTOP');
});
