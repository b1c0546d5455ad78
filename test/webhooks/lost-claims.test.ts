/** Claims whose answer was lost: they may have been granted, and are released before the next claim. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../src/log.js';
import { Database } from '../../src/postgres/database.js';
import type { Statement } from '../../src/postgres/statement.js';
import type { AttemptResult } from '../../src/webhooks/delivery/attempt.js';
import { Deliverer } from '../../src/webhooks/delivery/deliverer.js';
import { numberJob } from '../../src/webhooks/numbering.js';
import { MerchantSigningKeys } from '../../src/webhooks/signing/signing-keys.js';
import { eventually } from '../harness/eventually.js';
import { happen } from './happenings.js';
import { endpointRow, register, rootKey, useWebhookRoom } from './room.js';

const claimDue = 'claim-store.claim-due';
const claimNamed = 'claim-store.claim-named';
const releaseUnserved = 'claim-store.release-unserved';

/** A database whose next statement of a name can be disturbed once. */
class DisturbedDatabase extends Database {
  readonly disturbances = new Map<string, (run: () => Promise<unknown>) => Promise<unknown>>();

  override write<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    const run = () => super.write(statement, values);
    const disturb = this.disturbances.get(statement.name);
    this.disturbances.delete(statement.name);
    return disturb ? (disturb(run) as Promise<Row[]>) : run();
  }
}

const loseAnswer = async (run: () => Promise<unknown>) => {
  await run();
  throw new Error('no answer');
};
const failAtOnce = () => Promise.reject(new Error('no connection'));

const room = useWebhookRoom();
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
  await numberJob(database, () => {}).run(signal);
}

beforeEach(() => {
  attempts = [];
  database = new DisturbedDatabase(room.url, { poolSize: 4 });
  deliverer = new Deliverer({
    database,
    log: createLog({ level: 'silent' }).log,
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
  database.disturbances.set(claimDue, loseAnswer);
  await expect(runJob()).rejects.toThrow('no answer');
  expect(await holderOf(room.acme)).not.toBeNull();

  await queue(room.rival);
  database.disturbances.set(claimDue, async () => []);
  database.disturbances.set(releaseUnserved, async (run) => {
    deliverer.offer([{ merchantId: room.rival.merchant, channel: 'kyc' }]);
    await nextTurn();
    // If the claim did not wait for this release, it commits first.
    await claimOfRival;
    return run();
  });
  let claimOfRival: Promise<unknown> | undefined;
  database.disturbances.set(claimNamed, (run) => {
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
  database.disturbances.set(claimDue, loseAnswer);
  await expect(runJob()).rejects.toThrow('no answer');
  database.disturbances.set(releaseUnserved, failAtOnce);
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
  database.disturbances.set(claimDue, loseAnswer);
  await expect(runJob()).rejects.toThrow('no answer');
  await runJob();
  await isAttempted('/new');
});
