/** What a bank booked as one is explained by its parts, each once, and stays a break while they are not known. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
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
  release,
} from './batches.js';
import { bankDifferences, held } from './books.js';
import { type CamtEntry, type CamtStatement, camt } from './camt.js';
import { decimal, loadingOf } from './loading.js';

const folder = newFolder();
const running = useRemesa({ settings: bankFolder(folder, { FOUR_EYES: 'bank.line' }), hasRates: true });
const { sql } = running;
const { load, breaks } = loadingOf(running);
let tokens = { rita: '', rob: '', ada: '' };

beforeAll(async () => {
  await openMainEur(running);
  tokens = await operatorTokens(running, { rita: 'reviewer', rob: 'reviewer', ada: 'admin' });
});

afterEach(async () => {
  expect(await bankDifferences(running)).toEqual([]);
  const { rows } = await sql.query(`SELECT line_id FROM bank_lines AS line WHERE amount_minor <>
    (SELECT sum(amount_minor) FROM bank_line_details AS detail WHERE detail.line_id = line.line_id)`);
  expect(rows).toEqual([]);
});

async function sentBatch(count: number) {
  const orders: string[] = [];
  for (let index = 0; index < count; index += 1) orders.push(await orderToHans(running));
  const { id } = await batchWith(running, orders.at(-1) as string);
  await release(running, id);
  await reachesState(running, id, 'SENT');
  const { messageId, payments } = await batchOf(running, id);
  const amounts: number[] = payments.map(({ amount }: { amount: string }) => Math.round(Number(amount) * 100));
  const sum = amounts.reduce((total, minor) => total + minor, 0);
  return { id: id as string, orders, messageId: messageId as string, sum, each: sum / count };
}

const states = async (orders: readonly string[]) => {
  const { rows } = await sql.query(
    'SELECT state FROM payout_attempts WHERE order_id = ANY ($1) ORDER BY array_position($1, order_id)',
    [orders],
  );
  return rows.map(({ state }) => state);
};
const reasons = async () =>
  (await breaks('main-eur')).map(({ amount, reason }: Record<string, string>) => `${amount} ${reason}`);
const statement = (id: string, entries: readonly CamtEntry[], more: Partial<CamtStatement> = {}) =>
  load('main-eur', camt({ currency: 'EUR', number: mainEur.number, id, entries, ...more }));
const debit = (minor: number, reference: string, more: Partial<CamtEntry> = {}): CamtEntry => ({
  ...{ amount: decimal(minor), sign: 'DBIT', reference, code: 'PMNT-ICDT-ESCT', ...more },
});

/** The bank writes down that it has not made a payment, and the file is fetched. */
function bankRejects(messageId: string, reference: string): void {
  mkdirSync(join(folder, 'in'), { recursive: true });
  writeFileSync(
    join(folder, 'in', `rejected-${reference}.xml`),
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>S1</MsgId><CreDtTm>2026-11-16T15:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId.replace('MSG', 'PMT')}</OrgnlPmtInfId>
<TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf></TxInfAndSts>
</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`,
  );
  void running.service.database.transaction(async (tx) => tx.wake(receivingJob));
}

let keys = 0;

function askToSplit(lineId: string, number: number, parts: readonly object[], token = tokens.ada) {
  keys += 1;
  const body = { number, parts, note: 'The advice of the bank.' };
  return running.api.post(`/operator/bank/lines/${lineId}/split`, { token, key: `split-${keys}`, body });
}

describe('a debit that a bank booked for a batch', () => {
  it('pays each payment that can be in it, once, where these make its amount to the cent', async () => {
    const { orders, messageId, sum } = await sentBatch(3);
    const entry = (minor: number, reference: string) => debit(minor, reference, { batch: { messageId, count: 3 } });
    await statement('more', [entry(sum + 1, 'BATCH-MORE-1')]);
    expect([await states(orders), await reasons()]).toEqual([
      ['ACCEPTED', 'ACCEPTED', 'ACCEPTED'],
      [`${decimal(sum + 1)} batch_amount`],
    ]);
    const before = await held(running, 'bank:EUR:main-eur');
    await statement('exact', [entry(sum, 'BATCH-EXACT-1')]);
    expect(await states(orders)).toEqual(['PAID', 'PAID', 'PAID']);
    expect((await held(running, 'bank:EUR:main-eur')) - before).toBe(-sum);
    await statement('again', [entry(sum, 'BATCH-AGAIN-1')], { on: '2026-11-18' });
    expect([await reasons(), await held(running, 'bank:EUR:main-eur')]).toEqual([
      [`${decimal(sum + 1)} batch_amount`, `${decimal(sum)} batch_amount`],
      before - sum,
    ]);
    await sql.query("UPDATE bank_line_details SET state = 'replaced', reason = NULL WHERE reason = 'batch_amount'");
  });

  it('has no payment that the bank says it has rejected, also when it says so later, and names one in its only detail', async () => {
    const { id, orders, messageId, sum, each } = await sentBatch(3);
    const references = orders.map(referenceOf) as [string, string, string];
    const details = [{ endToEndId: references[0] }];
    await statement('partial', [debit(sum - each, `PART-${messageId}`, { batch: { messageId, count: 2 }, details })], {
      on: new Date().toISOString().slice(0, 10),
    });
    expect(await reasons()).toEqual([`${decimal(sum - each)} batch_amount`]);
    bankRejects(messageId, references[2]);
    const paid = async () => (await states(orders)).filter((state) => state === 'PAID');
    await eventually(async () => (await paid()).length === 2, { what: 'the others to be paid' });
    expect([await states(orders), await reasons()]).toEqual([['PAID', 'PAID', 'ACCEPTED'], []]);
    const [answer] = done(await running.api.get('/operator/bank/answers', { token: running.viewer }));
    expect(answer.batchId).toBe(id);
    done(await running.api.post(`/operator/bank/answers/${answer.id}/apply`, { token: tokens.rita }));
    await eventually(async () => (await states(orders))[2] === 'REJECTED', { what: 'the rejected payment' });
  });

  it('is confirmed, and not booked again, where people recorded one of its payments', async () => {
    const { orders, messageId, sum } = await sentBatch(2);
    const { rows } = await sql.query('SELECT attempt_id, version FROM payout_attempts WHERE order_id = $1', [
      orders[0],
    ]);
    const { attempt_id: attemptId, version } = rows[0];
    const recorded = { version, bank: 'main-eur', bankReference: 'advice-1', bookedAt: '2026-11-16T09:41:00.000Z' };
    done(
      await running.api.post(`/operator/payouts/${attemptId}/paid`, {
        token: tokens.rita,
        key: 'paid',
        body: recorded,
      }),
    );
    const before = await held(running, 'bank:EUR:main-eur');
    await statement('hand', [debit(sum, `HAND-${messageId}`, { batch: { messageId } })]);
    expect([await states(orders), await reasons()]).toEqual([['PAID', 'PAID'], []]);
    expect((await held(running, 'bank:EUR:main-eur')) - before).toBe(-sum / 2);
  });
});

describe('a sum that a bank itemises in another file', () => {
  const itemised = (orders: readonly string[], each: number) =>
    orders.map((order) => ({ endToEndId: referenceOf(order), amount: decimal(each) }));

  it('is explained by its payments, each once, whichever file comes first and however often they come', async () => {
    for (const order of ['sum first', 'payments first']) {
      const { orders, sum, each } = await sentBatch(2);
      const reference = `ITEMS-${orders[0]}`;
      const bare = debit(sum, reference, { batch: { count: 2 } });
      const items = debit(sum, reference, { details: itemised(orders, each) });
      const before = await held(running, 'bank:EUR:main-eur');
      const tell = {
        sum: (copy: string) => statement(`S${copy}-${reference}`, [bare]),
        items: (copy: string) => statement(`N${copy}-${reference}`, [items], { kind: '054' }),
      };
      const told = order === 'sum first' ? (['sum', 'items'] as const) : (['items', 'sum'] as const);
      await tell[told[0]]('a');
      if (order === 'sum first') expect(await reasons()).toEqual([`${decimal(sum)} batch_without_payments`]);
      for (const copy of ['b', 'c']) for (const kind of told) await tell[kind](copy);
      expect([order, await states(orders), await reasons()]).toEqual([order, ['PAID', 'PAID'], []]);
      expect((await held(running, 'bank:EUR:main-eur')) - before).toBe(-sum);
    }
  });

  it('stays a break where the payments of the other file make another amount', async () => {
    const { orders, sum, each } = await sentBatch(2);
    const reference = `WRONG-${orders[0]}`;
    await statement(`S-${reference}`, [debit(sum, reference, { batch: { count: 2 } })]);
    await statement(`N-${reference}`, [debit(sum, reference, { details: itemised(orders, each + 1) })], {
      kind: '054',
    });
    expect([await states(orders), await reasons()]).toEqual([
      ['ACCEPTED', 'ACCEPTED'],
      [`${decimal(sum)} batch_without_payments`],
    ]);
  });
});

describe('a break that people split', () => {
  it('is explained by a payout, a fee and what is left, and only by two operators', async () => {
    const { orders, sum } = await sentBatch(1);
    const [endToEndId = ''] = orders.map(referenceOf);
    await statement('split', [debit(sum + 1_250, `SPLIT-${endToEndId}`)]);
    const [found] = (await breaks('main-eur')).filter(({ reason }: { reason: string }) => reason === 'unknown');
    const parts = [{ amount: decimal(sum), endToEndId }, { amount: '7.50', entry: 'bank_fee' }, { amount: '5.00' }];
    const short = parts.slice(0, 2);
    expect(told(await askToSplit(found.lineId, found.number, short))).toEqual([400, 'invalid_fields']);
    const byReviewer = await askToSplit(found.lineId, found.number, parts, tokens.rita);
    expect(told(byReviewer)).toEqual([403, 'role_missing']);
    const asked = await askToSplit(found.lineId, found.number, parts);
    expect(asked.status).toBe(202);
    const approve = `/operator/approvals/${asked.json.approvalId}/approve`;
    expect(told(await running.api.post(approve, { token: tokens.ada }))).toEqual([403, 'approval_own']);
    expect(told(await running.api.post(approve, { token: tokens.rob }))).toEqual([403, 'role_missing']);
    expect(await states(orders)).toEqual(['ACCEPTED']);
    const before = await held(running, 'charges:EUR');
    done(await running.api.post(approve, { token: running.admin }));
    await eventually(async () => (await states(orders))[0] === 'PAID', { what: 'the payout' });
    await eventually(async () => (await held(running, 'charges:EUR')) - before === 750, { what: 'the fee' });
    expect((await reasons()).filter((reason: string) => reason.endsWith('split'))).toEqual(['5.00 split']);
    const again = await askToSplit(found.lineId, found.number, parts);
    expect(told(again)).toEqual([404, 'bank_break_not_found']);
  });
});
