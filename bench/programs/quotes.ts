/**
 * The service as it is shipped. `unwritten` answers quotes without a row, to see what the row costs; `profiled <file>`
 * keeps where the time went from when it listens until it is ended.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { startService } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/log.js';
import { QuoteWriter } from '../../src/rates/quote-writer.js';
import { report } from '../parts/child.js';

const [variant, file = ''] = process.argv.slice(2);
if (variant === 'unwritten') {
  QuoteWriter.prototype.write = async (terms) => {
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + terms.lifetimeSeconds * 1000);
    return { ...terms, createdAt, expiresAt, takenAt: undefined };
  };
}

const { log, flush } = createLog({ level: 'info' });
const service = await startService(readConfig(), { log, say: () => {} });
const profiler = new Session();
if (variant === 'profiled') {
  profiler.connect();
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.start');
}
report(service.url, async () => {
  if (variant === 'profiled') {
    const { profile } = await profiler.post('Profiler.stop');
    writeFileSync(file, JSON.stringify(profile));
  }
  await service.stop();
  flush();
});
