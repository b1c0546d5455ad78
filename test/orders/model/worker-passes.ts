/** What the workers do with the orders of all lanes: move on, expire, send. */
import { eventually } from '../../harness/eventually.js';
import type { RailMode } from './booked-rail.js';
import { type Kill, killedPass } from './killed-worker.js';
import type { Lane, LaneModel } from './lane.js';
import type { ModelService, Pass } from './model-service.js';
import type { ModelOrder } from './order-model.js';
import type { ModelAttempt, Surroundings } from './order-record.js';
import { sendInModel } from './rail-acts.js';
import type { ModelSuspense } from './suspense-model.js';

export interface WorkerPass {
  readonly name: string;
  readonly run: (service: ModelService, lanes: readonly Lane[]) => Promise<void>;
  readonly expect: (lane: Lane, around: Surroundings) => void;
}

const undisturbed: Pass = { workers: 1, fault: 'none' };

export const advance = (pass: Pass): WorkerPass => ({
  name: `${pass.workers} workers advance, ${pass.fault}`,
  run: (service, lanes) => service.work('orders.advance', pass, () => tryNow(service, lanes)),
  expect({ model }, around) {
    for (const order of model.orders) while (order.advance(around));
  },
});

export const expire = (pass: Pass): WorkerPass => ({
  name: `${pass.workers} workers expire, ${pass.fault}`,
  run: (service) => service.work('orders.expire', pass, async () => {}),
  expect({ model }, around) {
    for (const order of model.orders) order.expire(around);
  },
});

export const send = (pass: Pass, mode: RailMode): WorkerPass => ({
  name: `${pass.workers} workers send, the rail is to ${mode}, ${pass.fault}`,
  run(service, lanes) {
    service.rail.beginPass(mode);
    return service.work('payouts.send', pass, () => letRailBeAsked(service, lanes));
  },
  expect({ model }, around) {
    for (const order of model.orders) sendOrder(order, around, mode);
    for (const record of model.suspense) sendSuspense(record, isStopped(model, record, around), around, mode);
  },
});

function sendOrder(order: ModelOrder, around: Surroundings, mode: RailMode): void {
  // Nothing new is sent while the merchant is paused, and nobody looks at it.
  if (!around.isPaused) {
    order.recheck(around);
    order.recheckRefunds(around);
  }
  for (const attempt of asked(order.attempts, around, mode))
    if (order.mayLeave(attempt, around)) sendInModel(order, attempt, mode);
}

function sendSuspense(record: ModelSuspense, isStopped: boolean, around: Surroundings, mode: RailMode): void {
  const isReady = record.attempts.at(-1)?.state === 'ready';
  if (isStopped && isReady && !around.isPaused) record.withdraw(record.version);
  // What the rail has never received is not sent again.
  const going = asked(record.attempts, around, mode).filter(({ known }) => !isStopped || known !== undefined);
  for (const attempt of going) sendInModel(record, attempt, mode);
}

/** What the worker sends, or asks the rail about. A rail that is down does not even say what it never received. */
function asked(attempts: readonly ModelAttempt[], { isPaused }: Surroundings, mode: RailMode): ModelAttempt[] {
  return attempts.filter(({ state, known }) =>
    state === 'ready' ? !isPaused : state === 'sent' && (known !== undefined || mode !== 'down'),
  );
}

/** The gate of suspense says no, or knows more than the operators who let the money go. */
function isStopped(model: LaneModel, record: ModelSuspense, around: Surroundings): boolean {
  const { isStopped: isHeld, clues } = model.examine(record, around);
  return isHeld || clues.some((clue) => !record.despite.includes(clue));
}

/** A worker in a process of its own is killed on the way, and another one finishes its work. */
export const killed = (kill: Kill, mode: RailMode): WorkerPass => {
  const whole = kill.job === 'orders.advance' ? advance(undisturbed) : send(undisturbed, mode);
  return {
    name: `kill ${kill.job} ${kill.moment} ${kill.after}, the rail is to ${mode}`,
    async run(service, lanes) {
      service.rail.beginPass(mode);
      await (kill.job === 'orders.advance' ? tryNow(service, lanes) : letRailBeAsked(service, lanes));
      await killedPass(service.workerPlace(), kill);
      await eventually(() => hasNoTransaction(service), {
        what: 'the end of what the dead worker had begun',
      });
      await whole.run(service, lanes);
    },
    expect: whole.expect,
  };
};

/** The server may notice a moment later that a worker is dead. */
async function hasNoTransaction({ sql }: ModelService): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
  );
  return rowCount === 0;
}

/** No order is leased, and none pauses: as if time had passed. */
async function tryNow({ sql }: ModelService, lanes: readonly Lane[]): Promise<void> {
  await sql.query({
    name: 'model-try-now',
    text: 'UPDATE orders SET try_at = NULL WHERE merchant_id = ANY ($1) AND order_id = ANY ($2) AND try_at IS NOT NULL',
    values: [merchantsOf(lanes), ordersOf(lanes)],
  });
}

async function letRailBeAsked({ sql }: ModelService, lanes: readonly Lane[]): Promise<void> {
  await Promise.all([
    sql.query({
      name: 'model-ask-now',
      text: `UPDATE payout_attempts SET due_at = least(due_at, now()), leased_until = NULL, lease_holder = NULL
              WHERE merchant_id = ANY ($1) AND due_at IS NOT NULL`,
      values: [merchantsOf(lanes)],
    }),
    sql.query('UPDATE payout_rail_failures SET resumes_at = failing_since'),
  ]);
}

export function merchantsOf(lanes: readonly Lane[]): number[] {
  return lanes.map(({ merchant }) => Number(merchant.merchant));
}

export function ordersOf(lanes: readonly Lane[]): string[] {
  return lanes.flatMap(({ orders }) => orders.map(({ id }) => id));
}
