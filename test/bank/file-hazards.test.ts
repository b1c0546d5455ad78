/** Files of banks and batches that somebody or something has spoiled: nothing moves by it, and the rest goes on. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { receivingJob } from '../../src/bank/transport/receiving.js';
import { operatorTokens } from '../harness/access.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import {
  bankFolder,
  batchOf,
  batchWith,
  mainEur,
  openMainEur,
  orderToHans,
  reachesState,
  referenceOf,
} from './batches.js';
import { type CamtEntry, type CamtStatement, camt } from './camt.js';

const [folder, otherFolder] = [newFolder(), newFolder()];
const connections = { BANK_CONNECTIONS: `main-eur=folder:${folder},other-eur=folder:${otherFolder}` };
const running = useRemesa({
  settings: bankFolder(folder, { ...connections, FOUR_EYES: 'bank_answer.apply,bank_batch.release' }),
  hasRates: true,
});
const { sql } = running;
let tokens = { rita: '', rob: '' };

beforeAll(async () => {
  // Automatic up to 100 euros a day, and one order is about 85.
  await openMainEur(running, { merchant: 'acme', releaseUpTo: '100.00' });
  const number = 'DE75512108001245126199';
  await openMainEur(running, { accountId: 'other-eur', number, merchant: 'rival', releaseUpTo: '100000.00' });
  tokens = await operatorTokens(running, { rita: 'reviewer', rob: 'reviewer' });
});

function bankSays(name: string, text: string, from = folder): void {
  mkdirSync(join(from, 'in'), { recursive: true });
  writeFileSync(join(from, 'in', name), text);
  void running.service.database.transaction(async (tx) => tx.wake(receivingJob));
}

const statement = (id: string, entries: readonly CamtEntry[], more: Partial<CamtStatement> = {}) =>
  camt({ currency: 'EUR', number: mainEur.number, id, entries, ...more });
const tasks = async (kind: string): Promise<{ id: string; summary: string }[]> =>
  (await running.api.get(`/operator/tasks?kind=${kind}`, { token: running.viewer })).json;
const taskAbout = (kind: string, text: string) =>
  eventually(async () => (await tasks(kind)).find(({ summary }) => summary.includes(text)), { what: `a ${kind}` });
const lineOf = async (reference: string) =>
  (await sql.query('SELECT line_id, bank FROM bank_lines WHERE bank_reference = $1', [reference])).rows[0];
const isRead = (reference: string) => eventually(() => lineOf(reference), { what: `the line ${reference}` });
const attemptState = async (orderId: string) =>
  (await sql.query('SELECT state FROM payout_attempts WHERE order_id = $1 ORDER BY number DESC', [orderId])).rows[0]
    .state;
const own: CamtEntry = { amount: '5.00', sign: 'CRDT', details: [{ text: 'Capital' }] };

/** Another merchant's order: its batch needs no second person. */
const ofRival = () => orderToHans(running, {}, running.rival);

/** Two operators release it. */
async function releasedByTwo(id: string): Promise<void> {
  const path = `/operator/bank/batches/${id}`;
  const { version } = done(await running.api.post(`${path}/close`, { token: tokens.rita }));
  const asked = await running.api.post(`${path}/release`, { token: tokens.rita, body: { version } });
  expect(asked.status).toBe(202);
  done(await running.api.post(`/operator/approvals/${asked.json.approvalId}/approve`, { token: tokens.rob }));
}

describe('a file of a bank', () => {
  it('books nothing of a file on an account whose files come through another connection: that is a task', async () => {
    const text = statement('foreign', [{ ...own, reference: 'FOREIGN-1' }]);
    bankSays('foreign.xml', text, otherFolder);
    const task = await taskAbout('bank_file', 'foreign.xml');
    expect(task.summary).toContain('main-eur, whose files do not come through this connection (other-eur)');
    expect(await lineOf('FOREIGN-1')).toBeUndefined();
    bankSays('ours.xml', text);
    await isRead('FOREIGN-1');
  });

  it('reads all entries but one with an id of thousands of characters, which is a task with its place', async () => {
    const [long, endToEndId] = ['X'.repeat(141), randomBytes(4_000).toString('hex')];
    const entries = [
      { ...own, reference: 'BEFORE-LONG' },
      { ...own, reference: long },
      { ...own, amount: '6.00', reference: 'LONG-2', details: [{ endToEndId }] },
      { ...own, amount: '7.00', reference: 'AFTER-LONG' },
    ];
    bankSays('long.xml', statement('long', entries));
    await isRead('BEFORE-LONG');
    await isRead('AFTER-LONG');
    await eventually(async () => (await tasks('statement_file')).length === 1, { what: 'the task' });
    const { rows } = await sql.query('SELECT entries, faults FROM bank_files WHERE fault_count > 0');
    expect(rows).toMatchObject([{ entries: 2, faults: [{}, {}] }]);
    expect(rows[0].faults[0]).toMatchObject({
      message: 'The entry cannot be stored: one of its texts or numbers is too long.',
      path: expect.stringContaining('Ntry'),
    });
  });

  it('fetches the files behind one with a name that no folder takes, which is a task', async () => {
    bankSays('a\\..\\b.xml', statement('bad-name', []));
    bankSays('behind.xml', statement('behind', [{ ...own, reference: 'BEHIND-1' }]));
    await isRead('BEHIND-1');
    await taskAbout('bank_file', 'Its name is none that a folder has.');
  });
});

describe('a batch', () => {
  it('needs a second person once more than the sum of its account has left on the day, however it is split', async () => {
    const first = await batchWith(running, await orderToHans(running));
    const close = (id: string) => running.api.post(`/operator/bank/batches/${id}/close`, { token: tokens.rita });
    expect((await close(first.id)).json.state).toBe('RELEASED');
    await reachesState(running, first.id, 'SENT');
    const second = await batchWith(running, await orderToHans(running));
    const { state, version } = done(await close(second.id));
    expect(state).toBe('WAITING');
    const path = `/operator/bank/batches/${second.id}/release`;
    expect((await running.api.post(path, { token: tokens.rita, body: { version } })).status).toBe(202);
    expect((await batchOf(running, second.id)).state).toBe('WAITING');
    // What left yesterday does not count.
    await sql.query(
      `UPDATE bank_batches SET released_at = released_at - interval '2 days' WHERE released_at IS NOT NULL`,
    );
    expect(done(await running.api.post(path, { token: tokens.rita, key: 'again', body: { version } })).state).toBe(
      'RELEASED',
    );
  });

  it('loses payments that its account cannot make any more: each is a task, and none is on its way', async () => {
    const order = await orderToHans(running);
    const { id } = await batchWith(running, order);
    const { accountId: _, currency: __, ...terms } = mainEur;
    const path = '/operator/bank/accounts/main-eur';
    const save = async (profile: string) => {
      const { version } = done(await running.api.get(path, { token: running.viewer }));
      done(await running.api.call('PUT', path, { token: running.admin, body: { ...terms, profile, version } }));
    };
    await save('cbpr');
    await releasedByTwo(id);
    await reachesState(running, id, 'EMPTY');
    expect(await attemptState(order)).toBe('READY');
    await sql.query('UPDATE payout_attempts SET due_at = now() WHERE order_id = $1', [order]);
    await taskAbout('bank_payment_unfit', 'creditorBank is missing');
    await save('sepa');
    await sql.query('UPDATE payout_attempts SET due_at = now() WHERE order_id = $1', [order]);
    expect((await batchWith(running, order)).id).not.toBe(id);
  });

  it('is closed and sent while another one, which somebody else has changed, fails each time', async () => {
    const [spoiled, sound] = [await orderToHans(running), await ofRival()];
    const [bad, good] = [await batchWith(running, spoiled), await batchWith(running, sound)];
    const due = `UPDATE bank_batches SET closes_at = now() - interval '1 hour' WHERE batch_id = $1`;
    await sql.query(`UPDATE bank_batches SET execution_day = '2020-01-01' WHERE batch_id = $1`, [bad.id]);
    for (const { id } of [bad, good]) await sql.query(due, [id]);
    await reachesState(running, good.id, 'SENT');
    expect((await batchOf(running, bad.id)).state).toBe('COLLECTING');
    await sql.query(`UPDATE bank_batches SET execution_day = NULL WHERE batch_id = $1`, [bad.id]);
    await reachesState(running, bad.id, 'WAITING');
  });
});

describe('a rejection', () => {
  const rejection = (messageId: string) =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>S-${messageId}</MsgId><CreDtTm>2026-11-16T15:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>RJCT</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`;

  async function rejected() {
    const order = await ofRival();
    const { id } = await batchWith(running, order);
    done(await running.api.post(`/operator/bank/batches/${id}/close`, { token: tokens.rita }));
    await reachesState(running, id, 'SENT');
    const batch = await batchOf(running, id);
    bankSays(`${id}.xml`, rejection(batch.messageId), otherFolder);
    const answers = async () => done(await running.api.get('/operator/bank/answers', { token: running.viewer }));
    const answer = await eventually(
      async () => (await answers()).find(({ batchId }: { batchId: string }) => batchId === id),
      { what: 'the answer' },
    );
    const apply = () =>
      running.api.post(`/operator/bank/answers/${answer.id}/apply`, { token: tokens.rita, key: `${Math.random()}` });
    return { order, amount: batch.sum as string, apply };
  }

  const today = new Date().toISOString().slice(0, 10);
  const ofOther = (id: string, entries: readonly CamtEntry[]) =>
    bankSays(`${id}.xml`, statement(id, entries, { number: 'DE75512108001245126199', on: today }), otherFolder);

  it('cannot be applied while a debit that names the payment waits for an explanation', async () => {
    const { order, apply } = await rejected();
    const details = [{ endToEndId: referenceOf(order) }];
    ofOther('odd', [{ amount: '1.00', sign: 'DBIT', reference: 'ODD-1', details }]);
    const { line_id: lineId } = await isRead('ODD-1');
    const refused = await apply();
    expect(told(refused)).toEqual([409, 'bank_answer_debited']);
    expect(refused.json).toMatchObject({ lineId, accountId: 'other-eur', reference: referenceOf(order) });
    expect(await attemptState(order)).toBe('ACCEPTED');
  });

  it('cannot be applied while a debit without a name may be the payment, and can once that is explained', async () => {
    const { order, amount, apply } = await rejected();
    ofOther('nameless', [{ amount, sign: 'DBIT', reference: 'NAMELESS-1' }]);
    await isRead('NAMELESS-1');
    expect(told(await apply())).toEqual([409, 'bank_answer_debited']);
    const waits = `SELECT FROM bank_line_details WHERE state = 'waiting'`;
    await eventually(async () => (await sql.query(waits)).rows.length === 0, { what: 'the break' });
    const fee = { kind: 'bank_fee', reason: 'October', bank: 'other-eur', currency: 'EUR', amount };
    const body = { ...fee, merchant: 'rival', bankReference: 'NAMELESS-1' };
    done(await running.api.post('/operator/ledger/entries', { token: running.admin, key: 'fee', body }));
    const asked = await apply();
    expect(asked.status).toBe(202);
    // It comes after the first person has asked.
    const details = [{ endToEndId: referenceOf(order) }];
    ofOther('late', [{ amount, sign: 'DBIT', reference: 'LATE-1', details }]);
    await eventually(async () => (await attemptState(order)) === 'PAID', { what: 'the payment' });
    const approve = `/operator/approvals/${asked.json.approvalId}/approve`;
    expect(told(await running.api.post(approve, { token: tokens.rob }))[0]).toBe(409);
    expect(await attemptState(order)).toBe('PAID');
  });
});
