/** What a bank answers in files: noted, proposed to two operators, and never lost. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { receivingJob } from '../../src/bank/transport/receiving.js';
import { operatorTokens } from '../harness/access.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { get } from '../orders/orders.js';
import {
  bankFolder,
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
import { camt } from './camt.js';

const folder = newFolder();
const running = useRemesa({
  settings: bankFolder(folder, { FOUR_EYES: 'bank_answer.apply,payout.recall' }),
  hasRates: true,
});
const { sql } = running;
let tokens = { rita: '', rob: '' };

beforeAll(async () => {
  await openMainEur(running);
  tokens = await operatorTokens(running, { rita: 'reviewer', rob: 'reviewer' });
});

let files = 0;

/** The bank puts a file down, which is fetched at once. Returns its name. */
function bankSays(text: string): string {
  files += 1;
  const name = `answer-${files}.xml`;
  mkdirSync(join(folder, 'in'), { recursive: true });
  writeFileSync(join(folder, 'in', name), text);
  void running.service.database.transaction(async (tx) => tx.wake(receivingJob));
  return name;
}

const statusReport = (messageId: string, inside: string) =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>S${files}</MsgId><CreDtTm>2026-11-16T15:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${inside}</CstmrPmtStsRpt></Document>`;
const ofMessage = (messageId: string, status: string, reason = '') =>
  statusReport(messageId, `<GrpSts>${status}</GrpSts>${reason}</OrgnlGrpInfAndSts>`);
const because = (code: string) => `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`;

const answers = async (state = 'WAITING') =>
  done(await running.api.get(`/operator/bank/answers?state=${state}`, { token: running.viewer }));
const answerOf = (batchId: string) =>
  eventually(async () => (await answers()).find((answer: { batchId: string }) => answer.batchId === batchId), {
    what: 'an answer that waits',
  });
const tasks = async (kind: string) =>
  (await running.api.get(`/operator/tasks?kind=${kind}`, { token: running.viewer })).json;
const attemptState = async (orderId: string) =>
  (await sql.query('SELECT state FROM payout_attempts WHERE order_id = $1', [orderId])).rows[0].state;

async function settled({ id }: { readonly id: string }): Promise<void> {
  const path = `/operator/bank/files/${id.replace('bank_file.', '')}/settle`;
  done(await running.api.post(path, { token: tokens.rita, body: { note: 'Asked the bank.' } }));
}

async function sentBatch(count: number) {
  const orders: string[] = [];
  for (let index = 0; index < count; index += 1) orders.push(await orderToHans(running));
  const { id } = await batchWith(running, orders.at(-1) as string);
  await release(running, id);
  await reachesState(running, id, 'SENT');
  return { orders, id, messageId: (await batchOf(running, id)).messageId as string };
}

describe('a rejection', () => {
  it('changes no payment of its file until two operators apply it, and then all of them once', async () => {
    const { orders, id, messageId } = await sentBatch(2);
    const text = ofMessage(messageId, 'RJCT', because('AC01'));
    bankSays(text);
    const answer = await answerOf(id);
    const all = orders.map((order) => ({ reference: referenceOf(order), reason: 'AC01' }));
    expect(answer.kind).toBe('rejected');
    expect(answer.payments).toHaveLength(2);
    expect(answer.payments).toEqual(expect.arrayContaining(all));
    expect((await batchOf(running, id)).answer).toBe('RJCT');
    expect(await Promise.all(orders.map(attemptState))).toEqual(['ACCEPTED', 'ACCEPTED']);
    const path = `/operator/bank/answers/${answer.id}/apply`;
    const asked = await running.api.post(path, { token: tokens.rita });
    expect(asked.status).toBe(202);
    const approve = `/operator/approvals/${asked.json.approvalId}/approve`;
    expect(told(await running.api.post(approve, { token: tokens.rita }))).toEqual([403, 'approval_own']);
    done(await running.api.post(approve, { token: tokens.rob }));
    await eventually(async () => (await answers('APPLIED')).length === 1, { what: 'the applied answer' });
    expect(await Promise.all(orders.map(attemptState))).toEqual(['REJECTED', 'REJECTED']);
    expect((await get(running, orders[0] as string)).json.status).toBe('PAYOUT_FAILED');
    // The same file again, under another name.
    bankSays(text);
    await eventually(() => readdirSync(join(folder, 'in')).length === 0, { what: 'the file aside' });
    expect(await answers()).toEqual([]);
  });

  it('concerns one payment where the bank names one, and the others have their own answers', async () => {
    const { orders, id, messageId } = await sentBatch(2);
    const [good, bad] = orders.map(referenceOf) as [string, string];
    const one = (reference: string, status: string, reason = '') =>
      `<TxInfAndSts><OrgnlInstrId>${reference}</OrgnlInstrId><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>${status}</TxSts>${reason}</TxInfAndSts>`;
    bankSays(
      statusReport(
        messageId,
        `<GrpSts>PART</GrpSts></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId.replace('MSG', 'PMT')}</OrgnlPmtInfId>${one(good, 'ACSP')}${one(bad, 'RJCT', because('AC04'))}</OrgnlPmtInfAndSts>`,
      ),
    );
    const answer = await answerOf(id);
    expect(answer.payments).toEqual([{ reference: bad, reason: 'AC04' }]);
    const { payments } = await batchOf(running, id);
    const codes = payments.map((payment: { reference: string; answer: string }) => [payment.reference, payment.answer]);
    expect(new Map(codes)).toEqual(
      new Map([
        [good, 'ACSP'],
        [bad, 'RJCT AC04'],
      ]),
    );
    const dismiss = `/operator/bank/answers/${answer.id}/dismiss`;
    done(await running.api.post(dismiss, { token: tokens.rita, body: { note: 'It was paid.' } }));
    expect(await attemptState(orders[1] as string)).toBe('ACCEPTED');
  });

  it('because the bank has the file already can never be applied: it may have paid', async () => {
    const { orders, id, messageId } = await sentBatch(1);
    bankSays(ofMessage(messageId, 'RJCT', because('DU01')));
    const answer = await answerOf(id);
    expect(answer.kind).toBe('duplicate');
    const apply = await running.api.post(`/operator/bank/answers/${answer.id}/apply`, { token: tokens.rita });
    expect(told(apply)).toEqual([409, 'bank_answer_decided']);
    expect(await attemptState(orders[0] as string)).toBe('ACCEPTED');
  });
});

describe('a recall of a payment that has left', () => {
  const recalls = async (payoutId: string) =>
    done(await running.api.get(`/operator/bank/recalls?payoutId=${payoutId}`, { token: running.viewer }));
  const attemptIdOf = async (orderId: string): Promise<string> =>
    (await sql.query('SELECT attempt_id FROM payout_attempts WHERE order_id = $1', [orderId])).rows[0].attempt_id;
  const answer = (caseId: string, outcome: string, id: string) =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.029.001.09"><RsltnOfInvstgtn>
<Assgnmt><Id>${id}</Id><CreDtTm>2026-11-17T10:00:00</CreDtTm></Assgnmt><RslvdCase><Id>${caseId}</Id></RslvdCase>
<Sts><Conf>${outcome}</Conf></Sts></RsltnOfInvstgtn></Document>`;

  /** Two operators ask for the payment. Returns its id and the case that the bank knows. */
  async function recalled(order: string) {
    const payoutId = await attemptIdOf(order);
    const path = `/operator/payouts/${payoutId}/recall`;
    const asked = await running.api.post(path, { token: tokens.rita, body: { reason: 'DUPL' } });
    expect(asked.status).toBe(202);
    expect(await recalls(payoutId)).toEqual([]);
    done(await running.api.post(`/operator/approvals/${asked.json.approvalId}/approve`, { token: tokens.rob }));
    const [recall] = await recalls(payoutId);
    const file = await eventually(() => filesTo(folder).get(recall.fileName), { what: 'the file of the recall' });
    const [, caseId = ''] = /<CxlId>([^<]+)<\/CxlId>/.exec(file) ?? [];
    return { payoutId, path, recall, file, caseId };
  }

  const stateOf = (payoutId: string, state: string) =>
    eventually(async () => (await recalls(payoutId))[0].state === state, { what: `the recall ${state}` });

  it('asks the bank once, and what it gives back is paid again only after two operators apply it', async () => {
    const { orders, id, messageId } = await sentBatch(1);
    const [order = ''] = orders;
    const { payoutId, path, recall, file, caseId } = await recalled(order);
    for (const part of [
      `<OrgnlMsgId>${messageId}</OrgnlMsgId>`,
      `<OrgnlEndToEndId>${referenceOf(order)}<`,
      '<Cd>DUPL<',
    ])
      expect(file).toContain(part);
    expect(recall).toMatchObject({ state: 'ASKED', answer: null, batchId: id, reference: referenceOf(order) });
    const again = await running.api.post(path, { token: tokens.rita, body: { reason: 'CUST' } });
    expect(told(again)).toEqual([409, 'bank_recall_open']);
    bankSays(answer(caseId, 'PDCR', 'first'));
    await stateOf(payoutId, 'PENDING');
    bankSays(answer(caseId, 'CNCL', 'second'));
    await stateOf(payoutId, 'ACCEPTED');
    const given = await answerOf(id);
    expect([given.kind, given.payments]).toEqual(['recalled', [{ reference: referenceOf(order), reason: null }]]);
    expect(await attemptState(order)).toBe('ACCEPTED');
    const apply = await running.api.post(`/operator/bank/answers/${given.id}/apply`, { token: tokens.rita });
    done(await running.api.post(`/operator/approvals/${apply.json.approvalId}/approve`, { token: tokens.rob }));
    await eventually(async () => (await attemptState(order)) === 'RECALLED', { what: 'the payment given back' });
    expect((await get(running, order)).json.status).toBe('PAYOUT_FAILED');
    // The same again, and then the opposite.
    bankSays(answer(caseId, 'CNCL', 'third'));
    const late = bankSays(answer(caseId, 'RJCR', 'fourth'));
    const task = await eventually(
      async () => (await tasks('bank_file')).find(({ summary }: { summary: string }) => summary.includes(late)),
      { what: 'the task of the contradiction' },
    );
    expect(task.summary).toContain('against its answer CNCL');
    expect((await recalls(payoutId))[0].state).toBe('ACCEPTED');
    expect((await answers()).filter(({ kind }: { kind: string }) => kind === 'recalled')).toEqual([]);
    await settled(task);
  });

  it('changes nothing when the bank accepts it after it has paid: the money comes back as a line', async () => {
    const [order = ''] = (await sentBatch(1)).orders;
    const { payoutId, caseId } = await recalled(order);
    const { amount_minor: minor } = (
      await sql.query('SELECT amount_minor FROM payout_attempts WHERE order_id = $1', [order])
    ).rows[0];
    const amount = (Number(minor) / 100).toFixed(2);
    const details = [{ endToEndId: referenceOf(order) }];
    const line = (sign: 'DBIT' | 'CRDT', returned?: string) =>
      camt({
        ...{ kind: '054', currency: 'EUR', number: mainEur.number, id: `recall-${sign}` },
        entries: [
          {
            ...{ amount, sign, reference: `RECALLED-${sign}`, isReversal: sign === 'CRDT' },
            details: details.map((detail) => (returned === undefined ? detail : { ...detail, returned })),
          },
        ],
      });
    bankSays(line('DBIT'));
    await eventually(async () => (await attemptState(order)) === 'PAID', { what: 'the payment' });
    bankSays(answer(caseId, 'CNCL', 'after the debit'));
    await stateOf(payoutId, 'ACCEPTED');
    expect((await answers()).filter(({ kind }: { kind: string }) => kind === 'recalled')).toEqual([]);
    expect(await attemptState(order)).toBe('PAID');
    bankSays(line('CRDT', 'FOCR'));
    await eventually(async () => (await attemptState(order)) === 'RETURNED', { what: 'the money back' });
    expect((await get(running, order)).json.status).toBe('RETURNED');
  });

  it('is refused for what has not left, and an answer to none of ours is a task', async () => {
    const order = await orderToHans(running);
    await batchWith(running, order);
    const body = { reason: 'CUST' };
    const path = `/operator/payouts/${await attemptIdOf(order)}/recall`;
    expect(told(await running.api.post(path, { token: tokens.rita, body }))).toEqual([
      409,
      'bank_payment_not_recallable',
    ]);
    const name = bankSays(answer('CXL1', 'CNCL', 'unknown'));
    const task = await eventually(
      async () => (await tasks('bank_file')).find(({ summary }: { summary: string }) => summary.includes(name)),
      { what: 'the task' },
    );
    expect(task.summary).toContain('a recall that is not ours');
    await settled(task);
  });
});

describe('a statement that a connection brings', () => {
  const daysOfMain = async () =>
    done(await running.api.get('/operator/bank/accounts/main-eur/days', { token: running.viewer }));

  it('proves the payment that it shows the debit of, also from a file with statements of others', async () => {
    const [order = ''] = (await sentBatch(1)).orders;
    const { amount_minor: minor } = (
      await sql.query('SELECT amount_minor FROM payout_attempts WHERE order_id = $1', [order])
    ).rows[0];
    const amount = (Number(minor) / 100).toFixed(2);
    const details = [{ endToEndId: referenceOf(order) }];
    const ours = camt({
      ...{ currency: 'EUR', number: mainEur.number, id: 'day-1', balances: [amount, '0.00'] as const },
      entries: [{ amount, sign: 'DBIT', reference: 'D-1', details }],
    });
    const [others = ''] =
      /<Stmt>.*<\/Stmt>/s.exec(camt({ currency: 'EUR', number: 'DE75512108001245126199', id: 'day-2', entries: [] })) ??
      [];
    const name = bankSays(ours.replace('</Stmt>', `</Stmt>${others}`));
    await eventually(async () => (await get(running, order)).json.status === 'COMPLETED', { what: 'the payment' });
    await eventually(async () => (await daysOfMain()).length === 1, { what: 'the day' });
    const file = (await tasks('bank_file')).find(({ summary }: { summary: string }) => summary.includes(name));
    expect(file.summary).toContain('DE75512108001245126199');
    expect(await tasks('statement_file')).toEqual([]);
    await settled(file);
  });
});

describe('a file that cannot be read', () => {
  it('is a task with the line and the place of the fault, and stays', async () => {
    const name = bankSays(
      statusReport('MSG1', '<GrpSts>ACTC</GrpSts></OrgnlGrpInfAndSts>\n<OrgnlPmtInfAndSts><TxInfAndSts></TxInfAndSts>'),
    );
    const found = await eventually(async () => (await tasks('bank_file'))[0], { what: 'the task' });
    expect(found.summary).toMatch(new RegExp(`^Examine the file ${name} of a bank: .*line \\d`));
    expect(readdirSync(join(folder, 'archive'))).toContain(name);
    const [file] = done(await running.api.get('/operator/bank/files?state=FAULTY', { token: running.viewer }));
    expect(file.faults[0]).toMatchObject({ line: expect.any(Number), path: expect.stringContaining('TxInfAndSts') });
    const settle = `/operator/bank/files/${file.id}/settle`;
    expect(done(await running.api.post(settle, { token: tokens.rita, body: { note: 'A test.' } })).isSettled).toBe(
      true,
    );
    expect(await tasks('bank_file')).toEqual([]);
  });
});
