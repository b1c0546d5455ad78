// The jobs of the bank as a process of their own, which kills itself at one step of one job: for tests that look at
// what another worker makes of what it left behind.
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { bankRoom } from '../../src/bank/room.js';
import type { BankConnection } from '../../src/bank/transport/connection.js';
import { systemClock } from '../../src/clock.js';
import { BatchedPayouts } from '../../src/payouts/batched/service.js';
import { payoutTaker } from '../../src/payouts/reports/bank-lines.js';
import type { Statement, Transaction, ValuesOf } from '../../src/postgres/statement.js';
import { folderConnection } from '../../src/providers/bank/folder.js';
import { iso20022Rail } from '../../src/providers/payout/iso20022/rail.js';
import { SealingDatabase } from '../harness/sealing-database.js';
import { silentLog } from '../harness/silent-log.js';
import { payoutVerbs } from '../payouts/worker-verbs.js';

const { DATABASE_URL = '', BANK_FOLDER = '', DIES_IN = '', DIES_AT = '0' } = process.env;
let job = '';
let steps = 0;

/** A moment at which a process can end: before and after each commit, and each file. */
function step(): void {
  steps += 1;
  if (job !== DIES_IN || steps !== Number(DIES_AT)) return;
  writeSync(1, `died in ${job}\n`);
  process.kill(process.pid, 'SIGKILL');
}

class MortalDatabase extends SealingDatabase {
  override async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const result = await super.transaction(async (tx) => {
      const done = await work(tx);
      step();
      return done;
    });
    step();
    return result;
  }

  override async write<Row, Name extends string>(
    statement: Statement<Row, Name>,
    ...values: ValuesOf<Name>
  ): Promise<Row[]> {
    const rows = await super.write(statement, ...values);
    step();
    return rows;
  }
}

function mortal(connection: BankConnection): BankConnection {
  const around = async <Result>(work: () => Promise<Result>) => {
    step();
    const result = await work();
    step();
    return result;
  };
  return {
    name: connection.name,
    put: (...asked) => around(() => connection.put(...asked)),
    list: (...asked) => connection.list(...asked),
    get: (...asked) => around(() => connection.get(...asked)),
    archive: (...asked) => around(() => connection.archive(...asked)),
  };
}

const database = new MortalDatabase(DATABASE_URL, { poolSize: 4 });
const holder = `worker-${process.pid}`;
const { reports, keys, exitChecks, rootKey } = await payoutVerbs(database, [iso20022Rail], { holder });
const rails = new Map([[iso20022Rail.name, iso20022Rail]]);
const payments = new BatchedPayouts({
  ...{ database, keys, rail: iso20022Rail, reports, exitChecks, log: silentLog, holder },
});
const { jobs } = bankRoom({
  ...{ database, rootKey, clock: systemClock, log: silentLog, mode: 'sandbox' },
  findPending: async () => new Map(),
  takers: () => [payoutTaker({ reports, rails })],
  payments: () => payments,
  ledger: () => {
    throw new Error('no statement of this bank has an entry of its own');
  },
  connections: [mortal(folderConnection('*', BANK_FOLDER))],
  isSendingHeld: async () => false,
});
console.log('working');
for (;;) {
  for (const { name, run } of jobs) {
    [job, steps] = [name, 0];
    // As in the service, a run that failed is followed by another.
    await run(AbortSignal.timeout(60_000)).catch(() => 0);
  }
  await pause(20);
}
