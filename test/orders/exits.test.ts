/**
 * Money that leaves by any exit but a payout: cancelled, expired, refused, tried again. None leaves to or for somebody
 * who may be on a list. Every action that can need a second operator does.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { rounds } from '../harness/rounds.js';
import { told } from '../harness/users.js';
import { declare } from '../payments/mismatches.js';
import { following, note, nothing, type Sent, useExits } from './exits/exits.js';
import { eventsOf, get } from './orders.js';

const {
  running,
  nextKey,
  post,
  statusOf,
  stateOf,
  fileOf,
  decide,
  happens,
  payIn,
  byTwo,
  work,
  isListed,
  isExposed,
  unpaid,
  partPaid,
  paid,
  cancelled,
  asked,
  referred,
  refused,
  leaving,
  hitOf,
  blocked,
  dismiss,
} = useExits();
const { sql } = running;

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

it('lets money go back to a sender who is politically exposed: that freezes nothing', async () => {
  const sent = await paid();
  await isExposed(sent);
  await cancelled(sent);
  await work();
  await work();
  expect(await statusOf(sent)).toBe('REFUNDED');
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

it('an order that was refused and frozen stays refused when a bank takes one of its payments back', async () => {
  const sent = await partPaid();
  const { id: paymentId } = await payIn({ orderId: sent.id, amount: 60 });
  await referred(sent);
  await refused(sent);
  expect(await stateOf(sent)).toBe('REJECTED');
  done(await post(`orders/${sent.id}/freeze`, { note }));
  const { version } = (await sql.query('SELECT version FROM orders WHERE order_id = $1', [sent.id])).rows[0];
  const line = { bankReference: nextKey(), bookedAt: new Date().toISOString(), note, version };
  await byTwo(await post(`payments/${paymentId}/corrections/clawback`, line));
  expect(await stateOf(sent)).toBe('FROZEN');
  // What is missing comes once more: it does not make the order payable again.
  await payIn({ orderId: sent.id, amount: 60 });
  await byTwo(await post(`orders/${sent.id}/release`, { note }));
  await byTwo(await decide(sent, 'approve'));
  expect(await stateOf(sent)).toBe('REJECTED');
  await work();
  await work();
  expect((await get(running, sent.id)).json).toMatchObject({
    ...{ status: 'REFUNDED', statusReason: 'refused', amountReceived: 40, amountRefunded: 40 },
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

  it('money of a payer whose name nobody can compare goes back only if a person has compared it', async () => {
    const sent = await unpaid();
    await payIn({ orderId: sent.id, payerName: 'สมชาย ใจดี' });
    await cancelled(sent);
    await work();
    expect(await statusOf(sent)).toBe('IN_REVIEW');
    expect((await fileOf(sent)).findings.rules).toMatchObject([{ rule: 'unreadable_payer' }]);
    expect(await leaving(sent)).toEqual([]);
    done(await decide(sent, 'approve'));
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
