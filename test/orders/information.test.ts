/**
 * What senders provide when an operator asks: answers in parts and documents, who reads them, and when they are
 * deleted.
 */
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newMerchantPublicId } from '../../src/ids.js';
import type { Job } from '../../src/worker/worker.js';
import { jpegOf, photograph, plainPng } from '../documents/images.js';
import { pdf } from '../documents/pdfs.js';
import { auditRows } from '../harness/access.js';
import type { Answer } from '../harness/api.js';
import { newFolder } from '../harness/new-folder.js';
import { type Remesa, useRemesa } from '../harness/remesa.js';
import { told, userToken } from '../harness/users.js';
import { moveClock } from '../kyc/kyc-service.js';
import { eventsOf, get, lupita, placed, runExpiry, sender } from './orders.js';
import { paid, pay, reaches, TestPayouts } from './paid-orders.js';

const payouts = new TestPayouts();
const running = useRemesa({ payouts, hasRates: true });
const folder = newFolder();
let jobs: readonly Job[] = [];
/** The same with documents in files, and with its jobs at hand. */
const inFiles = useRemesa({
  settings: { DOCUMENT_STORE: 'files', DATA_DIR: folder },
  rooms: () => ({ routes: [], jobs: [], payouts }),
  chooseJobs: (all) => {
    jobs = all;
    return all;
  },
  hasRates: true,
});
const runJob = (name: string) => jobs.find((job) => job.name === name)?.run(AbortSignal.timeout(60_000));
const note = 'A test.';

const ask = async (service: Remesa, id: string, items: string[], days = 7) => {
  const body = { note, items, days };
  const path = `/operator/orders/${id}/request-information`;
  expect((await service.api.post(path, { token: service.admin, body })).status).toBe(200);
};
const fileOf = async (service: Remesa, id: string) =>
  (await service.api.get(`/operator/orders/${id}/review`, { token: service.admin })).json;
const answer = (id: string, answers: object[], token = running.acme.token) =>
  running.api.post(`/orders/${id}/information`, { token, body: { answers } });

/** As a browser or any HTTP library sends a form. */
async function upload(
  service: Remesa,
  id: string,
  bytes: Uint8Array,
  { token = service.acme.token, field = 'file', type = 'image/jpeg' } = {},
): Promise<Answer> {
  const boundary = 'a-boundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="x"\r\nContent-Type: ${type}\r\n\r\n`;
  const text = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return service.api.post(`/orders/${id}/documents`, { token, text, headers });
}

async function download(service: Remesa, id: string, documentId: string, token = service.admin) {
  const path = `${service.service.url}/operator/orders/${id}/information/${documentId}`;
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

describe('a request for information', () => {
  it('is answered in parts: each part keeps the order waiting, and says what is missing', async () => {
    payouts.obstacle = 'rail_paused';
    const id = await paid(running);
    await ask(running, id, ['purpose', 'relationship', 'supporting_document']);
    const asked = (await get(running, id)).json;
    expect(asked.requirements.map(({ code, needs }: { code: string; needs: string }) => [code, needs])).toEqual([
      ['purpose', 'answer'],
      ['relationship', 'answer'],
      ['supporting_document', 'document'],
    ]);
    const first = await answer(id, [{ code: 'purpose', answer: 'School fees.' }]);
    expect(first.json).toMatchObject({
      ...{ status: 'ACTION_REQUIRED', version: asked.version + 1, actionRequiredBy: asked.actionRequiredBy },
      requirements: [{ code: 'relationship' }, { code: 'supporting_document' }],
    });
    // What was answered is not asked for any more.
    expect(told(await answer(id, [{ code: 'purpose', answer: 'Again.' }]))).toEqual([400, 'invalid_fields']);
    const { documentId } = (await upload(running, id, await photograph())).json;
    // A document alone answers nothing.
    expect((await get(running, id)).json.requirements).toHaveLength(2);
    const last = await answer(id, [
      { code: 'relationship', answer: 'My daughter.' },
      { code: 'supporting_document', documentIds: [documentId] },
    ]);
    expect(last.json).toMatchObject({ status: 'PAYMENT_RECEIVED', requirements: [], actionRequiredBy: null });
    await reaches(running, id, 'IN_REVIEW');
    expect((await eventsOf(running, id)).map(({ type, object }) => [type, object.requirements.length])).toEqual([
      ['order.awaiting_payment', 0],
      ['order.payment_received', 0],
      ['order.action_required', 3],
      ['order.information_recorded', 2],
      ['order.payment_received', 0],
      ['order.in_review', 0],
    ]);
    expect((await fileOf(running, id)).answers.map(({ answers }: { answers: object[] }) => answers)).toEqual([
      [{ code: 'purpose', answer: 'School fees.', documentIds: [] }],
      [
        { code: 'relationship', answer: 'My daughter.', documentIds: [] },
        { code: 'supporting_document', answer: null, documentIds: [documentId] },
      ],
    ]);
    payouts.obstacle = undefined;
  });

  it('takes a text for what needs one, a document of this order for what needs one, and each once', async () => {
    payouts.obstacle = 'rail_paused';
    const [id, other] = [await paid(running), await paid(running)];
    for (const each of [id, other]) await ask(running, each, ['purpose', 'proof_of_funds']);
    const strange = (await upload(running, other, await photograph())).json.documentId;
    const wrong: [object[], string][] = [
      [[{ code: 'purpose', documentIds: [strange] }], 'answers.0.answer'],
      [[{ code: 'proof_of_funds', answer: 'My salary.' }], 'answers.0.documentIds'],
      [[{ code: 'proof_of_funds', documentIds: [strange] }], 'answers.0.documentIds.0'],
      [[{ code: 'sender_address', answer: 'Here.' }], 'answers.0.code'],
      [[...['A', 'B'].map((text) => ({ code: 'purpose', answer: text }))], 'answers.1.code'],
    ];
    for (const [answers, field] of wrong) {
      const refused = await answer(id, answers);
      expect([refused.status, refused.json.errors[0].field], refused.text).toEqual([400, field]);
    }
    expect((await get(running, id)).json.requirements).toHaveLength(2);
    payouts.obstacle = undefined;
  });

  it('outside a review is read by a person before money is paid out, also when it was answered before the payment', async () => {
    const id = (await placed(running, await sender(running))).id;
    await ask(running, id, ['purpose', 'beneficiary_details']);
    expect((await answer(id, [{ code: 'purpose', answer: '.' }])).json.status).toBe('ACTION_REQUIRED');
    const corrected = { beneficiary: { ...lupita, lastName: 'Ortega' } };
    const path = `/orders/${id}/beneficiary`;
    const changed = await running.api.post(path, { token: running.acme.token, body: corrected });
    // The correction answers the question about the beneficiary.
    expect(changed.json, changed.text).toMatchObject({ status: 'AWAITING_PAYMENT', requirements: [] });
    await pay(running, id);
    await reaches(running, id, 'IN_REVIEW');
    const file = await fileOf(running, id);
    expect(file.reasons).toEqual(['information']);
    expect(file.answers[0].answers).toEqual([{ code: 'purpose', answer: '.', documentIds: [] }]);
    const body = { note, version: file.version };
    const approved = await running.api.post(`/operator/orders/${id}/approve`, { token: running.admin, body });
    expect(approved.json.state, approved.text).toBe('PAYMENT_RECEIVED');
    await reaches(running, id, 'PAYOUT_SUBMITTED');
  });

  it('ends as if nothing had come when it was answered in part and not in time: unpaid it expires, paid it is refunded', async () => {
    payouts.obstacle = 'rail_paused';
    const unpaid = (await placed(running, await sender(running))).id;
    const waiting = await paid(running);
    for (const id of [unpaid, waiting]) {
      await ask(running, id, ['purpose', 'relationship'], 1);
      expect((await answer(id, [{ code: 'purpose', answer: 'A gift.' }])).status).toBe(200);
    }
    await moveClock(running, running.acme, '25 hours');
    await runExpiry(running, payouts);
    const reason = { statusReason: 'information_not_provided' };
    expect((await get(running, unpaid)).json).toMatchObject({ status: 'EXPIRED', ...reason });
    expect((await get(running, waiting)).json).toMatchObject({ status: 'REFUND_PENDING', ...reason });
    expect(payouts.refundsOf(waiting)).toEqual([10_000n]);
    payouts.obstacle = undefined;
  });
});

describe.each([
  ['the database', () => running],
  ['files', () => inFiles],
])('documents in %s', (_where, service_) => {
  it('are made anew, sealed, and read by reviewers only; each reading is recorded', async () => {
    const service = service_();
    payouts.obstacle = 'rail_paused';
    const user = await sender(service);
    const id = await paid(service, { user });
    await ask(service, id, ['identity_document', 'purpose']);
    const marked = Buffer.concat([await jpegOf(await photograph()), Buffer.from('taken in Calle Mayor 3')]);
    const asUser = await userToken(service, service.acme, user);
    const picture = await upload(service, id, marked, { token: asUser, type: 'text/plain' });
    expect(picture.json, picture.text).toEqual({
      ...{ documentId: expect.stringMatching(/^[0-9a-f]{32}$/), mediaType: 'image/jpeg' },
      ...{ bytes: expect.any(Number), storedAt: expect.any(String) },
    });
    const { documentId, bytes } = picture.json;
    const paper = (await upload(service, id, pdf())).json;
    expect(paper.mediaType).toBe('application/pdf');
    const file = await fileOf(service, id);
    expect(file.documents).toEqual([picture.json, paper]);
    const seen = await download(service, id, documentId);
    expect([seen.status, seen.type, seen.bytes.length]).toEqual([200, 'image/jpeg', bytes]);
    expect([...seen.bytes.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect(seen.bytes.includes('Calle Mayor')).toBe(false);
    const recorded = (await auditRows(service.sql, 'order.document%')).filter(
      ({ subject }) => subject === `order:${id}`,
    );
    expect(recorded.map(({ action }) => action)).toEqual([
      ...['order.document_added', 'order.document_added', 'order.document_looked_at'],
    ]);
    const { rows } = await service.sql.query(
      'SELECT sealed_chunk FROM order_document_chunks WHERE order_id = $1 AND document_id = $2',
      [id, documentId],
    );
    for (const { sealed_chunk } of rows) expect(sealed_chunk.includes(seen.bytes.subarray(100, 130))).toBe(false);
    expect(rows.length > 0).toBe(service === running);
    // Neither the merchant nor the user can read a document, nor see that there is one.
    for (const token of [asUser, service.acme.token])
      expect((await download(service, id, documentId, token)).status).toBe(401);
    expect((await download(service, id, 'f'.repeat(32))).status).toBe(404);
    expect((await get(service, id)).text).not.toContain(documentId);
    // A row whose type was changed does not open, and neither does one of another order.
    await service.sql.query(`UPDATE order_documents SET media_type = 'image/png' WHERE document_id = $1`, [documentId]);
    expect((await download(service, id, documentId)).status).toBe(500);
    await service.sql.query(`UPDATE order_documents SET media_type = 'image/jpeg' WHERE document_id = $1`, [
      documentId,
    ]);
    payouts.obstacle = undefined;
  });

  it('go with the data of the user when nothing has to be kept', async () => {
    const service = service_();
    const user = await sender(service);
    const { id } = await placed(service, user);
    await ask(service, id, ['identity_document'], 1);
    expect((await upload(service, id, await photograph())).status).toBe(200);
    await service.api.post(`/orders/${id}/cancel`, { token: service.acme.token });
    const left = async (table: string) =>
      (await service.sql.query(`SELECT FROM ${table} WHERE order_id = $1`, [id])).rowCount;
    expect([await left('order_documents'), await left('order_accounts')]).toEqual([1, 1]);
    const erased = await service.api.call('DELETE', `/user?userId=${user.id}`, { token: service.acme.token });
    expect(erased.status, erased.text).toBe(200);
    expect([await left('order_documents'), await left('order_accounts')]).toEqual([0, 0]);
  });
});

describe('documents in files', () => {
  it('are kept as long as the law keeps the order, and then deleted with the account that rules know it by', async () => {
    payouts.obstacle = undefined;
    const user = await sender(inFiles);
    payouts.obstacle = 'rail_paused';
    const id = await paid(inFiles, { user });
    await ask(inFiles, id, ['identity_document']);
    const { documentId } = (await upload(inFiles, id, await photograph())).json;
    const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith(documentId));
    const isThere = () => existsSync(join(folder, file ?? 'nowhere'));
    const left = async () =>
      Promise.all(
        ['order_documents', 'order_accounts'].map(
          async (table) => (await inFiles.sql.query(`SELECT FROM ${table} WHERE order_id = $1`, [id])).rowCount,
        ),
      );
    await inFiles.sql.query(
      `SET session_replication_role = replica; UPDATE orders SET state = 'COMPLETED' WHERE order_id = '${id}';
       SET session_replication_role = origin`,
    );
    const erased = await inFiles.api.call('DELETE', `/user?userId=${user.id}`, { token: inFiles.acme.token });
    expect(erased.status, erased.text).toBe(200);
    const anHourAgo = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(join(folder, file ?? 'nowhere'), anHourAgo, anHourAgo);
    await runJob('orders.sweep-document-files');
    expect([await left(), isThere()]).toEqual([[1, 1], true]);
    await moveClock(inFiles, inFiles.acme, '10 years 1 day');
    await runJob('users.end-retention');
    await runJob('orders.sweep-document-files');
    expect([await left(), isThere()]).toEqual([[0, 0], false]);
    expect((await download(inFiles, id, documentId)).status).toBe(404);
    payouts.obstacle = undefined;
  });
});

describe('an upload', () => {
  it('is refused with a reason when the file is none, is too large, or acts', async () => {
    payouts.obstacle = 'rail_paused';
    const id = await paid(running);
    expect(told(await upload(running, id, await photograph()))).toEqual([409, 'order_transition_not_allowed']);
    await ask(running, id, ['supporting_document']);
    const refused = async (bytes: Uint8Array) => {
      const { status, json } = await upload(running, id, bytes);
      return [status, json.code, json.fault];
    };
    expect(await refused(Buffer.from('#!/bin/sh'))).toEqual([422, 'document_refused', 'not_an_accepted_type']);
    expect(await refused(Buffer.alloc(0))).toEqual([422, 'document_refused', 'empty']);
    expect(await refused(plainPng(20, 20))).toEqual([422, 'document_refused', 'too_few_pixels']);
    const large = Buffer.concat([await photograph(), Buffer.alloc(10 * 1024 * 1024)]);
    expect(await refused(large)).toEqual([422, 'document_refused', 'too_large']);
    const script = pdf({ catalogue: '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>' });
    expect((await refused(script))[1]).toBe('document_refused');
    expect(told(await upload(running, id, await photograph(), { field: 'other' }))).toEqual([400, 'invalid_fields']);
    const asJson = await running.api.post(`/orders/${id}/documents`, { token: running.acme.token, body: {} });
    expect(asJson.status).toBe(415);
    expect(told(await upload(running, id, await photograph(), { token: running.rival.token }))).toEqual([
      404,
      'order_not_found',
    ]);
    const nowhere = newMerchantPublicId('ord', running.acme.merchant as never);
    expect(told(await upload(running, nowhere, await photograph()))).toEqual([404, 'order_not_found']);
    const { rowCount } = await running.sql.query('SELECT FROM order_documents WHERE order_id = $1', [id]);
    expect(rowCount).toBe(0);
    payouts.obstacle = undefined;
  });
});
