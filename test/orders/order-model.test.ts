/**
 * Orders against a small model that knows nothing of their code: random steps of everybody, with lost answers, repeated
 * requests, two nodes, several workers, clock jumps and a rail that answers late, twice or not at all.
 * `MODEL_SEED` and `MODEL_PATH` replay a failure with the values that it names, of a full run with `FAULTS=full`;
 * `MODEL_STEPS` sets the number of steps, `MODEL_VERIFIED_EVERY` after how many rounds the ledgers are verified.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rounds } from '../harness/rounds.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { type PayoutVerbs, payoutVerbs } from '../payouts/worker-verbs.js';
import { verifyContext } from './model/comparison.js';
import { Coverage } from './model/coverage.js';
import { lanesOfStory, stories } from './model/draws.js';
import { type Lane, LaneModel } from './model/lane.js';
import { type ModelService, useModelService } from './model/model-service.js';
import { play } from './model/story.js';
import { ordersOf } from './model/worker-passes.js';

/** What a long run should reach besides every state. */
const expected = [
  ...['awaiting_payment', 'beneficiary_changed', 'payment_recorded', 'payment_received', 'requoted'],
  ...['converted', 'payout_submitted', 'completed', 'payout_failed', 'returned', 'in_review'],
  ...['action_required', 'cancellation_requested', 'rejected', 'refund_pending', 'refund_updated'],
  ...['refunded', 'refund_failed', 'cancelled', 'expired'],
].map((status) => `event order.${status}`);
/** What stops money and proves what has left must happen in every run. */
const stops = [
  ...['block of the sender: 200', 'lift of the block of the sender: 200', 'dismiss the hit: 200'],
  ...['confirm the hit: 200', 'pause: 200', 'resume what is paused: 200', 'proof that a refund: 200'],
  'payment of all USD by listed: applied',
];
const service = useModelService();
/** The same stories in every `npm test`; others in each run with full counts. */
const seed = Number(process.env.MODEL_SEED ?? rounds(7, Math.floor(Math.random() * 2 ** 31)));
const { MODEL_PATH: path } = process.env;
const steps = Number(process.env.MODEL_STEPS ?? rounds(250, 200_000));
/** Killing a worker and loading a list take seconds each. */
const rarities = rounds({ killsIn: 0, listChangesIn: 0 }, { killsIn: 12, listChangesIn: 25 });
/** The same merchants serve for some stories; with too many orders they would slow each other down. */
const storiesOfMerchants = 25;

it('every order is in the state of the model, we owe what it says, and merchants are told exactly that', {
  timeout: rounds(240_000, 12 * 3_600_000),
}, async () => {
  const coverage = new Coverage();
  const context = await verifyContext(service);
  const verbs: PayoutVerbs = await payoutVerbs(service.testDatabase.database, [service.rail]);
  let played = 0;
  let lanes: Lane[] = [];
  const began = performance.now();
  const cpuBegan = process.cpuUsage();
  const property = fc.asyncProperty(
    stories(() => verbs, rarities),
    async ({ rounds: story }) => {
      if (coverage.steps >= steps) return;
      lanes =
        played % storiesOfMerchants === 0 ? await newLanes(played) : lanes.map((lane) => nextStory(lane, lane.model));
      played += 1;
      await play({ service, context, coverage, lanes, listed: [2] }, story);
      for (const { model } of lanes) coverage.told(model);
      await retire(service, lanes);
    },
  );
  const asserted = fc.assert(property, {
    ...{ numRuns: Math.ceil(steps / 100), seed, endOnFailure: true },
    ...(path === undefined ? {} : { path }),
  });
  await asserted.finally(report);
  // One that is replayed is shorter.
  if (path === undefined) expect(coverage.neverDone(stops)).toEqual([]);

  function report(): void {
    const seconds = (performance.now() - began) / 1000;
    const cpu = process.cpuUsage(cpuBegan);
    const speed = `${Math.round(coverage.steps / seconds)} steps/s (${((cpu.user + cpu.system) / 1000 / coverage.steps).toFixed(1)} ms of processor time each)`;
    process.stdout.write(`order model: seed ${seed}, ${played} stories, ${coverage.steps} steps, ${speed}\n`);
    process.stdout.write(`${coverage.report(expected)}\n`);
  }
});

async function newLanes(number: number): Promise<Lane[]> {
  await service.logIn();
  const names = Array.from({ length: lanesOfStory }, (_, place) => `model-${number}-${place}-${Date.now()}`);
  const merchants = await Promise.all(names.map((name) => service.newMerchant(name)));
  return merchants.map((merchant, place) => nextStory({ merchant, place }));
}

/** A merchant keeps the policies that it declared. */
function nextStory({ merchant, place }: Pick<Lane, 'merchant' | 'place'>, before = new LaneModel()): Lane {
  const { policies, policyVersion } = before;
  return {
    merchant,
    place,
    beganAt: new Date(),
    atBankBefore: { USD: 0, EUR: 0 },
    failure: undefined,
    model: Object.assign(new LaneModel(), { policies, policyVersion }),
    ...{ orders: [], suspense: [], payments: [], paidFrom: new Map(), blocks: new Map() },
    users: [],
    history: [],
  };
}

/** The workers leave the orders of this story alone from now on, also when the clock of the merchant moves on. */
async function retire({ sql, rail }: ModelService, lanes: readonly Lane[]): Promise<void> {
  const orders = ordersOf(lanes);
  const merchants = lanes.map(({ merchant }) => merchant.merchant);
  await sql.query('UPDATE payout_attempts SET due_at = NULL WHERE merchant_id = ANY ($1)', [merchants]);
  await withoutTriggers(sql, (client) =>
    client.query(
      `UPDATE orders SET try_at = 'infinity', expires_at = '2200-01-01',
              action_required_by = action_required_by + interval '100 years'
        WHERE merchant_id = ANY ($1) AND order_id = ANY ($2)`,
      [merchants, orders],
    ),
  );
  rail.forgetAll();
}
