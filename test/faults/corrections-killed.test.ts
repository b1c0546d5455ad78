/**
 * The service is killed while operators refund, record a return, correct and approve: each is done once. `KILL_ROUNDS`
 * sets how often.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  attemptOf,
  failedPayout,
  faultsOf,
  happens,
  operate,
  type PaidOrder,
  submittedByBank,
  useCorrections,
  versionOf,
} from '../corrections/corrections.js';
import { oneInstance } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { orderTimeline } from '../harness/histories.js';
import { endProcessesAfterEach, type RunningService, startServiceOf } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';

const running = useCorrections({ ...oneInstance });
const { sql } = running;
endProcessesAfterEach();

interface Command {
  readonly order: PaidOrder;
  readonly path: string;
  readonly body: object | undefined;
  /** The event of the order that it causes. */
  readonly event: string;
}

const bookedAt = '2026-11-16T09:41:00.000Z';
const note = 'Killed meanwhile.';

async function approvalOf(path: string, body: object): Promise<string> {
  const asked = await operate(running, path, body);
  if (asked.status !== 202) throw new Error(asked.text);
  return `approvals/${asked.json.approvalId}/approve`;
}

const commands: readonly ((round: number) => Promise<Command>)[] = [
  async () => {
    const order = await failedPayout(running);
    const body = { version: await versionOf(running, order.id), reason: 'operator', note };
    return { order, path: `orders/${order.id}/refund`, body, event: 'refund' };
  },
  async (round) => {
    const order = await submittedByBank(running);
    await happens(running, order, 'paid', { bank: 'mexico' });
    const { attempt_id: id, version } = await attemptOf(running, order.id);
    const body = { version, bankReference: `killed-${round}`, bookedAt, bank: 'mexico', charge: '3.00' };
    return { order, path: `payouts/${id}/returned`, body, event: 'return' };
  },
  async (round) => {
    const order = await failedPayout(running);
    const { attempt_id: id, version } = await attemptOf(running, order.id);
    const body = { version, bankReference: `killed-${round}`, bookedAt, bank: 'mexico', note };
    const path = await approvalOf(`payouts/${id}/prove-paid`, body);
    return { order, path, body: undefined, event: 'prove_payout' };
  },
  async (round) => {
    const order = await failedPayout(running);
    const { id, paymentId } = order;
    const body = { version: await versionOf(running, id), bankReference: `killed-${round}`, bookedAt, note };
    const path = await approvalOf(`payments/${paymentId}/corrections/clawback`, body);
    return { order, path, body: undefined, event: 'reverse_payment' };
  },
];

/** How long a command takes here, at most: the kills are spread over this time. */
let longestMs = 70;
/** An even spread over 0 to 1, whatever the number of rounds. */
const spread = (round: number) => (round * 0.618_034) % 1;

describe('a service that is killed in the middle of a decision', { timeout: 3_600_000 }, () => {
  it('has done it once when it is asked again, or not at all before: state, journals and attempts', async () => {
    const start = () =>
      startServiceOf('test/programs/whole-service.ts', {
        ...{ ...oneInstance, DATABASE_URL: running.url, ROLE: 'api', MODE: 'sandbox' },
        ...{ FOUR_EYES: 'order.correct,refund.redirect,payment.clawback' },
      });
    const count = Number(process.env.KILL_ROUNDS ?? rounds(4, 100));
    let killedBefore = 0;
    // The service that answers after a kill is the next one to be killed, so each round starts one.
    let service = await start();
    for (let round = 0; round < count; round += 1) {
      const [command, next] = await Promise.all([
        (commands[round % commands.length] as (typeof commands)[number])(round),
        start(),
      ]);
      const first = send(service, command, round).catch(() => undefined);
      await sleep(spread(round) * longestMs);
      await service.end('SIGKILL');
      if ((await first) === undefined) killedBefore += 1;
      service = next;
      const asked = performance.now();
      const status = await eventually(
        async () => {
          const answer = await send(service, command, round).catch(() => undefined);
          return answer && answer !== 503 && answer !== 409 ? answer : undefined;
        },
        { withinMs: 120_000, what: `${command.event} after a kill` },
      );
      expect([command.event, status]).toEqual([command.event, 200]);
      longestMs = Math.max(longestMs, Math.min(performance.now() - asked, 1000));
      await expectOnce(command);
    }
    process.stdout.write(
      `decisions killed: ${count} rounds, ${killedBefore} without an answer, kills within ${Math.round(longestMs)} ms\n`,
    );
    expect(await faultsOf(running)).toEqual([]);
  });
});

/** Returns the status of the answer. */
async function send(service: RunningService, { path, body }: Command, round: number): Promise<number> {
  const answer = await fetch(`${service.url}/operator/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${running.as('rob')}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'idempotency-key': `killed-${round}`,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await answer.text();
  return answer.status;
}

async function expectOnce({ order: { id }, event }: Command): Promise<void> {
  const { rows } = await sql.query(
    `SELECT count(*)::int AS times, min(cardinality(journal_ids)) AS journals FROM ${orderTimeline} AS entry
      WHERE order_id = $1 AND event = $2`,
    [id, event],
  );
  expect([event, rows[0].times]).toEqual([event, 1]);
  expect(rows[0].journals).toBeGreaterThan(0);
  const alive = await sql.query(
    `SELECT direction FROM payout_attempts
      WHERE order_id = $1 AND state NOT IN ('REJECTED', 'RETURNED', 'RECALLED')`,
    [id],
  );
  expect(alive.rowCount).toBeLessThanOrEqual(1);
}
