/** What a sender does on the page of a transfer, as a browser without scripts does it. */
import { describe, expect, it } from 'vitest';
import { photograph } from '../documents/images.js';
import { auditRows } from '../harness/access.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { get, lupita, operate, placed, sender } from '../orders/orders.js';
import { reaches } from '../orders/paid-orders.js';
import { newLink, type Seen, stageIn, visit } from './links.js';

const running = useRemesa({ hasRates: true });

async function linked(asked: Parameters<typeof placed>[2] = {}) {
  const order = await placed(running, await sender(running), asked);
  return { id: order.id as string, order, url: (await newLink(running, order.id)).url };
}
const shown = async (id: string) => (await get(running, id)).json;
const post = (url: string, fields: Record<string, string> = {}) =>
  visit(url, { method: 'POST', body: new URLSearchParams(fields) });
/** Leads back to the page of the transfer. */
const leadsTo = ({ status, headers }: Seen, from: string) => [
  status,
  new URL(headers.get('location') ?? 'x:', from).href,
];
async function asked(...items: string[]) {
  const made = await linked();
  await operate(running, made.id, 'refer');
  await operate(running, made.id, 'request-information', { items });
  return made;
}

describe('cancelling', () => {
  it('asks first, and then cancels as the user of the order', async () => {
    const { id, url } = await linked();
    expect((await visit(url)).html).toContain('/cancel"');
    const page = await visit(`${url}/cancel`);
    expect(page.text).toContain('Cancel this transfer? Nothing is sent.');
    expect((await shown(id)).status).toBe('AWAITING_PAYMENT');
    expect(leadsTo(await post(`${url}/cancel`), `${url}/cancel`)).toEqual([303, url]);
    expect((await shown(id)).status).toBe('CANCELLED');
    expect(stageIn(await visit(url))).toBe('cancelled');
    const row = (await auditRows(running.sql, 'order.cancel')).find(({ subject }) => subject === `order:${id}`);
    expect(row?.actor).toMatch(/^user:/);
  });

  it('leads back to the page, which says so, when it is too late', async () => {
    const { id, url } = await linked();
    await running.api.post('/sandbox/payments', { token: running.acme.token, body: { orderId: id } });
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    expect((await visit(url)).html).not.toContain('/cancel"');
    expect(leadsTo(await visit(`${url}/cancel`), `${url}/cancel`)).toEqual([303, url]);
    const late = await post(`${url}/cancel`);
    expect(leadsTo(late, `${url}/cancel`)).toEqual([303, `${url}?changed=yes`]);
    expect((await visit(`${url}?changed=yes`)).text).toContain('The transfer has changed in the meantime.');
  });
});

describe('answering', () => {
  it('takes texts and documents, keeps what is complete, and asks again for the rest', async () => {
    const { id, url } = await asked('purpose', 'relationship', 'supporting_document');
    const page = await visit(url);
    expect(stageIn(page)).toBe('answer');
    for (const field of ['answer-purpose', 'answer-relationship', 'document-supporting_document'])
      expect(page.html).toContain(`name="${field}"`);
    const form = new FormData();
    form.set('answer-purpose', 'School fees.');
    form.set('answer-relationship', ' ');
    form.set('document-supporting_document', new Blob(['no picture']), 'x.jpg');
    const refused = await visit(`${url}/answers`, { method: 'POST', body: form });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('How do you know the recipient?: Answer this question');
    expect(refused.text).toContain('The file cannot be used.');
    expect((await shown(id)).requirements.map(({ code }: { code: string }) => code)).toEqual([
      'relationship',
      'supporting_document',
    ]);
    const rest = new FormData();
    rest.set('answer-relationship', 'My daughter.');
    rest.set('document-supporting_document', new Blob([new Uint8Array(await photograph())]), 'x.jpg');
    expect(leadsTo(await visit(`${url}/answers`, { method: 'POST', body: rest }), `${url}/answers`)).toEqual([
      303,
      url,
    ]);
    expect((await shown(id)).status).not.toBe('ACTION_REQUIRED');
    const { answers } = (await running.api.get(`/operator/orders/${id}/review`, { token: running.admin })).json;
    expect(answers.flatMap((sent: { answers: object[] }) => sent.answers)).toEqual([
      { code: 'purpose', answer: 'School fees.', documentIds: [] },
      { code: 'relationship', answer: 'My daughter.', documentIds: [] },
      { code: 'supporting_document', answer: null, documentIds: [expect.stringMatching(/^[0-9a-f]{32}$/)] },
    ]);
  });

  it('shows what was entered again, without running it as markup', async () => {
    const { url } = await asked('purpose', 'relationship');
    const page = await post(`${url}/answers`, {
      'answer-purpose': `${'<script>alert(1)</script>'}${'x'.repeat(2000)}`,
    });
    expect(page.status).toBe(422);
    expect(page.text).toContain('Use at most 2,000 characters');
    expect(page.html).not.toContain('<script>alert');
    expect(page.html).toContain('&lt;script>alert(1)');
  });

  it('says that a recipient is right, or leads to the correction of it', async () => {
    const { id, url } = await asked('beneficiary_details');
    expect((await visit(url)).html).toContain('/recipient"');
    await post(`${url}/answers`, { 'answer-beneficiary_details': 'yes' });
    expect((await shown(id)).requirements).toEqual([]);
  });
});

describe('a new rate', () => {
  async function late() {
    const { order, id, url } = await linked({ body: { beneficiary: { ...lupita } } });
    const bookedAt = new Date(Date.parse(order.rateGuaranteedUntil) + 84 * 3_600_000).toISOString();
    const body = { orderId: id, amount: 40, bookedAt };
    done(await running.api.post('/sandbox/payments', { token: running.acme.token, body }));
    const page = await visit(url);
    expect(stageIn(page)).toBe('choose');
    const version = /name="version" value="(\d+)"/.exec(page.html)?.[1] ?? '';
    return { id, url, page, version };
  }

  it('is shown beside the old one, and refused by a button', async () => {
    const { id, url, page, version } = await late();
    expect(page.text).toContain('USD 100.00 → MXN');
    expect(page.text).toContain('USD 40.00 → MXN');
    expect(leadsTo(await post(`${url}/requote`, { version, answer: 'refuse' }), `${url}/requote`)).toEqual([303, url]);
    expect((await shown(id)).statusReason).toBe('requote_not_accepted');
  });

  it('is accepted only as it was shown, and never without an answer', async () => {
    const { id, url, version } = await late();
    const stale = await post(`${url}/requote`, { version: String(Number(version) - 1), answer: 'accept' });
    expect(leadsTo(stale, `${url}/requote`)).toEqual([303, `${url}?changed=yes`]);
    for (const answer of ['', 'yes']) await post(`${url}/requote`, { version, answer });
    expect((await shown(id)).status).toBe('ACTION_REQUIRED');
    await post(`${url}/requote`, { version, answer: 'accept' });
    expect((await shown(id)).requirements).toEqual([]);
  });
});

describe('correcting the recipient', () => {
  const beneficiary = async (id: string) =>
    (await running.api.get(`/orders/${id}/beneficiary`, { token: running.acme.token })).json;

  it('changes what was entered, keeps the rest, and shows no full account', async () => {
    const account = { clabe: '002010077777777771' };
    const { id, url } = await linked({ body: { beneficiary: { ...lupita, account } } });
    const before = await beneficiary(id);
    const page = await visit(`${url}/recipient`);
    expect(page.html).toContain('name="account.clabe"');
    expect(page.html).not.toContain(account.clabe);
    expect(page.html).not.toContain('Guadalajara');
    const saved = await post(`${url}/recipient`, { lastName: 'Ortega Pérez', 'account.clabe': ' ' });
    expect(leadsTo(saved, `${url}/recipient`)).toEqual([303, url]);
    expect(await beneficiary(id)).toEqual({ ...before, lastName: 'Ortega Pérez' });
    expect((await visit(url)).text).toContain('Guadalupe Ortega Pérez');
  });

  it('says which field is wrong, and changes nothing then', async () => {
    const { id, url } = await linked();
    const before = await beneficiary(id);
    const page = await post(`${url}/recipient`, { firstName: 'Rosa', 'account.clabe': '032180000118359718' });
    expect(page.status).toBe(422);
    expect(page.text).toContain('CLABE: this does not look right');
    expect(page.html).toContain('value="Rosa"');
    expect(await beneficiary(id)).toEqual(before);
  });

  it('cannot move the money to another country, currency or method', async () => {
    const { id, url } = await linked();
    await post(`${url}/recipient`, { country: 'US', currency: 'USD', method: 'cash_pickup', type: 'company' });
    const { country, currency, method, type } = await beneficiary(id);
    expect([country, currency, method, type]).toEqual(['MX', 'MXN', 'bank_account', 'person']);
  });

  it('is not offered once the money has come', async () => {
    const { id, url } = await linked();
    await running.api.post(`/orders/${id}/cancel`, { token: running.acme.token });
    expect(leadsTo(await visit(`${url}/recipient`), `${url}/recipient`)).toEqual([303, url]);
    const late = await post(`${url}/recipient`, { lastName: 'Late' });
    expect(leadsTo(late, `${url}/recipient`)).toEqual([303, `${url}?changed=yes`]);
  });
});

describe('the pick-up code', () => {
  it('is shown by a second step only, which is recorded', async () => {
    const { account: _, ...person } = lupita;
    const cash = { ...person, method: 'cash_pickup', account: { phoneNumber: '+525512345678' } };
    const { id, url } = await linked({ body: { beneficiary: cash } });
    const { token } = running.acme;
    await running.api.post('/sandbox/payments', { token, body: { orderId: id, amount: 100 } });
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    const code = await eventually(async () => {
      const answer = await running.api.get(`/orders/${id}/pickup-code`, { token });
      return answer.status === 200 ? (answer.json.pickupCode as string) : undefined;
    });
    const page = await visit(url);
    expect(stageIn(page)).toBe('collect');
    expect(page.html).not.toContain(code);
    expect((await visit(`${url}/code`)).status).toBe(405);
    const opened = await post(`${url}/code`);
    expect(opened.text).toContain(code);
    expect(opened.headers.get('cache-control')).toBe('no-store');
    expect(running.logText()).not.toContain(code);
    expect(await auditRows(running.sql, 'order.pickup_code_shown')).toMatchObject([{ subject: `order:${id}` }]);
  });
});

describe('a link that does not work', () => {
  it('does nothing, whatever is posted to it', async () => {
    const { id, url } = await linked();
    const link = await newLink(running, id);
    await running.api.call('DELETE', `/orders/${id}/links/${link.id}`, { token: running.acme.token });
    const paths = ['cancel', 'recipient', 'answers', 'requote', 'code'];
    for (const path of paths) {
      expect((await post(`${link.url}/${path}`)).status).toBe(410);
      expect((await post(`${url.slice(0, -2)}AA/${path}`)).status).toBe(404);
      expect((await post(`${running.service.url}/transfer/x/${path}`)).status).toBe(404);
    }
    expect((await shown(id)).status).toBe('AWAITING_PAYMENT');
  });

  it('is limited: a link takes thirty posts in a minute', async () => {
    const { url } = await linked();
    const statuses: number[] = [];
    for (let tries = 0; tries < 31; tries += 1) statuses.push((await post(`${url}/requote`)).status);
    expect([statuses[29], statuses[30]]).toEqual([303, 429]);
  });
});
