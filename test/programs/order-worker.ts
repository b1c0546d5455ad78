// The worker of a whole service with a bank behind HTTP. It kills itself before or after the commit of its nth write to
// orders, payments or payouts: `KILL_AT=before:3`. It begins with the signal SIGUSR2, so that it can be loaded before
// its turn.
import { once } from 'node:events';
import { startService } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/log.js';
import { Database } from '../../src/postgres/database.js';
import type { Statement, Transaction } from '../../src/postgres/statement.js';
import { manualRail } from '../../src/providers/payout/manual.js';
import { httpRail } from '../payouts/http-rail.js';

const counted =
  /\b(INSERT INTO|UPDATE) (orders|payments|payment_applications|payout_attempts|payout_reports|suspense_records)\b/;
const [when, number = '0'] = (process.env.KILL_AT ?? '').split(':');
let writes = 0;

type Run = <Result>(this: Database, work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
const prototype = Database.prototype as unknown as { transaction: Run };
const run = prototype.transaction;
prototype.transaction = async function (work) {
  let isStep = false;
  const result = await run.call(this, async (tx: Transaction) => {
    const session = tx as unknown as { query: (statement: Statement<unknown>, values?: unknown) => unknown };
    const query = session.query.bind(session);
    session.query = (statement, values) => {
      isStep ||= counted.test(statement.text);
      return query(statement, values);
    };
    const done = await work(tx);
    if (isStep) step('before');
    return done;
  });
  if (isStep) step('after');
  return result as never;
};

function step(moment: string): void {
  if (moment === 'before') writes += 1;
  if (moment === when && writes === Number(number)) process.kill(process.pid, 'SIGKILL');
}

const turn = once(process, 'SIGUSR2');
// Without a timer, a process that waits for a signal only would end.
const waiting = setInterval(() => {}, 1000);
console.log('loaded');
await turn;
clearInterval(waiting);
const bank = { ...httpRail(process.env.RAIL_URL ?? ''), name: 'sandbox' };
const { log } = createLog({ level: 'error' });
await startService(readConfig(), {
  ...{ log, say: () => {} },
  extraRooms: () => ({ routes: [], jobs: [], rails: { all: [manualRail, bank], manual: manualRail } }),
});
console.log('working');
