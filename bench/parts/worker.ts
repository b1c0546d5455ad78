/** A service in this process, on a database of its own, whose jobs a bench runs itself. */
import { join } from 'node:path';
import pg from 'pg';
import { startService } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { type MerchantId, merchantId } from '../../src/ids.js';
import { createLog } from '../../src/log.js';
import type { Job } from '../../src/worker/worker.js';
import { testMasterKey } from '../../test/harness/master-key.js';
import { orderVerbs } from '../../test/orders/verbs.js';
import { makeApprovedSenders, makePaidOrders, type PaidOrdersPlace } from './paid-orders.js';
import type { Sender } from './unpaid-orders.js';
import { query } from './users.js';

export const jobNames = { advance: 'orders.advance', send: 'payouts.send' } as const;
const senderCount = 200;

export interface Measured {
  readonly perSecond: number;
  /** Of this process, in microseconds for each order. */
  readonly cpu: number;
}

export class BenchWorker {
  private constructor(
    readonly url: string,
    readonly place: PaidOrdersPlace,
    readonly senders: readonly Sender[],
    readonly jobs: ReadonlyMap<string, Job>,
    readonly stopService: () => Promise<void>,
  ) {}

  /** The database is made. Its merchant is `demo`. */
  static async start(serverUrl: string, name: string, folder: string): Promise<BenchWorker> {
    await query(serverUrl, `CREATE DATABASE ${name}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    const jobs = new Map<string, Job>();
    const settings = {
      DATABASE_URL: url.href,
      DATA_DIR: join(folder, name),
      MASTER_KEY: testMasterKey,
      PORT: '0',
    };
    const service = await startService(readConfig(settings), {
      log: createLog({ level: 'error' }).log,
      say: () => {},
      chooseJobs: (all) => {
        for (const job of all) jobs.set(job.name, job);
        return [];
      },
    });
    const sql = new pg.Client({ connectionString: url.href });
    await sql.connect();
    const { users } = await orderVerbs(service.database);
    const place = { database: service.database, sql, users, merchantId: await demoOf(sql) };
    const senders = await makeApprovedSenders(place, senderCount);
    return new BenchWorker(url.href, place, senders, jobs, () => service.stop());
  }

  /** Orders that wait for the worker. */
  pay(count: number, firstSender = 0): Promise<void> {
    return makePaidOrders(this.place, this.senders.slice(firstSender), count);
  }

  /** Runs the job until nothing is left to do. */
  async work(name: string): Promise<void> {
    const job = this.jobs.get(name);
    if (!job) throw new Error(`there is no job ${name}`);
    while ((await job.run(AbortSignal.timeout(600_000))) > 0);
  }

  /** Works on so many orders. Throws when one of them is in another state afterwards. */
  async measure(name: string, state: string, count: number): Promise<Measured> {
    const cpuBefore = process.cpuUsage();
    const began = performance.now();
    await this.work(name);
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    const { rows } = await this.place.sql.query(
      `SELECT DISTINCT state FROM orders
        WHERE state IN ('PAYMENT_RECEIVED', 'CONVERTED', 'PAYOUT_SUBMITTED') AND state <> $1`,
      [state],
    );
    if (rows.length > 0) throw new Error(`after ${name} there are orders in ${rows[0].state}`);
    return { perSecond: count / seconds, cpu: (user + system) / count };
  }

  async stop(): Promise<void> {
    await this.place.sql.end();
    await this.stopService();
  }
}

async function demoOf(sql: pg.Client): Promise<MerchantId> {
  const { rows } = await sql.query(`SELECT merchant_id FROM merchants WHERE client_id = 'demo'`);
  return merchantId(Number(rows[0].merchant_id));
}
