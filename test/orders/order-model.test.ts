/**
 * Orders against a small model that knows nothing of their code: random steps of everybody, with lost answers, repeated
 * requests, several workers, clock jumps and a rail that answers late, twice or not at all.
 * `MODEL_SEED` and `MODEL_PATH` replay a failure with the values that it names; `MODEL_RUNS` sets the number of stories.
 */
import fc from 'fast-check';
import { it } from 'vitest';
import { rounds } from '../harness/rounds.js';
import { merchantWithToken } from '../harness/users.js';
import { payoutVerbs } from '../payouts/worker-verbs.js';
import { compareAll } from './model/comparison.js';
import { useModelService } from './model/model-service.js';
import type { Model, Real } from './model/step.js';
import { stories } from './model/steps.js';

const service = useModelService();
/** The same stories in every `npm test`; others in each run with full counts. */
const seed = Number(process.env.MODEL_SEED ?? rounds(7, Math.floor(Math.random() * 2 ** 31)));
const { MODEL_PATH: path } = process.env;
const numRuns = Number(process.env.MODEL_RUNS ?? rounds(6, 5_000));

/** Each story has a merchant of its own, also when the test is tried again. */
let merchants = 0;

it('every order is in the state of the model, we owe what it says, and merchants are told exactly that', {
  timeout: rounds(120_000, 12 * 3_600_000),
}, async () => {
  let taken = 0;
  const reached = new Map<string, number>();
  const verbs = await payoutVerbs(service.testDatabase.database, [service.rail]);
  const runs = fc.asyncProperty(stories, async (story) => {
    merchants += 1;
    if (merchants % 100 === 0) await service.logIn();
    const merchant = await merchantWithToken(service.running, `model-${merchants}`);
    const real: Real = { service, merchant, verbs, orders: [] };
    const model: Model = { hour: 0, steps: 0, orders: [] };
    await fc.asyncModelRun(() => ({ model, real }), story);
    taken += model.steps;
    for (const type of model.orders.flatMap(({ told }) => told))
      reached.set(type, (reached.get(type) ?? 0) + 1);
    await compareAll(model, real);
    await retire(real);
  });
  await fc.assert(runs, { numRuns, seed, endOnFailure: true, ...(path === undefined ? {} : { path }) });
  const told = [...reached].map(([type, times]) => `${type} ${times}`).join(', ');
  process.stdout.write(`order model: seed ${seed}, ${numRuns} stories, ${taken} steps: ${told}\n`);
});

/** The workers leave the orders of this run alone from now on. */
async function retire({ service: { sql, rail }, merchant: { merchant } }: Real): Promise<void> {
  await sql.query('UPDATE payout_attempts SET due_at = NULL WHERE merchant_id = $1', [merchant]);
  await sql.query(`UPDATE orders SET try_at = 'infinity' WHERE merchant_id = $1`, [merchant]);
  rail.forgetAll();
}
