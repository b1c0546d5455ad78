/** The block list, and a confirmed hit: what is there is frozen, and what comes later is stopped. */
import { describe, expect, it } from 'vitest';
import { done } from '../../harness/api.js';
import { told } from '../../harness/users.js';
import { eventsOf, get, placed, samePerson, sender } from '../orders.js';
import { balancesOf } from '../paid-orders.js';
import { accountOf, following, type Json, note, type Sent, useExits } from './exits.js';

const {
  running,
  post,
  statusOf,
  stateOf,
  fileOf,
  decide,
  payIn,
  byTwo,
  work,
  isListed,
  unpaid,
  paid,
  happens,
  cancelled,
  leaving,
  block,
  blocked,
  applied,
  confirm,
} = useExits();
const { sql } = running;

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
    for (const change of ['DELETE FROM', 'TRUNCATE'].flatMap((verb) => [`${verb} block_marks`, `${verb} blocks`]))
      await expect(sql.query(change)).rejects.toThrow(/is not allowed|foreign key/);
    await expect(sql.query('UPDATE block_marks SET is_verified = false')).rejects.toThrow('is not allowed');
    for (const nothing of [{ kind: 'person' }, { kind: 'account', value: '--' }, { kind: 'document', value: '-' }])
      expect(told(await post('blocks', { ...nothing, reason: note }))).toEqual([400, 'invalid_fields']);
    expect(told(await post('blocks/blk_7ZQ4M1K8V2T9X5B3N6H0C7D2FW/lift', { note }))).toEqual([404, 'block_not_found']);
  });
});

describe('an account on the block list', () => {
  const other = { name: 'Ana Reyes', account: 'ES9121000418450200051332' };
  const failed = following(paid, cancelled, work, happens('refund_returned'));
  const redirected = async (sent: Sent) => byTwo(await decide(sent, 'retry-refund', { recipient: other }));
  const lifted = async ({ blockId }: Json) => byTwo(await post(`blocks/${blockId}/lift`, { note }));
  const isStopped = async (sent: Sent) => {
    await work();
    expect(await statusOf(sent)).toBe('IN_REVIEW');
    expect((await leaving(sent)).filter((state) => state !== 'RETURNED')).toEqual([]);
    expect((await fileOf(sent)).findings.rules.map(({ rule }: Json) => rule)).toContain('blocked');
  };

  it('an account that paid gets nothing back, whether it was blocked before the refund was decided or after', async () => {
    const [before, after] = [await paid(), await following(paid, cancelled)()];
    const added = [];
    for (const sent of [before, after]) added.push(await block({ kind: 'account', value: accountOf(sent) }));
    await cancelled(before);
    for (const sent of [before, after]) await isStopped(sent);
    for (const block of added) await lifted(block);
    for (const sent of [before, after]) {
      await decide(sent, 'approve');
      await work();
      expect(await statusOf(sent)).toBe('REFUNDED');
    }
  });

  it('an account that paid stops the payout too', async () => {
    const sent = await unpaid();
    await block({ kind: 'account', value: accountOf(sent) });
    await payIn({ orderId: sent.id });
    await isStopped(sent);
  });

  it('an account that two operators chose for a refund gets nothing, unsent or after a review', async () => {
    const waiting = await following(failed, redirected)();
    const added = await block({ kind: 'account', value: other.account });
    await isStopped(waiting);
    expect(told(await decide(waiting, 'approve'))).toEqual([200, undefined]);
    await isStopped(waiting);
    await lifted(added);
    await decide(waiting, 'approve');
    await work();
    expect(await statusOf(waiting)).toBe('REFUNDED');
  });

  it('an account whose holder may be on a list gets no refund until two operators clear that', async () => {
    const sent = await failed();
    const listed = { ...other, name: 'Iris Sanctia Blockwell' };
    await byTwo(await decide(sent, 'retry-refund', { recipient: listed }));
    expect(await fileOf(sent)).toMatchObject({ state: 'IN_REVIEW', reasons: ['payer_match'] });
    await byTwo(await decide(sent, 'approve'));
    await byTwo(await decide(sent, 'retry-refund', { recipient: listed }));
    await work();
    expect(await statusOf(sent)).toBe('REFUNDED');
  });
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
