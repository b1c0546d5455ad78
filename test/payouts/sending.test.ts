/** What the worker does with rails that answer, fail, lie and forget. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Order } from '../../src/orders/order/order.js';
import type { Batch, Finding, Instruction, Report } from '../../src/payouts/rail.js';
import { receiveAll } from '../../src/payouts/reports/receiving.js';
import { claimAttempts, listMerchantsWithDue } from '../../src/payouts/sending/lease-store.js';
import { type AttemptState, attemptEvents, attemptStateAfter, attemptStates } from '../../src/payouts/transitions.js';
import type { Database } from '../../src/postgres/database.js';
import { CommitOutcomeUnknown } from '../../src/postgres/failure.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { silentLog } from '../harness/silent-log.js';
import { eventsOf, get, orderJobNames } from '../orders/orders.js';
import {
  attemptsOf,
  letTimePass,
  openPayout,
  orderOf,
  PlayedRail,
  refunding,
  report,
  run,
  submitPayout,
  submitted,
} from './payouts.js';
import { type PayoutVerbs, payoutVerbs } from './worker-verbs.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const { sql } = running;
let rail: PlayedRail;
let verbs: PayoutVerbs;

beforeEach(async () => {
  await sql.query(`UPDATE payout_attempts SET due_at = NULL`);
  await sql.query(`DELETE FROM payout_rail_failures`);
  rail = new PlayedRail('played');
  verbs = await payoutVerbs(running.service.database, [rail], { answerWithinMs: 500 });
});

const newOrder = () => submitted(running, verbs, { rail: 'played' });
const statusOf = async ({ orderId }: Order) => (await get(running, orderId)).json.status;
const stateOf = async (order: Order) => (await attemptsOf(running, order)).at(-1).state;
const referenceOf = async (order: Order): Promise<string> => (await attemptsOf(running, order)).at(-1).reference;
const answers = (...kinds: Report['kind'][]) => {
  rail.onSubmit = async ({ payments }) =>
    payments.flatMap(({ reference }) => kinds.map((kind) => report(kind, reference)));
};
const finds = (finding: Finding | Report['kind'][]) => {
  rail.onFind = async (reference) =>
    Array.isArray(finding) ? { reports: finding.map((kind) => report(kind, reference)) } : (finding as Finding);
};
const receive = (report: Report) =>
  verbs.database.transaction((tx) =>
    verbs.reports.receive(tx, { actor: { kind: 'system', name: 'test' } }, { rail: 'played', report, source: 'rail' }),
  );
const tasks = async (kind: string) =>
  (await running.api.get(`/operator/tasks?kind=${kind}&limit=200`, { token: running.viewer })).json;

describe('the states of an attempt', () => {
  it('change in the database along the pairs of the table and no others', async () => {
    await newOrder();
    const allowed = new Set(
      attemptStates.flatMap((from) => attemptEvents.map((event) => `${from}>${attemptStateAfter(from, event)}`)),
    );
    const client = await sql.connect();
    const succeeds = async (from: AttemptState, to: AttemptState) => {
      await client.query('BEGIN; SET LOCAL session_replication_role = replica');
      await client.query(`UPDATE payout_attempts SET state = $1, message_id = 'MSG', message_at = now()`, [from]);
      await client.query('SET LOCAL session_replication_role = origin');
      const update = 'UPDATE payout_attempts SET state = $1, version = version + 1';
      const result = await client.query(update, [to]).then(
        () => true,
        () => false,
      );
      await client.query('ROLLBACK');
      return result;
    };
    try {
      for (const from of attemptStates) {
        for (const to of attemptStates) {
          // A correction may leave the state as it is.
          const isAllowed = from === to || allowed.has(`${from}>${to}`);
          expect(`${from}>${to} ${await succeeds(from, to)}`).toBe(`${from}>${to} ${isAllowed}`);
        }
      }
    } finally {
      client.release();
    }
  });
});

describe('a payout', () => {
  it('is sent once with its reference and content, and completes the order when it is paid', async () => {
    const order = await newOrder();
    answers('accepted', 'paid');
    expect(await run(verbs)).toBe(1);
    expect(await run(verbs)).toBe(0);
    const [batch] = rail.batches as [Batch];
    expect(rail.batches).toHaveLength(1);
    const reference = `ORD${order.orderId.slice(4)}`;
    expect(batch).toMatchObject({ messageId: expect.stringMatching(/^MSG/), payments: [{ reference }] });
    const instruction = JSON.parse(String(batch.payments[0]?.content)) as Instruction;
    expect(instruction).toMatchObject({
      ...{ reference, direction: 'payout', currency: 'MXN', purpose: 'family_support' },
      sender: { name: 'Ana Reyes Núñez', country: 'ES' },
      recipient: { account: { clabe: '032180000118359719' } },
    });
    expect(await stateOf(order)).toBe('PAID');
    expect(await statusOf(order)).toBe('COMPLETED');
    expect((await eventsOf(running, order.orderId)).at(-1)?.type).toBe('order.completed');
  });

  it('is sent outside of any transaction, after its lease was committed', async () => {
    const order = await newOrder();
    rail.onSubmit = async ({ payments }) => {
      // Another connection sees the lease, and gets every lock at once.
      const { rows } = await sql.query(
        'SELECT state, lease_holder FROM payout_attempts WHERE order_id = $1 FOR UPDATE NOWAIT',
        [order.orderId],
      );
      expect(rows).toEqual([{ state: 'SENDING', lease_holder: 'test' }]);
      await sql.query('SELECT FROM orders WHERE order_id = $1 FOR UPDATE NOWAIT', [order.orderId]);
      await sql.query('SELECT FROM users WHERE user_id = $1 FOR UPDATE NOWAIT', [order.userId]);
      const open = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
                       AND state_change < now() - interval '50 milliseconds'`;
      expect((await sql.query(open)).rowCount).toBe(0);
      return payments.map(({ reference }) => report('paid', reference));
    };
    await run(verbs);
    expect(await stateOf(order)).toBe('PAID');
  });

  it('fails with a public reason when it is rejected, recalled or sent back unpaid, and may be tried again as -2', async () => {
    const reasons = { rejected: 'AC04', recalled: undefined, returned: 'BE01' } as const;
    const told = {
      rejected: 'beneficiary_account_closed',
      recalled: 'payout_recalled',
      returned: 'beneficiary_name_mismatch',
    };
    for (const kind of ['rejected', 'recalled', 'returned'] as const) {
      const order = await newOrder();
      const reason = reasons[kind];
      rail.onSubmit = async ({ payments }) =>
        payments.map(({ reference }) => report(kind, reference, reason ? { reason } : {}));
      await run(verbs);
      expect((await get(running, order.orderId)).json).toMatchObject({
        status: 'PAYOUT_FAILED',
        statusReason: told[kind],
      });
      answers('paid');
      await submitPayout(verbs, await orderOf(running, order.orderId), 'played');
      await run(verbs);
      expect(await referenceOf(order)).toBe(`ORD${order.orderId.slice(4)}-2`);
      expect(await statusOf(order)).toBe('COMPLETED');
    }
  });

  it('cannot be opened twice while its outcome is not final, also when it is unknown', async () => {
    const order = await newOrder();
    const again = () => verbs.database.transaction((tx) => openPayout(tx, verbs, order, 'played'));
    for (const state of ['READY', 'UNKNOWN', 'PAID']) {
      if (state === 'UNKNOWN') {
        answers();
        await run(verbs);
      }
      if (state === 'PAID') await receive(report('paid', await referenceOf(order)));
      expect(await stateOf(order)).toBe(state);
      await expect(again()).rejects.toMatchObject({ constraint: 'payout_attempts_one_alive' });
    }
  });
});

describe('a rail that does not answer', () => {
  it('is asked what it has before anything is sent again, and gets identical bytes under the same reference', async () => {
    const order = await newOrder();
    rail.onSubmit = async () => {
      throw new Error('connection reset');
    };
    await run(verbs);
    expect(await stateOf(order)).toBe('SENDING');
    finds('never_received');
    answers('paid');
    await letTimePass(running);
    await run(verbs);
    expect(rail.asked).toEqual([await referenceOf(order)]);
    const [first, second] = rail.batches as [Batch, Batch];
    expect(second).toEqual(first);
    expect(rail.batches).toHaveLength(2);
    expect(await statusOf(order)).toBe('COMPLETED');
  });

  it('leaves the payout unknown when it cannot tell: it is asked ever more rarely, and an operator is called', async () => {
    const order = await newOrder();
    // Ignores the signal and never answers.
    rail.onSubmit = () => new Promise(() => {});
    finds('unknown');
    await run(verbs);
    await letTimePass(running);
    await run(verbs);
    expect(await stateOf(order)).toBe('UNKNOWN');
    for (let asked = 1; asked <= 3; asked += 1) {
      await letTimePass(running);
      await run(verbs);
    }
    const [attempt] = await attemptsOf(running, order);
    expect(attempt).toMatchObject({ state: 'UNKNOWN', asked: 3 });
    expect(attempt.due_at.getTime()).toBeGreaterThan(Date.now() + 5_000);
    expect(rail.batches).toHaveLength(1);
    await sql.query(`UPDATE payout_attempts SET changed_at = changed_at - interval '16 minutes' WHERE order_id = $1`, [
      order.orderId,
    ]);
    expect(await tasks('payout_unknown')).toContainEqual(
      expect.objectContaining({ path: `/operator/payouts/${attempt.attempt_id}`, merchant: 'acme' }),
    );
    finds(['paid']);
    await letTimePass(running);
    await run(verbs);
    expect(await statusOf(order)).toBe('COMPLETED');
  });

  it('five times in a row is left alone for a while, with a task, and is used again when it works', async () => {
    const order = await newOrder();
    rail.onSubmit = async () => {
      throw new Error('down');
    };
    rail.onFind = async () => {
      throw new Error('down');
    };
    for (let failure = 1; failure <= 5; failure += 1) {
      await sql.query(`UPDATE payout_attempts SET due_at = now() WHERE due_at IS NOT NULL`);
      expect(await run(verbs)).toBe(1);
    }
    await sql.query(`UPDATE payout_attempts SET due_at = now() WHERE due_at IS NOT NULL`);
    expect(await run(verbs)).toBe(0);
    expect(await tasks('rail_failing')).toEqual([expect.objectContaining({ id: 'rail_failing.played' })]);
    finds(['paid']);
    await letTimePass(running);
    await run(verbs);
    expect(await statusOf(order)).toBe('COMPLETED');
    expect(await tasks('rail_failing')).toEqual([]);
  });

  it('is asked again after a payment, and has no question less', async () => {
    rail = new PlayedRail('played', { asksAfterPayment: true });
    verbs = await payoutVerbs(running.service.database, [rail], { answerWithinMs: 500 });
    const order = await newOrder();
    answers('paid');
    await run(verbs);
    rail.onFind = async () => {
      throw new Error('down');
    };
    for (let failure = 1; failure <= 4; failure += 1) {
      await letTimePass(running);
      expect(await run(verbs)).toBe(1);
    }
    finds(['paid', 'returned']);
    await letTimePass(running);
    await run(verbs);
    expect(await statusOf(order)).toBe('RETURNED');
  });

  it('takes no place among what is due when it was removed from the settings', async () => {
    const gone = new PlayedRail('gone');
    const before = await payoutVerbs(running.service.database, [rail, gone], { answerWithinMs: 500 });
    await submitted(running, before, { rail: 'gone' });
    const { merchantId, orderId } = await newOrder();
    const claim = { rails: ['played'], atMost: 1, lease: { holder: 'test', seconds: 60 } };
    const due = await claimAttempts(running.service.database, merchantId, claim);
    expect(due.map((attempt) => attempt.orderId)).toEqual([orderId]);
    expect(await listMerchantsWithDue(running.service.database, ['other'], 1)).toEqual([]);
  });

  it('does not keep the payouts of other rails waiting', async () => {
    const silent = new PlayedRail('silent', { messagesAtOnce: 1 });
    silent.onSubmit = () => new Promise(() => {});
    const both = await payoutVerbs(running.service.database, [rail, silent], { answerWithinMs: 1_000 });
    await submitted(running, both, { rail: 'silent' });
    const order = await submitted(running, both, { rail: 'played' });
    answers('paid');
    const working = run(both);
    await expect.poll(() => statusOf(order)).toBe('COMPLETED');
    await working;
  });
});

describe('two workers', () => {
  it('send a payout once', async () => {
    const other = await payoutVerbs(running.service.database, [rail], { holder: 'other' });
    for (let round = 0; round < 5; round += 1) await newOrder();
    answers('paid');
    const sent = await Promise.all([run(verbs), run(other)]);
    expect(sent[0] + sent[1]).toBe(5);
    expect(new Set(rail.batches.map(({ messageId }) => messageId)).size).toBe(rail.batches.length);
    expect(rail.batches).toHaveLength(5);
  });
});

describe('a worker that was stopped for a minute', () => {
  it('sends nothing any more, because another worker may have taken over', async () => {
    const order = await newOrder();
    // The clock is read when the lease begins, when it is the payout's turn, and again before the rail is asked.
    const times = [new Date(), new Date(), new Date(Date.now() + 61_000)];
    const clock = { now: () => times.shift() ?? new Date() };
    const stopped = await payoutVerbs(running.service.database, [rail], { clock });
    await run(stopped);
    expect(rail.batches).toEqual([]);
    expect(await stateOf(order)).toBe('SENDING');
    finds('never_received');
    answers('paid');
    await letTimePass(running);
    await run(verbs);
    expect(await statusOf(order)).toBe('COMPLETED');
  });
});

describe('a message with several payments', () => {
  it('gets no further payment once another worker has its first one', async () => {
    rail = new PlayedRail('played', { paymentsPerMessage: 10 });
    const { database } = running.service;
    const [first, second] = [await newOrder(), await newOrder()];
    // This worker was stopped after its claim, and another one has taken over.
    const taken = () =>
      sql.query(
        `UPDATE payout_attempts SET state = 'SENDING', version = 2, message_id = 'MSG' || substr(attempt_id, 5),
                message_at = now(), leased_until = now() + interval '1 minute', lease_holder = 'other'
          WHERE order_id = $1 AND state = 'READY'`,
        [first.orderId],
      );
    const racing: Pick<Database, 'query' | 'transaction' | 'write'> = {
      query: (...query) => database.query(...query),
      write: (...query) => database.write(...query),
      transaction: async (work) => {
        await taken();
        return database.transaction(work);
      },
    };
    const slower = await payoutVerbs(database, [rail], { sendingDatabase: racing as Database });
    expect(await run(slower)).toBe(0);
    expect(rail.batches).toEqual([]);
    expect(await stateOf(second)).toBe('READY');
  });

  it('is sent as one, and again as a whole with identical bytes when the rail never received it', async () => {
    rail = new PlayedRail('played', { paymentsPerMessage: 10 });
    verbs = await payoutVerbs(running.service.database, [rail]);
    const orders = [await newOrder(), await newOrder(), await newOrder()];
    rail.onSubmit = async () => {
      throw new Error('cut off');
    };
    await run(verbs);
    finds('never_received');
    answers('paid');
    await letTimePass(running);
    await run(verbs);
    expect(rail.batches[0]?.payments).toHaveLength(3);
    for (const batch of rail.batches) expect(batch).toEqual(rail.batches[0]);
    for (const order of orders) expect(await statusOf(order)).toBe('COMPLETED');
  });
});

describe('reports', () => {
  it('change the order once when they come twice, late or out of order', async () => {
    const order = await newOrder();
    answers('paid');
    await run(verbs);
    const reference = await referenceOf(order);
    const { version } = (await get(running, order.orderId)).json;
    expect(await receive(report('paid', reference))).toBe('old');
    expect(await receive(report('paid', reference, { reportId: 'again' }))).toBe('old');
    expect(await receive(report('accepted', reference))).toBe('old');
    expect((await get(running, order.orderId)).json.version).toBe(version);
  });

  it('change nothing when they contradict what we know, or belong to nothing, and become tasks until somebody settles them', async () => {
    const order = await newOrder();
    answers('rejected');
    await run(verbs);
    const reference = await referenceOf(order);
    expect(await receive(report('paid', reference, { reportId: 'late-1' }))).toBe('contradictory');
    expect(await receive(report('paid', 'INVOICE 77', { reportId: 'strange-1' }))).toBe('unmatched');
    expect(await receive(report('paid', 'INVOICE 77', { reportId: 'strange-1' }))).toBe('old');
    expect(await statusOf(order)).toBe('PAYOUT_FAILED');
    const ids = async () => (await tasks('unmatched_report')).map(({ id }: { id: string }) => id);
    expect(await ids()).toEqual(['unmatched_report.played.late-1', 'unmatched_report.played.strange-1']);
    const waiting = await running.api.get('/operator/payout-reports', { token: running.admin });
    expect(waiting.json).toEqual([
      expect.objectContaining({ id: 'late-1', outcome: 'contradictory', detail: 'the attempt is REJECTED' }),
      expect.objectContaining({
        id: 'strange-1',
        outcome: 'unmatched',
        reference: 'INVOICE 77',
        payoutId: null,
      }),
    ]);
    for (const reportId of ['late-1', 'strange-1']) {
      const body = { rail: 'played', reportId, note: 'Seen' };
      const settled = await running.api.post('/operator/payout-reports/settle', {
        token: running.admin,
        body,
      });
      expect(settled.status).toBe(200);
    }
    expect(await ids()).toEqual([]);
  });

  it('are applied one by one from a document, also after one that cannot be, and the document again changes nothing', async () => {
    const order = await newOrder();
    await run(verbs);
    const document = Buffer.from(`${await referenceOf(order)} nonsense accepted paid`);
    const options = { database: verbs.database, reports: verbs.reports, log: silentLog };
    await receiveAll(options, rail, rail.read(document));
    expect(await statusOf(order)).toBe('COMPLETED');
    const { version } = (await get(running, order.orderId)).json;
    await receiveAll(options, rail, rail.read(document));
    expect((await get(running, order.orderId)).json.version).toBe(version);
  });

  it('are applied in their order although a COMMIT got no answer: paid and returned is never told as refused', async () => {
    const order = await newOrder();
    await run(verbs);
    const document = Buffer.from(`${await referenceOf(order)} accepted paid returned`);
    const { database, reports } = verbs;
    let transactions = 0;
    const cutOff = {
      async transaction(...work: Parameters<Database['transaction']>) {
        transactions += 1;
        if (transactions === 2) throw new CommitOutcomeUnknown('no answer to COMMIT');
        return database.transaction(...work);
      },
    } as Database;
    const options = { reports, log: silentLog };
    await expect(receiveAll({ ...options, database: cutOff }, rail, rail.read(document))).rejects.toThrow('COMMIT');
    expect(await statusOf(order)).toBe('PAYOUT_SUBMITTED');
    await receiveAll({ ...options, database }, rail, rail.read(document));
    expect(await statusOf(order)).toBe('RETURNED');
  });

  it('are asked for again when the database was away between those of one answer, so that no return is lost', async () => {
    const order = await newOrder();
    answers('paid', 'returned');
    finds(['paid', 'returned']);
    const cutOff = await payoutVerbs(running.service.database, [rail], { answerWithinMs: 500 });
    let received = 0;
    const { reports } = cutOff;
    cutOff.reports.receive = async (...given: Parameters<typeof reports.receive>) => {
      received += 1;
      if (received > 1) throw new CommitOutcomeUnknown('no answer to COMMIT');
      return verbs.reports.receive(...given);
    };
    await run(cutOff);
    expect(await statusOf(order)).toBe('COMPLETED');
    await run(verbs);
    expect(await statusOf(order)).toBe('RETURNED');
    expect((await attemptsOf(running, order)).at(-1).due_at).toBeNull();
  });

  it('are asked for until they can be applied, although the payment was made', async () => {
    const order = await newOrder();
    answers('paid', 'returned');
    finds(['paid', 'returned']);
    const { receive } = verbs.reports;
    verbs.reports.receive = async (...given: Parameters<typeof receive>) => {
      if (given[2].report.kind === 'returned') throw new Error('the ledger is stopped');
      return receive.apply(verbs.reports, given);
    };
    await run(verbs);
    await run(verbs);
    expect(await statusOf(order)).toBe('COMPLETED');
    verbs.reports.receive = receive;
    expect(await run(verbs)).toBe(0);
    await letTimePass(running);
    await run(verbs);
    expect(await statusOf(order)).toBe('RETURNED');
  });

  it('return the order with the charge when money comes back after the payment, and the ledger stays whole', async () => {
    const order = await newOrder();
    answers('paid');
    await run(verbs);
    const charge = { ...order.amountOut, minor: 100n };
    await receive(report('returned', await referenceOf(order), { charge, reason: 'AC04' }));
    expect((await get(running, order.orderId)).json).toMatchObject({
      status: 'RETURNED',
      statusReason: 'beneficiary_account_closed',
    });
    const { rows } = await sql.query(
      `SELECT account, sum(amount_minor)::int AS minor FROM ledger_postings
        WHERE reference = $1 AND account LIKE '%MXN%' AND account ~ 'payout|settlement|charges' GROUP BY account ORDER BY account`,
      [order.orderId],
    );
    expect(rows).toEqual([
      { account: 'charges:MXN', minor: 100 },
      { account: 'payout:MXN', minor: -Number(order.amountOut.minor) },
      { account: 'settlement:MXN:played', minor: -100 },
    ]);
  });

  it('seal what the rail sent, and keep it readable for nobody without the user’s retained key', async () => {
    const order = await newOrder();
    rail.onSubmit = async ({ payments }) =>
      payments.map(({ reference }) => report('paid', reference, { raw: 'Guadalupe Ortega Ruiz' }));
    await run(verbs);
    const { rows } = await sql.query(
      `SELECT sealed_raw, sealed_content FROM payout_reports JOIN payout_attempts USING (merchant_id, attempt_id)
        WHERE order_id = $1`,
      [order.orderId],
    );
    for (const sealed of Object.values(rows[0] as Record<string, Buffer>))
      expect(sealed.toString('latin1')).not.toMatch(/Guadalupe|032180000118359719/);
  });
});

describe('a refund', () => {
  it('is withdrawn while nothing was sent, and never afterwards', async () => {
    const order = await refunding(running, verbs);
    const withdraw = () => verbs.database.transaction((tx) => verbs.payouts.withdrawUnsent(tx, order));
    expect(await withdraw()).toEqual({ rail: expect.any(String) });
    expect(await stateOf(order)).toBe('RECALLED');
    const [refund] = order.refunds;
    if (!refund) throw new Error('no refund');
    await verbs.database.transaction((tx) => verbs.payouts.openRefund(tx, order, refund));
    await sql.query(
      `UPDATE payout_attempts SET state = 'SENDING', version = 2, message_id = 'MSG', message_at = now()
        WHERE order_id = $1 AND state = 'READY'`,
      [order.orderId],
    );
    expect(await withdraw()).toBeUndefined();
  });

  it('is paid, can bounce, and its ledger is whole', async () => {
    const direct = await payoutVerbs(running.service.database, [rail], {
      routes: [{ rail: 'played', methods: 'any', currencies: 'any' }],
      findPayer: async () => ({ name: 'Ana Reyes', account: '4711', isAnother: false }),
    });
    const order = await refunding(running, direct);
    answers('paid');
    await run(verbs);
    expect((await get(running, order.orderId)).json).toMatchObject({
      status: 'REFUNDED',
      amountRefunded: 100,
    });
    await receive(report('returned', await referenceOf(order)));
    expect((await get(running, order.orderId)).json).toMatchObject({
      ...{ status: 'REFUND_FAILED', statusReason: 'refund_rejected', amountRefunded: 0 },
    });
    const { rows } = await sql.query(
      `SELECT sum(amount_minor)::int AS minor FROM ledger_postings WHERE reference = $1 AND account = 'refund:USD'`,
      [order.orderId],
    );
    expect(rows).toEqual([{ minor: -10_000 }]);
  });
});

/** A rail that pays each reference once, as rails must, and is late, silent, forgetful and repetitive about it. */
class HostileRail extends PlayedRail {
  readonly paid = new Map<string, string>();
  readonly decided = new Map<string, Report[]>();
  moves: number[] = [];

  #next(): number {
    return this.moves.shift() ?? 0;
  }

  override async submit(batch: Batch): Promise<readonly Report[]> {
    this.batches.push(batch);
    const move = this.#next() % 6;
    if (move === 1) throw new Error('lost on the way');
    for (const { reference, content } of batch.payments) this.#take(reference, content, move);
    if (move === 2) throw new Error('answer lost');
    if (move === 3) return [];
    return this.#say(batch.payments.map(({ reference }) => reference));
  }

  override async find(reference: string): Promise<Finding> {
    const move = this.#next() % 4;
    if (move === 1) throw new Error('down');
    if (move === 2) return 'unknown';
    if (!this.decided.has(reference)) return 'never_received';
    return { reports: this.#say([reference]) };
  }

  #take(reference: string, content: Buffer, move: number): void {
    if (this.decided.has(reference)) return;
    const isRejected = move === 4;
    if (!isRejected) this.paid.set(reference, content.toString());
    this.decided.set(reference, [report('accepted', reference), report(isRejected ? 'rejected' : 'paid', reference)]);
  }

  /** In either order, and sometimes twice under another id. */
  #say(references: readonly string[]): Report[] {
    const move = this.#next() % 4;
    const all = references.flatMap((reference) => this.decided.get(reference) ?? []);
    const said = move === 1 ? [...all].reverse() : all;
    return move === 2 ? [...said, ...said.map((one) => ({ ...one, reportId: `${one.reportId}.2` }))] : said;
  }
}

/** Works until the order is completed. Each failed payout is tried again. */
async function playOut(acting: PayoutVerbs, order: Order): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    await letTimePass(running);
    await run(acting);
    const status = await statusOf(order);
    if (status === 'COMPLETED') return;
    if (status === 'PAYOUT_FAILED') await submitPayout(acting, await orderOf(running, order.orderId), 'played');
  }
}

/** Every payment as it was sent, by reference: one text for each means that all repetitions were identical. */
function contentsOf(batches: readonly Batch[]): Map<string, Set<string>> {
  const contents = new Map<string, Set<string>>();
  for (const { reference, content } of batches.flatMap(({ payments }) => payments)) {
    contents.set(reference, (contents.get(reference) ?? new Set()).add(content.toString()));
  }
  return contents;
}

describe('whatever a rail does', { timeout: 600_000 }, () => {
  it('makes at most one payment for all references of an order, and the order says what happened', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(11), { minLength: 0, maxLength: 14 }), async (moves) => {
        await sql.query(`UPDATE payout_attempts SET due_at = NULL`);
        const hostile = new HostileRail('played');
        const acting = await payoutVerbs(running.service.database, [hostile]);
        const order = await submitted(running, acting, { rail: 'played' });
        hostile.moves = [...moves];
        await playOut(acting, order);
        expect(await statusOf(order)).toBe('COMPLETED');
        expect(hostile.paid.size).toBe(1);
        for (const texts of contentsOf(hostile.batches).values()) expect(texts.size).toBe(1);
      }),
      { numRuns: rounds(6, 200) },
    );
  });
});
