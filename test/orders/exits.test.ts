/**
 * Money that leaves by any exit but a payout: cancelled, expired, refused, tried again, from suspense. None leaves to
 * or for somebody who may be on a list. Every action that can need a second operator does.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { advanceJob } from '../../src/orders/order/transition.js';
import { sendJob } from '../../src/payouts/rail.js';
import type { Job } from '../../src/worker/worker.js';
import { newOperator, operatorToken } from '../harness/access.js';
import { type Answer, done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { type MadeUser, told } from '../harness/users.js';
import { declare } from '../payments/mismatches.js';
import { letTimePass } from '../payouts/payouts.js';
import { cancel, eventsOf, get, placed, samePerson, sender } from './orders.js';
import { balancesOf } from './paid-orders.js';

const jobs = new Map<string, Job>();
const running = useRemesa({
  settings: { FOUR_EYES: 'all' },
  hasRates: true,
  // Money waits where it is until a test lets it go.
  chooseJobs: (all) => {
    for (const job of all) jobs.set(job.name, job);
    return all.filter(({ name }) => name !== sendJob && name !== advanceJob);
  },
});
const { sql } = running;
const note = 'A test.';
/** On the list of the sandbox. */
const iris = { firstName: 'Iris Sanctia', lastName: 'Blockwell' };
let second = '';

beforeAll(async () => {
  await newOperator(running.database, 'the-second', 'admin');
  second = await operatorToken(running, 'the-second');
  // Paid orders stay as they are: their payout waits.
  const body = { kind: 'corridor', name: 'USD-MXN', note };
  done(await running.api.post('/operator/pauses', { token: running.admin, body }));
});

// biome-ignore lint/suspicious/noExplicitAny: answers as JSON, which the tests examine.
type Json = any;
interface Sent {
  readonly id: string;
  readonly user: MadeUser;
}

let keys = 0;
const nextKey = () => {
  keys += 1;
  return `exits-${keys}`;
};
const post = (path: string, body: object = {}, token = running.admin) =>
  running.api.post(`/operator/${path}`, { token, body, key: nextKey() });
const statusOf = async ({ id }: Pick<Sent, 'id'>): Promise<string> => (await get(running, id)).json.status;
const stateOf = async ({ id }: Pick<Sent, 'id'>): Promise<string> =>
  (await sql.query('SELECT state FROM orders WHERE order_id = $1', [id])).rows[0].state;
const fileOf = async ({ id }: Pick<Sent, 'id'>): Promise<Json> =>
  done(await running.api.get(`/operator/orders/${id}/review`, { token: running.admin }));
const decide = async (sent: Sent, verb: string, more: object = {}): Promise<Answer> =>
  post(`orders/${sent.id}/${verb}`, { note, version: (await fileOf(sent)).version, ...more });
const happens = (type: string) =>
  async function event({ id }: Sent): Promise<Answer> {
    return running.api.post(`/sandbox/orders/${id}/events`, { token: running.acme.token, body: { type } });
  };
const payIn = async (body: object): Promise<Json> =>
  done(await running.api.post('/sandbox/payments', { token: running.acme.token, body }));

/** The second operator approves what the first has asked for. */
async function byTwo(asked: Answer): Promise<Json> {
  expect(asked.status, asked.text).toBe(202);
  return done(await running.api.post(`/operator/approvals/${asked.json.approvalId}/approve`, { token: second }));
}

/** Every order moves on as far as it goes, and everything that may be sent is sent. */
async function work(): Promise<void> {
  await sql.query('UPDATE orders SET try_at = NULL WHERE try_at IS NOT NULL');
  await letTimePass(running);
  for (const name of [advanceJob, sendJob]) await jobs.get(name)?.run(AbortSignal.timeout(60_000));
}

/** From now on the sender has the name of somebody who is listed. */
async function isListed({ user }: Sent): Promise<void> {
  const { token } = running.acme;
  done(await running.api.call('PATCH', `/user?userId=${user.id}`, { token, body: iris }));
}

async function unpaid(): Promise<Sent> {
  const user = await sender(running);
  const { id } = await placed(running, user);
  return { id, user };
}
async function partPaid(): Promise<Sent> {
  const sent = await unpaid();
  await payIn({ orderId: sent.id, amount: 40 });
  return sent;
}
async function paid(): Promise<Sent> {
  const sent = await unpaid();
  await payIn({ orderId: sent.id });
  return sent;
}
const following =
  (begin: () => Promise<Sent>, ...acts: ((sent: Sent) => Promise<unknown>)[]) =>
  async (): Promise<Sent> => {
    const sent = await begin();
    for (const act of acts) await act(sent);
    return sent;
  };
const cancelled = (sent: Sent) => cancel(running, sent.id);
const asked = (sent: Sent) => post(`orders/${sent.id}/request-information`, { note, items: ['purpose'] });
const referred = (sent: Sent) => post(`orders/${sent.id}/refer`, { note });
const refused = (sent: Sent) => decide(sent, 'refuse', { reason: 'other' });
const nothing = async () => {};

/** What has been sent for the order or from suspense for it, or may be sent by whoever looks at it. */
async function leaving({ id }: Sent): Promise<Json[]> {
  const { rows } = await sql.query(
    `SELECT state FROM payout_attempts
      WHERE (order_id = $1 OR suspense_id IN (SELECT suspense_id FROM suspense_records WHERE order_id = $1))
        AND (message_id IS NOT NULL OR state NOT IN ('RECALLED', 'REJECTED'))`,
    [id],
  );
  return rows.map(({ state }) => state);
}

async function hitOf({ user }: Sent): Promise<string> {
  const path = `/operator/screening/hits?userId=${user.id}`;
  const [hit] = (await running.api.get(path, { token: running.admin })).json;
  return hit.id;
}
/** Blocks the person behind the sender, and waits until what is there is frozen. */
async function blocked({ user }: Sent): Promise<Json> {
  const block = done(await post('blocks', { kind: 'person', merchant: 'acme', userId: user.id, reason: note }));
  await applied(block);
  return block;
}
/** Everything that was there is frozen. */
async function applied({ blockId }: Json): Promise<void> {
  const text = 'SELECT FROM blocks WHERE block_id = $1 AND applied_at IS NOT NULL';
  await eventually(async () => (await sql.query(text, [blockId])).rowCount === 1, { what: 'the block applied' });
}
/** The name is exactly the one that is listed, so that two decide. */
const dismiss = async (sent: Sent) => byTwo(await post(`screening/hits/${await hitOf(sent)}/dismiss`, { note }));
const confirm = async (sent: Sent) => done(await post(`screening/hits/${await hitOf(sent)}/confirm`, { note }));

const exits: Record<string, { begin: () => Promise<Sent>; leave: (sent: Sent) => Promise<unknown> }> = {
  'the cancellation of a paid order': { begin: paid, leave: cancelled },
  'the cancellation of an order that was paid in part': { begin: partPaid, leave: cancelled },
  'the end of the time to pay': { begin: partPaid, leave: happens('time_ran_out') },
  'the end of the time to answer': { begin: following(paid, asked), leave: happens('time_ran_out') },
  'the cancellation of an order that waits for information': {
    begin: following(paid, asked, cancelled),
    leave: nothing,
  },
  'a refund that an operator decides': {
    begin: following(paid, asked),
    leave: (sent) => decide(sent, 'refund', { reason: 'operator' }),
  },
  'a refusal': { begin: following(paid, referred), leave: refused },
  'a refund that waits to be sent': { begin: following(paid, cancelled), leave: nothing },
};

describe.each(Object.entries(exits))('%s', (_name, { begin, leave }) => {
  it('does not let money go back to a sender who is listed meanwhile, and tells nobody why', async () => {
    const sent = await begin();
    await isListed(sent);
    await leave(sent);
    await work();
    expect(await statusOf(sent)).toBe('IN_REVIEW');
    expect(await leaving(sent)).toEqual([]);
    const file = await fileOf(sent);
    expect(file.reasons).toEqual(['sender_match']);
    expect(file.findings.hits).toEqual([await hitOf(sent)]);
    const seen = JSON.stringify([(await get(running, sent.id)).json, await eventsOf(running, sent.id)]);
    expect(seen).not.toMatch(/hit_|screen|match/i);
    // No operator lets it go while nobody has decided the hit.
    for (const verb of ['approve', 'refuse'])
      expect(told(await decide(sent, verb, verb === 'refuse' ? { reason: 'other' } : {}))[0]).toBe(409);
    await work();
    expect(await leaving(sent)).toEqual([]);
  });

  it('does not let money go back to a sender who was blocked, until two people lift the block', async () => {
    const sent = await begin();
    const { blockId } = await blocked(sent);
    await leave(sent);
    await work();
    expect(await statusOf(sent)).toBe('IN_REVIEW');
    expect(await leaving(sent)).toEqual([]);
    const seen = JSON.stringify([(await get(running, sent.id)).json, await eventsOf(running, sent.id)]);
    expect(seen).not.toMatch(/blk_|block|frozen|freeze/i);
    await byTwo(await post(`orders/${sent.id}/release`, { note }));
    for (const verb of ['approve', 'refuse'])
      expect(told(await decide(sent, verb, verb === 'refuse' ? { reason: 'other' } : {}))[0]).toBe(409);
    await byTwo(await post(`blocks/${blockId}/lift`, { note }));
    expect((await running.api.get('/operator/blocks', { token: running.viewer })).text).not.toContain(blockId);
    // A refund that was under way goes on with an approval.
    const refusal = await decide(sent, 'refuse', { reason: 'other' });
    await byTwo(refusal.status === 409 ? await decide(sent, 'approve') : refusal);
    await work();
    await work();
    expect(await statusOf(sent)).toBe('REFUNDED');
  });
});

describe('the block list', () => {
  it('stops what came after the block too, at every exit, and any user who showed the document', async () => {
    const sent = await unpaid();
    await samePerson(running, 'STOLEN 1', [[running.acme, sent.user]]);
    await applied(done(await post('blocks', { kind: 'document', country: 'MX', value: 'stolen-1', reason: note })));
    await payIn({ orderId: sent.id });
    await cancelled(sent);
    await work();
    expect(await statusOf(sent)).toBe('IN_REVIEW');
    expect(await leaving(sent)).toEqual([]);
    const [rule] = (await fileOf(sent)).findings.rules;
    expect(rule).toMatchObject({ rule: 'blocked', explanation: expect.stringContaining('block list') });
  });

  it('shows the person behind a user, found by whatever is known, and shown with an entry in the audit log', async () => {
    const sent = await paid();
    const there = await sender(running, running.rival);
    await samePerson(running, 'FIND 1', [
      [running.acme, sent.user],
      [running.rival, there],
    ]);
    const search = async (body: object) => {
      const found = done(await running.api.post('/operator/users/search', { token: running.reviewer, body }));
      return found.map(({ merchant, userId }: Json) => [merchant, userId]);
    };
    const [here, other] = [
      ['acme', sent.user.id],
      ['rival', there.id],
    ];
    const passport = { documentCountry: 'MX', documentNumber: 'find-1' };
    expect(await search(passport)).toEqual([here, other]);
    expect(await search({ ...passport, account: '032 180 0001 1835 9719' })).toEqual([here]);
    expect(await search({ ...passport, email: 'nobody@example.com' })).toEqual([]);
    expect((await search({ name: 'NUNEZ  reyes, Ana' })).map(([, id]: Json[]) => id)).toContain(there.id);
    const incomplete = { token: running.reviewer, body: { documentNumber: 'F1' } };
    expect(told(await running.api.post('/operator/users/search', incomplete))).toEqual([400, 'invalid_fields']);
    const { blockId } = await blocked(sent);
    const path = `/operator/users/${sent.user.id}?merchant=acme`;
    const file = done(await running.api.get(path, { token: running.reviewer }));
    expect(file).toMatchObject({
      ...{ profile: { firstName: 'Ana' }, isDeleted: false, limits: { kycLevel: 'LEVEL_1' }, blocks: [blockId] },
      orders: [{ id: sent.id, state: 'FROZEN', amountIn: '100 USD', payoutCountry: 'MX' }],
      ...{
        samePerson: [{ merchant: 'rival', userId: there.id }],
        cases: [{ kycLevel: 'LEVEL_1', status: 'APPROVED' }],
      },
    });
    expect((await running.api.get(path, { token: running.viewer })).status).toBe(403);
    expect(
      told(await running.api.get(`/operator/users/${there.id}?merchant=acme`, { token: running.reviewer })),
    ).toEqual([404, 'user_not_found']);
    const looked = await sql.query(
      `SELECT details::text FROM changes WHERE action IN ('user.looked_at', 'person.searched')`,
    );
    expect(looked.rows.length).toBeGreaterThan(4);
    expect(JSON.stringify(looked.rows)).not.toMatch(/find|1835|ana/i);
  });

  it('keeps what was entered sealed, shows it to reviewers with an entry in the audit log, and refuses what says nothing', async () => {
    const body = { kind: 'phone', value: '+52 (55) 9876-5432', reason: 'Seen in a scam.' };
    const block = done(await post('blocks', body));
    expect(block).toMatchObject({
      kind: 'phone',
      merchant: null,
      userId: null,
      state: 'active',
      blockedBy: 'the-admin',
    });
    const stored = JSON.stringify((await sql.query('SELECT * FROM blocks')).rows);
    expect(stored).not.toMatch(/9876|scam/);
    expect((await running.api.get('/operator/blocks?limit=200', { token: running.viewer })).text).not.toMatch(
      /9876|scam/,
    );
    const path = `/operator/blocks/${block.blockId}`;
    expect((await running.api.get(path, { token: running.viewer })).status).toBe(403);
    expect(done(await running.api.get(path, { token: running.reviewer }))).toMatchObject({
      ...{ value: body.value, reason: body.reason, liftedBecause: null },
    });
    const { rows } = await sql.query(`SELECT action FROM changes WHERE subject = $1 ORDER BY recorded_at`, [
      `block:${block.blockId}`,
    ]);
    expect(rows.map(({ action }) => action)).toEqual(['block.created', 'block.looked_at']);
    for (const nothing of [{ kind: 'person' }, { kind: 'account', value: '--' }, { kind: 'document', value: '-' }])
      expect(told(await post('blocks', { ...nothing, reason: note }))).toEqual([400, 'invalid_fields']);
    expect(told(await post('blocks/blk_7ZQ4M1K8V2T9X5B3N6H0C7D2FW/lift', { note }))).toEqual([404, 'block_not_found']);
  });
});

it('lets the money go back once the hit is dismissed and the review approved', async () => {
  const sent = await following(paid, isListed, cancelled)();
  expect((await get(running, sent.id)).json).toMatchObject({
    ...{ status: 'IN_REVIEW', pendingReason: 'review', statusReason: null },
    cancellationRequestedAt: expect.any(String),
  });
  await dismiss(sent);
  expect((await decide(sent, 'approve')).json).toMatchObject({ state: 'REFUND_PENDING' });
  await work();
  expect(await statusOf(sent)).toBe('REFUNDED');
});

it('a refund that failed is not tried again for a sender who is listed meanwhile', async () => {
  const sent = await following(paid, cancelled, work)();
  expect(await statusOf(sent)).toBe('REFUNDED');
  done(await happens('refund_returned')(sent));
  await isListed(sent);
  const retried = await decide(sent, 'retry-refund');
  expect(retried.json, retried.text).toMatchObject({ state: 'IN_REVIEW', reasons: ['sender_match'] });
  await work();
  expect(await leaving(sent)).toEqual(['RETURNED']);
});

describe('a confirmed hit', () => {
  it('freezes every order with money and what came besides, withdraws what was not sent, and is not told', async () => {
    const sent = await following(paid)();
    const { user } = sent;
    const [unpaidOne, part, refunding, excess] = await Promise.all(
      ['unpaid', 'part', 'refunding', 'excess'].map(async () => ({ user, id: (await placed(running, user)).id })),
    );
    if (!unpaidOne || !part || !refunding || !excess) throw new Error('four orders were placed');
    await payIn({ orderId: part.id, amount: 40 });
    await payIn({ orderId: refunding.id });
    await cancelled(refunding);
    const over = await payIn({ orderId: excess.id, amount: 130 });
    await isListed(sent);
    await cancelled(sent);
    await confirm(sent);
    const states = [];
    for (const one of [sent, unpaidOne, part, refunding, excess])
      states.push([await stateOf(one), await statusOf(one)]);
    const frozen = ['FROZEN', 'IN_REVIEW'];
    expect(states).toEqual([frozen, ['AWAITING_PAYMENT', 'AWAITING_PAYMENT'], frozen, frozen, frozen]);
    const [record] = (await sql.query('SELECT * FROM suspense_records WHERE payment_id = $1', [over.id])).rows;
    expect(record).toMatchObject({ state: 'FROZEN', remaining_minor: '3000' });
    for (const [one, minor] of [
      [sent, 10_000],
      [part, 4_000],
      [refunding, 10_000],
    ] as const)
      expect(await balancesOf(running, one.id)).toEqual({ 'frozen:USD': -minor });
    expect(await balancesOf(running, record.suspense_id)).toEqual({ 'frozen:USD': -3_000 });
    const listed = await running.api.get('/operator/orders?state=FROZEN&limit=200', { token: running.viewer });
    expect(listed.text).toContain(part.id);
    for (const one of [sent, part, refunding]) {
      const seen = JSON.stringify([(await get(running, one.id)).json, await eventsOf(running, one.id)]);
      expect(seen).not.toMatch(/hit_|screen|frozen|freeze|compliance/i);
      expect(await leaving(one)).toEqual([]);
    }
  });

  it('lets money go back only after two people released it and two people refused the review', async () => {
    const sent = await following(paid, isListed, cancelled, confirm)();
    expect(await stateOf(sent)).toBe('FROZEN');
    expect(told(await decide(sent, 'refuse', { reason: 'compliance' }))).toEqual([409, 'order_transition_not_allowed']);
    await byTwo(await post(`orders/${sent.id}/release`, { note }));
    await work();
    expect(await stateOf(sent)).toBe('IN_REVIEW');
    await byTwo(await decide(sent, 'refuse', { reason: 'compliance' }));
    await work();
    await work();
    expect(await statusOf(sent)).toBe('REFUNDED');
  });

  it('lets a refund go on only after two people released it and two people approved the review', async () => {
    const sent = await following(paid, cancelled, isListed, work, confirm)();
    expect(await stateOf(sent)).toBe('FROZEN');
    await byTwo(await post(`orders/${sent.id}/release`, { note }));
    await byTwo(await decide(sent, 'approve'));
    await work();
    expect(await statusOf(sent)).toBe('REFUNDED');
  });
});

describe('a payer who is listed', () => {
  const paidByIris = async (): Promise<Sent> => {
    const sent = await unpaid();
    await payIn({ orderId: sent.id, payerName: 'Iris Sanctia Blockwell' });
    return sent;
  };

  it('stops the order with an explanation, and gets the money back only if two operators decide so', async () => {
    const sent = await paidByIris();
    await work();
    const file = await fileOf(sent);
    expect(file.reasons).toEqual(['payer_match', 'rule']);
    expect(file.findings).toMatchObject({
      ...{ hits: [], beneficiaryMatches: [] },
      payerMatches: [{ list: 'sandbox', entryId: 'TEST-1', subjectName: 'Iris Sanctia Blockwell', isStrong: true }],
    });
    expect(file.findings.payerMatches[0].reasons.length).toBeGreaterThan(0);
    await byTwo(await decide(sent, 'refuse', { reason: 'other' }));
    await work();
    await work();
    expect(await statusOf(sent)).toBe('REFUNDED');
  });

  it('does not get the money back because the sender cancels', async () => {
    const sent = await following(paidByIris, cancelled)();
    await work();
    expect(await statusOf(sent)).toBe('IN_REVIEW');
    expect((await fileOf(sent)).reasons).toEqual(['payer_match']);
    expect(await leaving(sent)).toEqual([]);
    await byTwo(await decide(sent, 'approve'));
    await work();
    expect(await statusOf(sent)).toBe('REFUNDED');
  });

  it('is not the sender whose hit was dismissed, who pays from an account of the same name', async () => {
    const sent = await following(unpaid, isListed)();
    await payIn({ orderId: sent.id, payerName: 'BLOCKWELL IRIS SANCTIA' });
    await cancelled(sent);
    expect((await fileOf(sent)).reasons).toEqual(['sender_match']);
    await dismiss(sent);
    await decide(sent, 'approve');
    await work();
    expect(await statusOf(sent)).toBe('REFUNDED');
  });
});

describe('money in suspense', () => {
  const recordOf = async (paymentId: string): Promise<Json> => {
    const { rows } = await sql.query('SELECT suspense_id FROM suspense_records WHERE payment_id = $1', [paymentId]);
    return fileOfRecord(rows[0].suspense_id);
  };
  const fileOfRecord = async (id: string): Promise<Json> =>
    done(await running.api.get(`/operator/suspense/${id}`, { token: running.admin }));
  const act = ({ id, version }: Json, verb: string, more: object = {}): Promise<Answer> =>
    post(`suspense/${id}/${verb}`, verb === 'freeze' ? { note } : { note, version, ...more });
  /** Money for an order that was cancelled, which the policy sends back. */
  const late = async (sent: Sent, payerName: string): Promise<Json> =>
    recordOf((await payIn({ orderId: sent.id, amount: 100, payerName })).id);

  beforeAll(async () => {
    await declare(running, { afterEnd: 'refund', over: 'refund', duplicate: 'refund' });
  });

  it('goes back by itself to a payer who is on no list, and stays for a person when the payer may be', async () => {
    const sent = await following(unpaid, cancelled)();
    const clean = await late(sent, 'Ana Reyes Núñez');
    expect(clean.screening.isBlocked).toBe(false);
    expect(clean).toMatchObject({ state: 'REFUND_PENDING', screening: { hits: [], matches: [] } });
    const found = await late(sent, 'Iris Sanctia Blockwell');
    expect(found).toMatchObject({ state: 'OPEN', screening: { areListsUsable: true, isOrderFrozen: false } });
    expect(found.screening.matches[0]).toMatchObject({ entryId: 'TEST-1', subjectName: 'Iris Sanctia Blockwell' });
    await byTwo(await act(found, 'return'));
    await work();
    expect((await fileOfRecord(found.id)).state).toBe('RETURNED');
  });

  it('does not go back while the user of its order is blocked', async () => {
    const sent = await following(unpaid, cancelled)();
    const pending = await late(sent, 'Ana Reyes Núñez');
    expect(pending.state).toBe('REFUND_PENDING');
    await blocked(sent);
    await work();
    expect(await fileOfRecord(pending.id)).toMatchObject({ state: 'FROZEN' });
    const next = await late(sent, 'Ana Reyes Núñez');
    expect(next).toMatchObject({ state: 'OPEN', screening: { isBlocked: true } });
    expect((await act(next, 'return')).json).toMatchObject({ code: 'suspense_blocked', obstacle: 'blocked' });
  });

  it('does not go back while a hit of the user is open, and is withdrawn when one is found before it is sent', async () => {
    const sent = await following(unpaid, cancelled)();
    const pending = await late(sent, 'Ana Reyes Núñez');
    expect(pending.state).toBe('REFUND_PENDING');
    const other = { user: sent.user, id: (await placed(running, sent.user)).id };
    await payIn({ orderId: other.id });
    await isListed(sent);
    await cancelled(other);
    await work();
    const withdrawn = await fileOfRecord(pending.id);
    expect(withdrawn).toMatchObject({ state: 'OPEN', screening: { hits: [await hitOf(sent)] } });
    expect(told(await act(withdrawn, 'return'))).toEqual([409, 'suspense_blocked']);
    await confirm(other);
    const frozen = await fileOfRecord(pending.id);
    expect(frozen.state).toBe('FROZEN');
    expect(told(await act(frozen, 'return'))).toEqual([409, 'suspense_transition_not_allowed']);
    await byTwo(await act(frozen, 'release'));
    await byTwo(await act(await fileOfRecord(pending.id), 'return'));
    await work();
    expect((await fileOfRecord(pending.id)).state).toBe('RETURNED');
    expect(frozen.history.map(({ event }: Json) => event)).toEqual(['return', 'withdraw', 'freeze']);
  });

  it('can be withdrawn, frozen and taken back by the bank until somebody was instructed to pay it', async () => {
    const sent = await following(unpaid, cancelled)();
    const pending = await late(sent, 'Ana Reyes Núñez');
    const open = done(await act(pending, 'withdraw'));
    expect(open).toMatchObject({ state: 'OPEN', remaining: 100 });
    expect(await balancesOf(running, pending.id)).toEqual({ 'suspense:USD': -10_000 });
    const frozen = done(await act(done(await act(open, 'return')), 'freeze'));
    expect(frozen).toMatchObject({ state: 'FROZEN', remaining: 100 });
    expect(await balancesOf(running, pending.id)).toEqual({ 'frozen:USD': -10_000 });
    const listed = await running.api.get('/operator/suspense?state=FROZEN&limit=200', { token: running.viewer });
    expect(listed.text).toContain(pending.id);
    await byTwo(await act(frozen, 'release'));
    const again = done(await act(await fileOfRecord(pending.id), 'return'));
    const line = { bankReference: nextKey(), bookedAt: new Date().toISOString(), note, version: again.version };
    await byTwo(await post(`payments/${pending.paymentId}/corrections/clawback`, line));
    expect((await fileOfRecord(pending.id)).state).toBe('CLAWED_BACK');
    expect(await balancesOf(running, pending.id)).toEqual({});
    const sentOff = await late(sent, 'Ana Reyes Núñez');
    await work();
    for (const verb of ['withdraw', 'freeze'])
      expect(told(await act(await fileOfRecord(sentOff.id), verb))).toEqual([409, 'suspense_transition_not_allowed']);
  });
});

/** What somebody alone can do, or time, with an order whose sender is listed. */
const alone: Record<string, (sent: Sent) => Promise<unknown>> = {
  cancel: cancelled,
  pay: ({ id }) => running.api.post('/sandbox/payments', { token: running.acme.token, body: { orderId: id } }),
  'pay too much': ({ id }) =>
    running.api.post('/sandbox/payments', { token: running.acme.token, body: { orderId: id, amount: 130 } }),
  'time runs out': happens('time_ran_out'),
  answer: ({ id }) => {
    const body = { answers: [{ code: 'purpose', answer: 'A gift.' }] };
    return running.api.post(`/orders/${id}/information`, { token: running.acme.token, body });
  },
  ask: asked,
  refer: referred,
  freeze: ({ id }) => post(`orders/${id}/freeze`, { note }),
  release: ({ id }) => post(`orders/${id}/release`, { note }),
  refuse: refused,
  approve: (sent) => decide(sent, 'approve'),
  refund: (sent) => decide(sent, 'refund', { reason: 'operator' }),
  'retry the refund': (sent) => decide(sent, 'retry-refund'),
  'return from suspense': async ({ id }) => {
    const { rows } = await sql.query('SELECT suspense_id, version FROM suspense_records WHERE order_id = $1', [id]);
    for (const { suspense_id, version } of rows) await post(`suspense/${suspense_id}/return`, { note, version });
  },
  confirm: async (sent) => {
    const path = `/operator/screening/hits?userId=${sent.user.id}`;
    for (const { id } of (await running.api.get(path, { token: running.admin })).json)
      await post(`screening/hits/${id}/confirm`, { note });
  },
  work,
};
const verbs = fc.constantFrom(...Object.keys(alone));

it('whatever anybody alone and time do, nothing is sent to or for a sender who is listed', async () => {
  await declare(running, { afterEnd: 'refund', over: 'refund', duplicate: 'refund', short: 'wait' });
  const story = fc.record({
    begin: fc.constantFrom(
      partPaid,
      paid,
      following(paid, asked),
      following(paid, referred),
      following(paid, cancelled),
    ),
    steps: fc.array(verbs, { minLength: 3, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(story, async ({ begin, steps }) => {
      const sent = await begin();
      await isListed(sent);
      for (const step of steps) await alone[step]?.(sent);
      await work();
      await work();
      const { rows } = await sql.query(
        `SELECT state FROM payout_attempts
          WHERE (order_id = $1 OR suspense_id IN (SELECT suspense_id FROM suspense_records WHERE order_id = $1))
            AND message_id IS NOT NULL`,
        [sent.id],
      );
      expect(rows).toEqual([]);
    }),
    { numRuns: rounds(12, 400), seed: rounds(3, Math.floor(Math.random() * 2 ** 31)) },
  );
});

it('a refund because of compliance looks like any other to the merchant', async () => {
  const reasons = [];
  for (const reason of ['operator', 'compliance']) {
    const sent = await following(paid, asked)();
    expect((await decide(sent, 'refund', { reason })).json.state).toBe('REFUND_PENDING');
    const { statusReason, refunds } = (await get(running, sent.id)).json;
    reasons.push([statusReason, refunds[0].reason]);
  }
  expect(reasons[1]).toEqual(reasons[0]);
});
