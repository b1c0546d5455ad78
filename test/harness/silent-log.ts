/** A log for parts that need one in tests that do not look at it. */
import { createLog } from '../../src/log.js';

export const silentLog = createLog({ level: 'silent', stream: { write() {} } }).log;
