/** Payments through our own bank: they are collected, released by people, and leave in one file. */
import { createHash } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditRows } from '../harness/access.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { get, operate } from '../orders/orders.js';
import {
  bankFolder,
  batchesOf,
  batchOf,
  batchWith,
  filesTo,
  mainEur,
  openMainEur,
  orderToHans,
  reachesState,
  referenceOf,
  release,
} from './batches.js';

const folder = newFolder();
const running = useRemesa({ settings: bankFolder(folder), hasRates: true });
const { sql } = running;

beforeAll(() => openMainEur(running));

const tasks = async (kind: string) =>
  (await running.api.get(`/operator/tasks?kind=${kind}`, { token: running.viewer })).json;
const stateOf = async (orderId: string) =>
  (await sql.query('SELECT state FROM payout_attempts WHERE order_id = $1 ORDER BY number DESC', [orderId])).rows[0]
    .state;

describe('a batch', () => {
  it('leaves in one file that says what its payments say, stored with its hash before it leaves', async () => {
    const [first, second] = [await orderToHans(running), await orderToHans(running, { lastName: 'Øst' })];
    const { id } = await batchWith(running, first);
    expect((await batchWith(running, second)).id).toBe(id);
    const closed = await running.api.post(`/operator/bank/batches/${id}/close`, { token: running.reviewer });
    expect(closed.json).toMatchObject({ state: 'WAITING', paymentCount: 2, currency: 'EUR', accountId: 'main-eur' });
    expect((await tasks('bank_batch')).map((task: { id: string }) => task.id)).toEqual([`bank_batch.${id}`]);
    expect(filesTo(folder).size).toBe(0);
    const body = { version: closed.json.version };
    await running.api.post(`/operator/bank/batches/${id}/release`, { token: running.reviewer, body });
    await reachesState(running, id, 'SENT');
    const batch = await batchOf(running, id);
    const text = filesTo(folder).get(batch.fileName) ?? '';
    expect(createHash('sha256').update(text).digest('hex')).toBe(batch.fileHash);
    for (const part of [
      `<MsgId>${batch.messageId}</MsgId>`,
      `<EndToEndId>${referenceOf(first)}</EndToEndId>`,
      `<EndToEndId>${referenceOf(second)}</EndToEndId>`,
      `<CtrlSum>${batch.sum}</CtrlSum>`,
      '<Nm>Juergen Gross</Nm>',
      '<IBAN>DE89370400440532013000</IBAN>',
      `<ReqdExctnDt><Dt>${batch.executionDay}</Dt></ReqdExctnDt>`,
    ])
      expect(text).toContain(part);
    expect([await stateOf(first), await stateOf(second)]).toEqual(['ACCEPTED', 'ACCEPTED']);
    expect((await auditRows(sql, 'bank_batch.release')).at(-1)).toMatchObject({ subject: `bank_batch:${id}` });
    expect(await tasks('bank_batch')).toEqual([]);
  });

  it('loses a payment whose order was put under review, and leaves without it', async () => {
    const [kept, withdrawn] = [await orderToHans(running), await orderToHans(running)];
    const { id } = await batchWith(running, withdrawn);
    await operate(running, withdrawn, 'refer', { note: 'Look at it.' });
    await release(running, id);
    await reachesState(running, id, 'SENT');
    const { fileName, payments, paymentCount } = await batchOf(running, id);
    expect(paymentCount).toBe(1);
    const left = new Map(payments.map((payment: { reference: string }) => [payment.reference, payment]));
    expect(left.get(referenceOf(withdrawn))).toMatchObject({ hasLeft: true });
    expect(filesTo(folder).get(fileName)).not.toContain(referenceOf(withdrawn));
    expect(filesTo(folder).get(fileName)).toContain(referenceOf(kept));
    expect((await get(running, withdrawn)).json.status).toBe('IN_REVIEW');
  });

  it('leaves a paused payment for the next batch, and ends empty without payments', async () => {
    const order = await orderToHans(running);
    const { id } = await batchWith(running, order);
    const pause = { kind: 'corridor', name: 'USD-EUR', note: 'A test.' };
    const { api, admin: token } = running;
    await api.post('/operator/pauses', { token, body: pause });
    await release(running, id);
    await reachesState(running, id, 'EMPTY');
    expect(await stateOf(order)).toBe('READY');
    await api.post('/operator/pauses/resume', { token, body: { kind: 'corridor', name: 'USD-EUR' } });
    await sql.query(`UPDATE payout_attempts SET due_at = now() WHERE order_id = $1`, [order]);
    expect((await batchWith(running, order)).id).not.toBe(id);
  });

  it('cannot be released twice, at another version, or while it collects', async () => {
    const order = await orderToHans(running);
    const { id, version } = await batchWith(running, order);
    const { api, reviewer: token } = running;
    const path = `/operator/bank/batches/${id}`;
    const ask = (asked: number) => api.post(`${path}/release`, { token, body: { version: asked } });
    expect(told(await ask(version))).toEqual([409, 'bank_batch_not_waiting']);
    const closed = await api.post(`${path}/close`, { token });
    expect(told(await api.post(`${path}/close`, { token }))).toEqual([409, 'bank_batch_closed']);
    expect(told(await ask(version))).toEqual([409, 'version_conflict']);
    expect((await ask(closed.json.version)).json.state).toBe('RELEASED');
    await reachesState(running, id, 'SENT');
    expect(told(await ask((await batchOf(running, id)).version))).toEqual([409, 'bank_batch_not_waiting']);
    expect(await batchesOf(running, 'SENT')).toContainEqual(expect.objectContaining({ id }));
  });

  it('goes on at once when an operator tries it again, with the same bytes', async () => {
    const order = await orderToHans(running);
    const { id } = await batchWith(running, order);
    const { api, reviewer: token } = running;
    const path = `/operator/bank/batches/${id}/retry`;
    expect(told(await api.post(path, { token }))).toEqual([409, 'bank_batch_not_under_way']);
    // A file stands where the folder of the bank should be.
    renameSync(join(folder, 'out'), join(folder, 'away'));
    writeFileSync(join(folder, 'out'), '');
    await release(running, id);
    const failures = async () =>
      (await sql.query('SELECT failures FROM bank_outgoing_files WHERE sent_at IS NULL')).rows[0]?.failures;
    await eventually(async () => (await failures()) === 1, { what: 'the failure' });
    rmSync(join(folder, 'out'));
    renameSync(join(folder, 'away'), join(folder, 'out'));
    const { fileName, fileHash } = await batchOf(running, id);
    done(await api.post(path, { token }));
    await reachesState(running, id, 'SENT');
    expect(
      createHash('sha256')
        .update(filesTo(folder).get(fileName) ?? '')
        .digest('hex'),
    ).toBe(fileHash);
  });

  it('is not written when somebody else has changed its row', async () => {
    const order = await orderToHans(running);
    const { id } = await batchWith(running, order);
    const text = `UPDATE bank_batches SET state = 'RELEASED', released_at = now() WHERE batch_id = $1`;
    await sql.query(text, [id]);
    await eventually(() => running.logText().includes(id), { what: 'the log of the fault' });
    expect([...filesTo(folder).values()].join()).not.toContain(referenceOf(order));
    expect(await stateOf(order)).toBe('READY');
  });
});

describe('a payment that no account can make', () => {
  it('joins no batch, and is a task that says what is missing until an account can', async () => {
    const { accountId: _, currency: __, ...terms } = mainEur;
    const path = '/operator/bank/accounts/main-eur';
    const use = async (version: number, uses: string[]) =>
      done(await running.api.call('PUT', path, { token: running.admin, body: { ...terms, uses, version } }));
    await use(1, []);
    const order = await orderToHans(running);
    const found = await eventually(async () => (await tasks('bank_payment_unfit'))[0], { what: 'the task' });
    expect(found.summary).toBe('Make a payment fit for the bank: no bank account pays out EUR.');
    expect(await stateOf(order)).toBe('READY');
    await use(2, ['payout']);
    await sql.query(`UPDATE payout_attempts SET due_at = now() WHERE order_id = $1`, [order]);
    await batchWith(running, order);
    expect(await tasks('bank_payment_unfit')).toEqual([]);
  });
});
