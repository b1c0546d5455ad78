/** Claims that no lane serves, because their answer or their release was lost, are released before the next claim. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../src/log.js';
import { Database } from '../../src/postgres/database.js';
import type { Statement, ValuesOf } from '../../src/postgres/statement.js';
import type { AttemptResult } from '../../src/webhooks/delivery/attempt.js';
import { Deliverer } from '../../src/webhooks/delivery/deliverer.js';
import { numberJob } from '../../src/webhooks/events/numbering.js';
import { MerchantSigningKeys } from '../../src/webhooks/signing/signing-keys.js';
import { eventually } from '../harness/eventually.js';
import { happen } from './happenings.js';
import { endpointRow, register, rootKey, useWebhookRoom } from './room.js';

const claim = 'claim-store.claim';
const listClaims = 'claim-store.list-of-worker';
const listQueues = 'pending-store.list-queues';

/** A database whose next statement of a name can be disturbed once. */
class DisturbedDatabase extends Database {
  readonly disturbances = new Map<string, (run: () => Promise<unknown>) => Promise<unknown>>();

  override query<Row, Name extends string>(
    statement: Statement<Row, Name>,
    ...values: ValuesOf<Name>
  ): Promise<Row[]> {
    return this.#disturbed(statement, () => super.query(statement, ...values));
  }

  override writeRelaxed<Row, Name extends string>(
    statement: Statement<Row, Name>,
    ...values: ValuesOf<Name>
  ): Promise<Row[]> {
    return this.#disturbed(statement, () => super.writeRelaxed(statement, ...values));
  }

  #disturbed<Row>({ name }: { name: string }, run: () => Promise<Row[]>): Promise<Row[]> {
    const disturb = this.disturbances.get(name);
    this.disturbances.delete(name);
    return disturb ? (disturb(run) as Promise<Row[]>) : run();
  }
}

const loseAnswer = async (run: () => Promise<unknown>) => {
  await run();
  throw new Error('no answer');
};
const accepted: AttemptResult = {
  kind: 'answered',
  status: 200,
  retryAfter: undefined,
  answerStart: Buffer.alloc(0),
  isSlow: false,
  durationMs: 1,
};
const failAtOnce = () => Promise.reject(new Error('no connection'));

const room = useWebhookRoom();
const { log } = createLog({ level: 'silent' });
const signal = AbortSignal.timeout(60_000);
let database: DisturbedDatabase;
let deliverer: Deliverer;
/** Attempts that wait for an answer, with their urls. */
let attempts: { readonly url: string; readonly answer: (result: AttemptResult) => void }[];

const runJob = () => deliverer.job().run(signal);
const isAttempted = (path: string) => eventually(() => attempts.some(({ url }) => url.endsWith(path)));
const holderOf = async ({ merchant }: typeof room.acme) => (await endpointRow(room, merchant)).held_by;

async function queue(merchant: typeof room.acme): Promise<void> {
  await happen(database, merchant);
  await numberJob({ database, log, onQueued: () => {} }).run(signal);
}

beforeEach(() => {
  attempts = [];
  database = new DisturbedDatabase(room.url, { poolSize: 4 });
  deliverer = new Deliverer({
    database,
    log,
    sealingKey: Buffer.alloc(32, 8),
    signingKeys: new MerchantSigningKeys(rootKey),
    makeClient: (clientUrl) => ({
      post: () => new Promise((answer) => attempts.push({ url: clientUrl, answer })),
      close: async () => {},
    }),
  });
});

afterEach(async () => {
  const stopped = deliverer.stop();
  for (const { answer } of attempts) answer({ kind: 'withheld' });
  await stopped;
  await database.close();
});

it('keeps a claim that is wanted while lost claims are being released', async () => {
  await register(room, room.acme, { path: '/acme' });
  await register(room, room.rival, { path: '/rival' });
  await queue(room.acme);
  database.disturbances.set(claim, loseAnswer);
  await expect(runJob()).rejects.toThrow('no answer');
  expect(await holderOf(room.acme)).not.toBeNull();

  await queue(room.rival);
  database.disturbances.set(listQueues, async () => []);
  database.disturbances.set(listClaims, async (run) => {
    deliverer.offer([{ merchantId: room.rival.merchant, channel: 'kyc' }]);
    await nextTurn();
    // If the claim did not wait for this release, it commits first.
    await claimOfRival;
    return run();
  });
  let claimOfRival: Promise<unknown> | undefined;
  database.disturbances.set(claim, (run) => {
    claimOfRival = run();
    return claimOfRival;
  });
  await runJob();
  await isAttempted('/rival');
  expect(await holderOf(room.rival)).not.toBeNull();
  expect(await holderOf(room.acme)).toBeNull();
});

it('releases a lost claim later when the first release fails, and then delivers', async () => {
  await register(room, room.acme, { path: '/acme' });
  await queue(room.acme);
  database.disturbances.set(claim, loseAnswer);
  await expect(runJob()).rejects.toThrow('no answer');
  database.disturbances.set(listClaims, failAtOnce);
  await expect(runJob()).rejects.toThrow('no connection');
  await runJob();
  await isAttempted('/acme');
});

it('releases a lost claim to a new url while an attempt to the replaced url is still in flight', async () => {
  await register(room, room.acme, { path: '/old' });
  await queue(room.acme);
  await runJob();
  await isAttempted('/old');
  await register(room, room.acme, { path: '/new' });
  await queue(room.acme);
  database.disturbances.set(claim, loseAnswer);
  await expect(runJob()).rejects.toThrow('no answer');
  await runJob();
  await isAttempted('/new');
});

it('serves an endpoint again after a failover has undone its release', async () => {
  await register(room, room.acme, { path: '/acme' });
  await queue(room.acme);
  await runJob();
  await isAttempted('/acme');
  const worker = await holderOf(room.acme);
  for (const { answer } of attempts.splice(0)) answer(accepted);
  await eventually(async () => (await holderOf(room.acme)) === null);
  await room.sql.query('UPDATE webhook_endpoints SET held_by = $2 WHERE merchant_id = $1', [
    ...[room.acme.merchant, worker],
  ]);
  await queue(room.acme);
  await runJob();
  await runJob();
  await isAttempted('/acme');
});
