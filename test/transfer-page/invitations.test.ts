/** Invitations: recipients enter their own accounts, and later see what is on its way to them. */
import { describe, expect, it } from 'vitest';
import { auditRows } from '../harness/access.js';
import { done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';
import { type MadeUser, told, userToken } from '../harness/users.js';
import { lupita, placed, sender } from '../orders/orders.js';
import { reaches } from '../orders/paid-orders.js';
import { textOf, visit } from './links.js';

const running = useRemesa({ hasRates: true });
const mexico = { country: 'MX', currency: 'MXN', method: 'bank_account' };
const rosa = {
  ...{ firstName: 'Rosa', lastName: 'Ibarra', 'address.town': 'Oaxaca', 'address.country': 'MX' },
  'account.clabe': lupita.account.clabe,
};

async function invited(body: object = {}, by?: MadeUser) {
  const user = by ?? (await sender(running));
  const { token } = running.acme;
  const path = `/beneficiaries/invitations?userId=${user.id}`;
  const made = done(await running.api.post(path, { token, body: { ...mexico, ...body } }));
  const find = async () =>
    done(await running.api.get(`/beneficiaries/invitations/${made.id}?userId=${user.id}`, { token }));
  return { user, find, id: made.id as string, url: made.url as string };
}
const enter = (url: string, fields: Record<string, string> = rosa) =>
  visit(url, { method: 'POST', body: new URLSearchParams(fields) });
const withdraw = (user: MadeUser, id: string, token = running.acme.token) =>
  running.api.call('DELETE', `/beneficiaries/invitations/${id}?userId=${user.id}`, { token });

describe('an invitation', () => {
  it('becomes a beneficiary of who invited, without the account passing through the sender', async () => {
    const { user, find, url, id } = await invited();
    expect(url).toMatch(/\/recipient\/[0-9A-Z]{6}[\w-]{43}$/);
    const page = await visit(url);
    expect(page.text).toContain('Where should the money go?');
    expect(page.text).toContain('Enter your account in Mexico that takes MXN.');
    for (const field of Object.keys(rosa)) expect(page.html).toContain(`name="${field}"`);
    expect(await find()).toMatchObject({ status: 'open', beneficiaryId: null });
    expect((await enter(url)).status).toBe(303);
    const { status, beneficiaryId } = await find();
    expect(status).toBe('completed');
    const { token } = running.acme;
    const saved = await running.api.get(`/beneficiaries/${beneficiaryId}?userId=${user.id}`, { token });
    expect(saved.json).toMatchObject({ ...mexico, type: 'person', lastName: 'Ibarra', account: lupita.account });
    const [row] = (await auditRows(running.sql, 'invitation.completed')).filter(
      ({ subject }) => subject === `invitation:${id}`,
    );
    expect(row?.actor).toBe('system:recipient');
    expect(running.logText()).not.toContain(url.slice(url.lastIndexOf('/') + 1));
  });

  it('says in the language of the recipient what is wrong, and keeps what was entered', async () => {
    const { url, find } = await invited({ locale: 'es' });
    const page = await enter(url, { ...rosa, firstName: '', 'account.clabe': '032180000118359718' });
    expect(page.status).toBe(422);
    expect(page.html).toContain('<html lang="es"');
    expect(page.text).toContain('¿A dónde debe ir el dinero?');
    expect(page.html).toContain('href="#account.clabe"');
    expect(page.html).toContain('href="#firstName"');
    expect(page.html).toContain('value="Ibarra"');
    expect((await find()).status).toBe('open');
  });

  it('is answered once: a second answer changes nothing, also when both come at the same moment', async () => {
    const { url, user, find } = await invited();
    const other = { ...rosa, 'account.clabe': '002010077777777771' };
    await Promise.all([enter(url), enter(url, other)]);
    const first = await find();
    expect((await enter(url, { ...rosa, lastName: 'Another' })).status).toBe(303);
    expect(await find()).toEqual(first);
    const { token } = running.acme;
    const saved = done(await running.api.get(`/beneficiaries?userId=${user.id}`, { token }));
    expect(saved.map(({ id }: { id: string }) => id)).toEqual([first.beneficiaryId]);
  });

  it('leaves an account that the user has already as it is, and shows nothing of what is sent there', async () => {
    const user = await sender(running);
    const { token } = running.acme;
    const known = done(await running.api.post(`/beneficiaries?userId=${user.id}`, { token, body: lupita }));
    const { find, url } = await invited({}, user);
    expect((await enter(url)).status).toBe(303);
    expect(await find()).toMatchObject({ status: 'completed', beneficiaryId: known.id });
    const kept = await running.api.get(`/beneficiaries/${known.id}?userId=${user.id}`, { token });
    expect(kept.json).toMatchObject({ firstName: 'Guadalupe', lastName: 'Ortega Ruiz' });
    const body = { beneficiary: undefined, beneficiaryId: known.id };
    const { id } = await placed(running, user, { body });
    await running.api.post('/sandbox/payments', { token, body: { orderId: id } });
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    const page = await visit(url);
    expect(page.text).toContain('Thank you. Your account is saved.');
    expect(page.text).not.toContain('On its way');
  });

  it('cannot be answered for another country, currency, method or user', async () => {
    const { url, user, find } = await invited();
    const other = await sender(running);
    await enter(url, { ...rosa, country: 'US', currency: 'USD', method: 'cash_pickup', userId: String(other.id) });
    const { beneficiaryId } = await find();
    const { token } = running.acme;
    const saved = await running.api.get(`/beneficiaries/${beneficiaryId}?userId=${user.id}`, { token });
    expect(saved.json).toMatchObject(mexico);
  });

  it('opens nothing once it was withdrawn, has expired, or was never given out', async () => {
    const [gone, late] = [await invited(), await invited()];
    expect((await withdraw(gone.user, gone.id)).json.status).toBe('withdrawn');
    await running.sql.query(
      `UPDATE recipient_invitations SET created_at = now() - interval '9 days', expires_at = now() - interval '1 second'
        WHERE invitation_id = $1`,
      [late.id],
    );
    expect((await late.find()).status).toBe('expired');
    for (const { url, find } of [gone, late]) {
      expect([(await visit(url)).status, (await enter(url)).status]).toEqual([410, 410]);
      expect((await find()).beneficiaryId).toBeNull();
    }
    for (const guess of [`${gone.url.slice(0, -2)}AA`, `${running.service.url}/recipient/x`])
      expect([(await visit(guess)).status, (await enter(guess)).status]).toEqual([404, 404]);
  });

  it('belongs to its user: another user and another merchant neither see nor withdraw it', async () => {
    const { id, user } = await invited();
    const other = await sender(running);
    expect(told(await withdraw(other, id))).toEqual([404, 'invitation_not_found']);
    expect(told(await withdraw(user, id, running.rival.token))).toEqual([404, 'user_not_found']);
    const token = await userToken(running, running.acme, user);
    const own = await running.api.get('/beneficiaries/invitations', { token });
    expect(own.json.map((invitation: { id: string }) => invitation.id)).toEqual([id]);
    expect(own.text).not.toContain('/recipient/');
  });

  it('is refused for a destination that is not offered, and beyond a hundred', async () => {
    const { user } = await invited();
    const { token } = running.acme;
    const path = `/beneficiaries/invitations?userId=${user.id}`;
    const strange = await running.api.post(path, { token, body: { ...mexico, currency: 'EUR' } });
    expect(told(strange)).toEqual([400, 'invalid_fields']);
    await running.sql.query(
      `INSERT INTO recipient_invitations (merchant_id, invitation_id, token_hash, user_id, country, currency, method,
         type, created_at, expires_at)
       SELECT merchant_id, 'inv_' || lpad(n::text, 26, '0'), sha256(n::text::bytea), user_id, country, currency, method,
         type, created_at, expires_at FROM recipient_invitations, generate_series(1, 99) n WHERE user_id = $1`,
      [user.id],
    );
    expect(told(await running.api.post(path, { token, body: mexico }))).toEqual([409, 'too_many_invitations']);
  });

  it('is gone when its user is deleted', async () => {
    const { url, user } = await invited();
    await running.api.call('DELETE', `/user?userId=${user.id}`, { token: running.acme.token });
    expect((await visit(url)).status).toBe(404);
    expect((await running.sql.query('SELECT FROM recipient_invitations WHERE user_id = $1', [user.id])).rowCount).toBe(
      0,
    );
  });
});

describe('the page of a recipient afterwards', () => {
  it('shows no order that was placed before the recipient entered the account', async () => {
    const user = await sender(running);
    const { token } = running.acme;
    const known = done(await running.api.post(`/beneficiaries?userId=${user.id}`, { token, body: lupita }));
    const body = { beneficiary: undefined, beneficiaryId: known.id };
    const { id } = await placed(running, user, { body });
    await running.api.post('/sandbox/payments', { token, body: { orderId: id } });
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    const { url } = await invited({}, user);
    await enter(url, { ...rosa, firstName: 'Guadalupe', lastName: 'Ortega Ruiz', 'address.town': 'Guadalajara' });
    expect((await visit(url)).text).not.toContain('On its way');
    const later = await placed(running, user, { body });
    await running.api.post('/sandbox/payments', { token, body: { orderId: later.id } });
    await reaches(running, later.id, 'PAYOUT_SUBMITTED');
    expect((await visit(url)).text.match(/On its way/g)).toHaveLength(1);
  });

  it('tells what has left for the recipient, and nothing of what the sender pays or of what happens before', async () => {
    const { url, user, find } = await invited();
    await enter(url);
    const { beneficiaryId } = await find();
    const body = { beneficiary: undefined, beneficiaryId };
    const order = await placed(running, user, { body });
    const waiting = await visit(url);
    expect(waiting.text).toContain('Thank you. Your account is saved.');
    expect(waiting.html).not.toContain(order.id);
    await running.api.post('/sandbox/payments', { token: running.acme.token, body: { orderId: order.id } });
    await reaches(running, order.id, 'PAYOUT_SUBMITTED');
    const page = await visit(url);
    expect(page.text).toContain('On its way');
    const seen = /data-version="([\w-]{16})"/.exec(page.html)?.[1];
    expect(seen).not.toBe(/data-version="([\w-]{16})"/.exec(waiting.html)?.[1]);
    expect((await visit(`${url}?seen=${seen}`)).status).toBe(204);
    const arrives = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 }).format(order.amountOut);
    expect(page.text).toContain(`MXN ${arrives}`);
    for (const secret of [order.id, order.payIn.reference, 'USD', '100.00', lupita.account.clabe])
      expect(textOf(page.html)).not.toContain(secret);
  });
});
