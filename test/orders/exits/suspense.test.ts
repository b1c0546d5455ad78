/** Money in suspense goes back to nobody who may be on a list. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, done } from '../../harness/api.js';
import { told } from '../../harness/users.js';
import { declare } from '../../payments/mismatches.js';
import { placed } from '../orders.js';
import { balancesOf } from '../paid-orders.js';
import { following, type Json, note, type Sent, useExits } from './exits.js';

const { running, nextKey, post, payIn, byTwo, work, isListed, unpaid, cancelled, hitOf, block, blocked, confirm } =
  useExits();
const { sql } = running;

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

  it('does not go back for a sender who is listed meanwhile, of whom nothing was found yet, unless two decide so', async () => {
    const sent = await following(unpaid, cancelled)();
    const pending = await late(sent, 'Ana Reyes Núñez');
    expect(pending.state).toBe('REFUND_PENDING');
    await isListed(sent);
    await work();
    const withdrawn = await fileOfRecord(pending.id);
    expect(withdrawn).toMatchObject({ state: 'OPEN', screening: { hits: [] } });
    expect(withdrawn.screening.matches[0]).toMatchObject({ entryId: 'TEST-1' });
    expect((await late(sent, 'Ana Reyes Núñez')).state).toBe('OPEN');
    await byTwo(await act(withdrawn, 'return'));
    await work();
    expect((await fileOfRecord(pending.id)).state).toBe('RETURNED');
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

  it('does not go back to an account that two operators chose and that was blocked meanwhile', async () => {
    const sent = await following(unpaid, cancelled)();
    const recipient = { name: 'Ana Reyes', account: 'ES7921000813610123456789' };
    // The rail of the sandbox says that there is no such account.
    const { id } = await late(sent, 'Ana Invalid');
    await work();
    const found = await fileOfRecord(id);
    expect(found.state).toBe('REFUND_FAILED');
    await byTwo(await act(found, 'return', { recipient }));
    const added = await block({ kind: 'account', value: recipient.account });
    await work();
    expect((await fileOfRecord(found.id)).state).toBe('OPEN');
    await byTwo(await post(`blocks/${added.blockId}/lift`, { note }));
    // It goes to the account that paid again, and from there to the other one.
    done(await act(await fileOfRecord(found.id), 'return'));
    await work();
    await byTwo(await act(await fileOfRecord(found.id), 'return', { recipient }));
    await work();
    expect((await fileOfRecord(found.id)).state).toBe('RETURNED');
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
