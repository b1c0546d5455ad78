// The service with the notes room, as a process of its own: for tests that kill, stop or crowd it.
import { startService } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/log.js';
import { serveUntilSignal } from '../../src/startup/serve.js';
import { notesRooms } from '../rooms/notes.js';

const config = readConfig();
const sink = createLog({ level: config.logLevel });
const starting = startService(config, {
  ...{ log: sink.log, say: console.error, extraRooms: notesRooms },
  // A busy machine must not make it refuse requests.
  eventLoopDelayMs: 60_000,
});
serveUntilSignal(starting, sink, console.error);
console.log(`listening on ${(await starting).url}`);
