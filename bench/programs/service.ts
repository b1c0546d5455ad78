/** The service with the notes room, told by its settings. */
import { startService } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/log.js';
import { notesRooms } from '../../test/rooms/notes.js';
import { report } from '../parts/child.js';

const { log } = createLog({ level: 'info' });
const service = await startService(readConfig(), { log, say: () => {}, extraRooms: notesRooms });
report(service.url, () => service.stop());
