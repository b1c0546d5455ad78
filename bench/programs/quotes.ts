/** The service as it is shipped; `unwritten` answers quotes without a row, to see what the row costs. */
import { startService } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import { createLog } from '../../src/log.js';
import { QuoteWriter } from '../../src/rates/quote-writer.js';
import { report } from '../parts/child.js';

if (process.argv.includes('unwritten')) {
  QuoteWriter.prototype.write = async (terms) => {
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + terms.lifetimeSeconds * 1000);
    return { ...terms, createdAt, expiresAt, takenAt: undefined };
  };
}

const { log, flush } = createLog({ level: 'info' });
const service = await startService(readConfig(), { log, say: () => {} });
report(service.url, () => service.stop().finally(flush));
