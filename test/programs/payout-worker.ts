// The worker of payouts as a process of its own, with a rail behind HTTP: for tests that kill it between two steps.
import { setTimeout as pause } from 'node:timers/promises';
import { SealingDatabase } from '../harness/sealing-database.js';
import { httpRail } from '../payouts/http-rail.js';
import { payoutVerbs } from '../payouts/worker-verbs.js';

const database = new SealingDatabase(process.env.DATABASE_URL ?? '', { poolSize: 4 });
const { sending } = await payoutVerbs(database, [httpRail(process.env.RAIL_URL ?? '')], {
  holder: `worker-${process.pid}`,
});
console.log('working');
for (;;) {
  // As in the service, a pass that failed (a busy server takes no connection) is followed by another.
  const done = await sending.run(AbortSignal.timeout(60_000)).catch(() => 0);
  if (done === 0) await pause(20);
}
