/**
 * The service as it is shipped, and one path of the bench's own: `POST /happen?merchant=…` commits a change with its event
 * and answers the event's id and when it was committed. `profiled <file>` keeps where the time went.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import Type from 'typebox';
import { startService } from '../../src/app.js';
import { recordChange } from '../../src/changes/service.js';
import { readConfig } from '../../src/config/config.js';
import { read } from '../../src/http/route.js';
import { merchantId, newPublicId } from '../../src/ids.js';
import { createLog } from '../../src/log.js';
import type { Database } from '../../src/postgres/database.js';
import { microseconds } from '../parts/arrivals.js';
import { report } from '../parts/child.js';
import { objectText } from '../parts/events.js';

const [variant, file = ''] = process.argv.slice(2);
const by = { actor: { kind: 'system', name: 'bench' } } as const;

function happen(database: Database) {
  return read({
    tag: 'Bench',
    method: 'POST',
    path: '/happen',
    operationId: 'happen',
    summary: 'Let something happen',
    access: { token: 'none' },
    query: Type.Object({ merchant: Type.Integer(), subject: Type.String() }),
    answer: Type.Object({ eventId: Type.String(), committedAt: Type.Number() }),
    async run(call) {
      const eventId = newPublicId('evt');
      const object = JSON.parse(objectText);
      await database.transaction((tx) =>
        recordChange(tx, by, {
          merchantId: merchantId(call.query.merchant),
          action: 'order.complete',
          subject: `order:${call.query.subject}`,
          event: { eventId, channel: 'order', type: 'order.completed', object, previousStatus: 'PAYOUT_SUBMITTED' },
        }),
      );
      return { eventId, committedAt: microseconds() };
    },
  });
}

const { log, flush } = createLog({ level: 'info' });
const service = await startService(readConfig(), {
  log,
  say: () => {},
  extraRooms: (database) => ({ routes: [happen(database)], jobs: [] }),
});
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
