/** Complaints and reported errors: who files one, by when it is answered, and what puts it right. */
import { describe, expect, it } from 'vitest';
import { clocksOf, remedyDueBy } from '../../src/complaints/clocks.js';
import type { Job } from '../../src/worker/worker.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { type MadeUser, newUser, told, userToken } from '../harness/users.js';
import { cancel, holdLevel, lupita, placed, rateCode, sender } from '../orders/orders.js';
import { pay, reaches, TestPayouts } from '../orders/paid-orders.js';
import { rewriteOrder } from '../orders/rewritten.js';
import { saveCorridor } from '../rates/quoting.js';

const payouts = new TestPayouts();
let retention: Job | undefined;
const running = useRemesa({
  payouts,
  hasRates: true,
  chooseJobs: (jobs) => {
    retention = jobs.find(({ name }) => name === 'users.end-retention');
    return jobs.filter((job) => job !== retention);
  },
});
const claim = { kind: 'error', topic: 'not_received', text: 'My mother has not got the money.' };

const at = (day: string) => new Date(`${day}T10:00:00Z`);
const days = (...moments: (Date | undefined)[]) => moments.map((moment) => moment?.toISOString().slice(0, 10));

describe('the clocks of a complaint', () => {
  const asked = (kind: 'complaint' | 'error', country: string, day: string, available?: string) =>
    clocksOf({ kind, country, at: at(day), availableOn: available });

  it('give 15 bank days in the EEA, and 35 after a holding reply: Christmas and Easter do not count', () => {
    const { answerBy, latestBy, article } = asked('complaint', 'ES', '2026-12-14');
    // 15 to 18, 21 to 24, 28 to 31 December, 4 to 6 January; 25 December and 1 January are closed.
    expect([...days(answerBy, latestBy), article]).toEqual([
      ...['2027-01-06', '2027-02-03'],
      'Directive (EU) 2015/2366 art. 101(2)',
    ]);
    expect(asked('error', 'ES', '2026-12-14').latestBy).toEqual(latestBy);
  });

  it('give 90 days for an error of a sender in the United States, no more, if it is reported within 180', () => {
    const error = asked('error', 'US', '2026-11-15', '2026-11-10');
    // The end of 13 February in New York.
    expect(error).toMatchObject({
      answerBy: new Date('2027-02-14T04:59:59.999Z'),
      latestBy: undefined,
      isInTime: true,
    });
    expect(asked('error', 'US', '2026-11-15', '2026-05-19').isInTime).toBe(true);
    expect(asked('error', 'US', '2026-11-15', '2026-05-18').isInTime).toBe(false);
    expect(asked('complaint', 'US', '2026-11-16').answerBy).toEqual(new Date('2026-12-09T04:59:59.999Z'));
  });

  it('count whole days of the sender’s country: the evening in New York is not the day after', () => {
    const told = (moment: string, availableOn?: string) =>
      clocksOf({ kind: 'error', country: 'US', at: new Date(moment), availableOn });
    // 20:00 on 1 January. The 90th day ends in summer time.
    expect(told('2026-01-02T01:00:00Z').answerBy).toEqual(new Date('2026-04-02T03:59:59.999Z'));
    expect(told('2026-01-02T06:00:00Z').answerBy).toEqual(new Date('2026-04-03T03:59:59.999Z'));
    // 15 November is day 180: its last hour is in time.
    expect(told('2026-11-16T04:59:59Z', '2026-05-19').isInTime).toBe(true);
    expect(told('2026-11-16T05:00:00Z', '2026-05-19').isInTime).toBe(false);
  });

  it('are those of the FCA in the United Kingdom, and those of PSD2 where none are known', () => {
    expect(asked('complaint', 'GB', '2026-11-15').article).toBe('FCA Handbook DISP 1.6.2A');
    expect(days(asked('complaint', 'KE', '2026-11-16').answerBy)).toEqual(['2026-12-07']);
    expect(remedyDueBy('error', 'US', at('2026-11-25'))).toEqual(new Date('2026-11-28T04:59:59.999Z'));
  });
});

const desk = (path: string, body: object) =>
  running.api.post(`/operator/complaints${path}`, { token: running.reviewer, body });
const look = async (id: string) =>
  done(await running.api.get(`/operator/complaints/${id}`, { token: running.reviewer }));
const file = (id: string, body: object = claim, token = running.acme.token) =>
  running.api.post(`/orders/${id}/complaints`, { token, body });
const seenOf = async (id: string, token = running.acme.token) =>
  (await running.api.get(`/orders/${id}/complaints`, { token })).json;
const tasks = async (kind: string) =>
  (await running.api.get(`/operator/tasks?kind=${kind}&limit=200`, { token: running.reviewer })).json.map(
    ({ path }: { path: string }) => path.split('/').at(-1),
  );

async function ordered(): Promise<{ user: MadeUser; orderId: string }> {
  const user = await sender(running);
  return { user, orderId: (await placed(running, user)).id };
}

describe('a complaint about an order', () => {
  it('is filed by the merchant or the user, answered by an operator, and read by both; another merchant sees nothing', async () => {
    const { user, orderId } = await ordered();
    const token = await userToken(running, running.acme, user);
    const filed = done(await file(orderId, claim, token));
    expect(filed).toMatchObject({ kind: 'error', status: 'open', orderId, outcome: null, answers: [] });
    expect(told(await file(orderId, claim, running.rival.token))).toEqual([404, 'order_not_found']);
    expect(told(await running.api.get(`/orders/${orderId}/complaints`, { token: running.rival.token }))[0]).toBe(404);
    expect(await tasks('complaint')).toContain(filed.id);
    const before = await look(filed.id);
    expect(before).toMatchObject({
      channel: 'api',
      country: 'ES',
      texts: [{ kind: 'claim', text: claim.text, by: null }],
    });
    const held = done(await desk(`/${filed.id}/holding-reply`, { text: 'The bank looks for it.', version: 1 }));
    expect(held).toMatchObject({ status: 'held', dueAt: held.latestBy, version: 2 });
    const again = { text: 'Still looking.', version: 2 };
    expect(told(await desk(`/${filed.id}/holding-reply`, again))).toEqual([409, 'complaint_not_holdable']);
    const result = { outcome: 'rejected', remedy: 'none', text: 'The money was paid on Monday.', version: 2 };
    done(await desk(`/${filed.id}/answer`, result));
    const [seen] = await seenOf(orderId, token);
    expect(seen).toMatchObject({ status: 'answered', outcome: 'rejected', remedy: 'none' });
    expect(seen.answers.map(({ text }: { text: string }) => text)).toEqual([
      ...['The bank looks for it.', 'The money was paid on Monday.'],
    ]);
    expect(Object.keys(seen)).not.toContain('country');
    expect(told(await desk(`/${filed.id}/answer`, { ...result, version: 3 }))).toEqual([409, 'complaint_answered']);
    expect(await tasks('complaint')).not.toContain(filed.id);
  });

  it('waits for the refund that was promised, which must be one of the order', async () => {
    const { orderId } = await ordered();
    await pay(running, orderId);
    payouts.obstacle = 'rail_paused';
    const { id } = done(await file(orderId));
    const answer = { outcome: 'upheld', remedy: 'refund', text: 'You get it back.', version: 1 };
    done(await desk(`/${id}/answer`, answer));
    expect(await tasks('complaint_remedy')).toContain(id);
    const named = (reference: string) => desk(`/${id}/remedy`, { reference, version: 2 });
    expect(told(await named('rfd_0000013J8V2T9X5B3N6H0C7D2F'))).toEqual([400, 'invalid_fields']);
    await cancel(running, orderId);
    await reaches(running, orderId, 'REFUND_PENDING');
    await eventually(() => payouts.refundsOf(orderId).length === 1 || undefined);
    const order = done(await running.api.get(`/orders/${orderId}`, { token: running.acme.token }));
    for (const state of ['failed', 'cancelled']) {
      await rewriteOrder(running, orderId, `refunds = jsonb_set(refunds, '{0,state}', '"${state}"')`);
      expect(told(await named(order.refunds[0].id))).toEqual([400, 'invalid_fields']);
    }
    await rewriteOrder(running, orderId, `refunds = jsonb_set(refunds, '{0,state}', '"submitted"')`);
    expect(done(await named(order.refunds[0].id))).toMatchObject({ remedyReference: order.refunds[0].id });
    expect(await tasks('complaint_remedy')).not.toContain(id);
    expect(told(await named(order.refunds[0].id))).toEqual([409, 'version_conflict']);
  });

  it('is put right only by a later order that was paid, goes on, and cost nothing', async () => {
    payouts.obstacle = 'rail_paused';
    const user = await sender(running);
    const send = async () =>
      (await placed(running, user, { body: { rateCode: await rateCode(running, running.acme, 20) } })).id as string;
    const promised = async (orderId: string) => {
      const { id } = done(await file(orderId));
      done(await desk(`/${id}/answer`, { outcome: 'upheld', remedy: 'resend', text: 'We send it again.', version: 1 }));
      return (reference: string) => desk(`/${id}/remedy`, { reference, version: 2 });
    };
    const named = await promised(await send());
    const charged = await send();
    await pay(running, charged);
    done(await saveCorridor(running, 'USD/MXN', { feeFixed: 0, feeBasisPoints: 0 }));
    const [ended, again, unpaid] = [await send(), await send(), await send()];
    for (const id of [ended, again]) await pay(running, id);
    await cancel(running, ended);
    await reaches(running, ended, 'REFUND_PENDING');
    for (const id of [charged, unpaid, ended]) expect(told(await named(id)), id).toEqual([400, 'invalid_fields']);
    const ofTheLast = await promised(unpaid);
    expect(told(await ofTheLast(again))).toEqual([400, 'invalid_fields']);
    expect(done(await named(again))).toMatchObject({ remedyReference: again });
    done(await saveCorridor(running, 'USD/MXN'));
  });

  it('is answered once, also by two operators at the same moment, and nobody reads it in the database', async () => {
    const { orderId } = await ordered();
    const { id } = done(await file(orderId));
    const answer = { outcome: 'rejected', remedy: 'none', text: 'Paid on Monday.', version: 1 };
    const answers = await Promise.all([desk(`/${id}/answer`, answer), desk(`/${id}/answer`, answer)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { rows } = await running.sql.query('SELECT sealed_text FROM complaint_texts WHERE complaint_id = $1', [id]);
    expect(rows).toHaveLength(2);
    expect(rows.map(({ sealed_text }) => sealed_text.toString()).join()).not.toMatch(/mother|Monday/);
  });

  it('keeps what is known of its user until it is answered', async () => {
    const user = await sender(running);
    const letter = { merchant: 'acme', userId: user.id, kind: 'complaint', topic: 'service', channel: 'letter' };
    const { id } = done(await desk('', { ...letter, text: 'Nobody answers the telephone.' }));
    expect(told(await desk('', { ...letter, ...claim }))).toEqual([400, 'invalid_fields']);
    done(await running.api.call('DELETE', `/user?userId=${user.id}`, { token: running.acme.token }));
    const retain = `UPDATE erasures SET retained_until = now() - interval '1 day' WHERE user_id = $1`;
    expect((await running.sql.query(retain, [user.id])).rowCount).toBe(1);
    const read = async () => {
      await retention?.run(AbortSignal.timeout(60_000));
      return (await look(id)).texts[0]?.text;
    };
    expect(await read()).toBe('Nobody answers the telephone.');
    const answer = { outcome: 'upheld', text: 'We are sorry.', version: 1 };
    for (const remedy of ['refund', 'resend'])
      expect(told(await desk(`/${id}/answer`, { ...answer, remedy }))).toEqual([400, 'invalid_fields']);
    done(await desk(`/${id}/answer`, { ...answer, remedy: 'apology' }));
    expect(await read()).toBeUndefined();
  });

  it('is taken from an operator however many wait: a letter has come already', async () => {
    const { user, orderId } = await ordered();
    for (let count = 0; count < 20; count += 1) done(await file(orderId));
    expect(told(await file(orderId))).toEqual([409, 'too_many_complaints']);
    const letter = { merchant: 'acme', userId: user.id, orderId, ...claim, channel: 'letter' };
    expect(done(await desk('', letter))).toMatchObject({ status: 'open', channel: 'letter' });
  });

  it('is counted from the day that the sender accepted, whatever the payout has made of it', async () => {
    const user = await newUser(running, running.acme, { countryCode: 'US', stateProvince: 'NY', postalCode: '10001' });
    await holdLevel(running, running.acme, user, 'LEVEL_1');
    payouts.obstacle = undefined;
    const code = await rateCode(running);
    const preflight = { rateCode: code, beneficiary: lupita, purpose: 'family_support' };
    const { disclosure } = done(
      await running.api.post(`/orders/preflight?userId=${user.id}`, { token: running.acme.token, body: preflight }),
    );
    expect(disclosure.availableOn).toBe('2030-01-02');
    const acceptedDisclosure = { textHash: disclosure.textHash, language: 'en' };
    const accepted = (await placed(running, user, { body: { rateCode: code, acceptedDisclosure } })).id;
    const plain = (await placed(running, user)).id;
    for (const id of [accepted, plain])
      await rewriteOrder(running, id, `estimated_arrival_at = '2020-01-02T15:00:00Z'`);
    const isInTime = async (id: string) => (await look(done(await file(id)).id)).isInTime;
    expect([await isInTime(accepted), await isInTime(plain)]).toEqual([true, false]);
  });

  it('is counted by kind, topic, country and outcome, with how many were in time', async () => {
    const { orderId } = await ordered();
    const { id } = done(await file(orderId, { ...claim, topic: 'wrong_amount_paid' }));
    await running.sql.query(
      `UPDATE complaints SET answer_by = received_at - interval '1 day' WHERE complaint_id = $1`,
      [id],
    );
    const path = '/operator/reports/complaints?from=2020-01-01&until=2100-01-01';
    const counts = (await running.api.get(path, { token: running.viewer })).json;
    expect(counts).toContainEqual({
      ...{ kind: 'error', topic: 'wrong_amount_paid', country: 'ES', outcome: 'unanswered' },
      ...{ complaints: 1, inTime: 0, held: 0 },
    });
  });

  it('is late when it is answered after its day, unless a holding reply came before that', async () => {
    for (const [topic, answerBy] of [
      ['refund', `received_at - interval '1 day'`],
      ['price', 'held_at'],
    ]) {
      const { orderId } = await ordered();
      const { id } = done(await file(orderId, { ...claim, topic }));
      const end = () =>
        running.sql.query(`UPDATE complaints SET answer_by = ${answerBy} WHERE complaint_id = $1`, [id]);
      if (topic === 'refund') await end();
      const held = done(await desk(`/${id}/holding-reply`, { text: 'The bank looks for it.', version: 1 }));
      if (topic === 'price') await end();
      expect(held.dueAt).toBe(topic === 'refund' ? held.answerBy : held.latestBy);
      const listed = (await running.api.get('/operator/tasks?kind=complaint&limit=200', { token: running.reviewer }))
        .json;
      expect(listed.find(({ path }: { path: string }) => path.endsWith(id)).dueAt).toBe(held.dueAt);
      done(await desk(`/${id}/answer`, { outcome: 'rejected', remedy: 'none', text: 'It was paid.', version: 2 }));
    }
    const path = '/operator/reports/complaints?from=2020-01-01&until=2100-01-01';
    const counts = (await running.api.get(path, { token: running.viewer })).json;
    const ofTopic = (topic: string) => counts.find((count: { topic: string }) => count.topic === topic);
    expect(ofTopic('refund')).toMatchObject({ complaints: 1, inTime: 0, held: 1 });
    expect(ofTopic('price')).toMatchObject({ complaints: 1, inTime: 1, held: 1 });
  });
});
