// Takes one quote many times, in a separate process: all callers get ready, and start when the gate file appears.
import { existsSync } from 'node:fs';
import { RemesaError } from '../../src/errors.js';
import { merchantId, publicId, userId } from '../../src/ids.js';
import { Database } from '../../src/postgres/database.js';
import type { QuoteCode } from '../../src/rates/quote.js';
import { takeQuote } from '../../src/rates/service.js';

const [url = '', merchant, code, gate = '', takers] = process.argv.slice(2);
const database = new Database(url, { poolSize: Number(takers) });
await connectAll();
console.log('ready');
while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 2));

const outcomes = await Promise.all(
  Array.from({ length: Number(takers) }, async (_, index) => {
    const by = `ord_${process.pid}_${index}`;
    try {
      await database.transaction((tx) =>
        takeQuote(tx, {
          merchantId: merchantId(Number(merchant)),
          userId: userId(index + 1),
          code: publicId('rt', code) as QuoteCode,
          takenBy: by,
        }),
      );
      return `taken by ${by}`;
    } catch (error) {
      return error instanceof RemesaError ? error.code : String(error);
    }
  }),
);
console.log(`outcomes ${JSON.stringify(outcomes)}`);
await database.close();

/** A busy machine may need longer to connect than the usual limit. */
async function connectAll(triesLeft = 20): Promise<void> {
  const connecting = Array.from({ length: Number(takers) }, () => database.transaction(async () => {}));
  const outcomes = await Promise.allSettled(connecting);
  if (outcomes.every(({ status }) => status === 'fulfilled')) return;
  if (triesLeft === 0) throw new Error('the takers can not connect');
  await connectAll(triesLeft - 1);
}
