/** POST, GET and DELETE of /orders/{id}/links, and what a link opens. */
import { describe, expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { told, userToken } from '../harness/users.js';
import { get, orderJobNames, placed, sender } from '../orders/orders.js';
import { askForLink, newLink, stageIn, visit } from './links.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const withdraw = (orderId: string, linkId: string, token = running.acme.token) =>
  running.api.call('DELETE', `/orders/${orderId}/links/${linkId}`, { token });

describe('POST /orders/{id}/links', () => {
  it('makes a link that opens the page of the order, and stores only a hash of its token', async () => {
    const order = await placed(running, await sender(running));
    const link = await newLink(running, order.id);
    expect(link.url).toMatch(/^http:\/\/[^/]+\/transfer\/[0-9A-Z]{6}[\w-]{43}$/);
    const page = await visit(link.url);
    expect([page.status, stageIn(page)]).toEqual([200, 'pay']);
    expect(page.text).toContain(order.id);
    const { rows } = await running.sql.query('SELECT * FROM transfer_links WHERE link_id = $1', [link.id]);
    expect(JSON.stringify(rows)).not.toContain(tokenOf(link.url));
    expect(running.logText()).not.toContain(tokenOf(link.url));
  });

  it('lasts thirty days unless the merchant says otherwise', async () => {
    const { id } = await placed(running, await sender(running));
    const days = ({ expiresAt }: { expiresAt: string }) => (new Date(expiresAt).getTime() - Date.now()) / 86_400_000;
    expect(days(await newLink(running, id))).toBeCloseTo(30, 1);
    expect(days(await newLink(running, id, { expiresInDays: 2 }))).toBeCloseTo(2, 1);
    expect(told(await askForLink(running, id, { body: { expiresInDays: 0 } }))).toEqual([400, 'invalid_fields']);
    expect(told(await askForLink(running, id, { body: { expiresInDays: 181 } }))).toEqual([400, 'invalid_fields']);
  });

  it('opens in the language of the link, and in another one that the sender chooses', async () => {
    const { id } = await placed(running, await sender(running));
    const { url } = await newLink(running, id, { locale: 'ar' });
    expect((await visit(url, { headers: { 'accept-language': 'fr' } })).html).toContain('<html lang="ar" dir="rtl">');
    expect((await visit(`${url}?lang=es`)).html).toContain('<html lang="es" dir="ltr">');
  });

  it('offers the languages that the merchant has chosen, also in the identity form, and the first of them for any other', async () => {
    const brand = async (branding: object) =>
      done(await running.api.call('PATCH', '/operator/merchants/rival', { token: running.admin, body: { branding } }));
    await brand({ languages: ['es', 'pt'] });
    const { rival } = running;
    const user = await sender(running, rival);
    const { id } = await placed(running, user, { merchant: rival });
    const { url } = done(await askForLink(running, id, { merchant: rival, body: { locale: 'ur' } }));
    const body = { kycLevel: 'LEVEL_2', zone: 'EEA' };
    const form = done(await running.api.post(`/kyc/links?userId=${user.id}`, { token: rival.token, body })).url;
    for (const page of [url, form]) {
      const inLanguage = async (asked: string, query = '') => {
        const { html } = await visit(`${page}${query}`, { redirect: 'follow', headers: { 'accept-language': asked } });
        return [
          /<html lang="(\w+)"/.exec(html)?.[1],
          [...html.matchAll(/hreflang="(\w+)"/g)].map(([, one]) => one).join(),
        ];
      };
      expect(await inLanguage('fr')).toEqual(['es', 'es,pt']);
      expect(await inLanguage('pt-BR')).toEqual(['pt', 'es,pt']);
      expect(await inLanguage('pt', '?lang=ar')).toEqual(['pt', 'es,pt']);
      expect(await inLanguage('fr', '?lang=pt')).toEqual(['pt', 'es,pt']);
    }
    await brand({ languages: ['tl'] });
    expect((await visit(url)).html).not.toContain('hreflang');
    await brand({});
    expect((await visit(url)).html).toContain('<html lang="ur"');
  });

  it('refuses a redirect url that the merchant has not registered', async () => {
    const { id } = await placed(running, await sender(running));
    const body = { redirectUrl: 'https://elsewhere.example/' };
    expect(told(await askForLink(running, id, { body }))).toEqual([422, 'redirect_url_not_registered']);
    const { url } = await newLink(running, id, { redirectUrl: 'http://localhost:8000/done' });
    expect((await visit(url)).html).toContain('href="http://localhost:8000/done"');
  });

  it('refuses another merchant, a user, and an order that does not exist', async () => {
    const user = await sender(running);
    const { id } = await placed(running, user);
    expect(told(await askForLink(running, id, { merchant: running.rival }))).toEqual([404, 'order_not_found']);
    expect(told(await askForLink(running, 'ord_00000000000000000000000000'))).toEqual([404, 'order_not_found']);
    const token = await userToken(running, running.acme, user);
    expect(told(await running.api.post(`/orders/${id}/links`, { token, body: {} }))).toEqual([
      403,
      'merchant_token_required',
    ]);
  });
});

describe('a link', () => {
  it('opens nothing once it was withdrawn, and withdrawing it again changes nothing', async () => {
    const { id } = await placed(running, await sender(running));
    const [first, second] = [await newLink(running, id), await newLink(running, id)];
    const withdrawn = await withdraw(id, first.id);
    expect(withdrawn.json).toMatchObject({ id: first.id, withdrawnAt: expect.stringMatching(/Z$/) });
    expect((await withdraw(id, first.id)).json).toEqual(withdrawn.json);
    const page = await visit(first.url);
    expect(page.status).toBe(410);
    expect(page.text).toContain('This link no longer works');
    expect(page.text).not.toContain(id);
    expect((await visit(second.url)).status).toBe(200);
    const listed = await running.api.get(`/orders/${id}/links`, { token: running.acme.token });
    expect(
      listed.json.map((link: { id: string; withdrawnAt: unknown }) => [link.id, link.withdrawnAt === null]),
    ).toEqual([
      [first.id, false],
      [second.id, true],
    ]);
    expect(listed.text).not.toContain(tokenOf(second.url));
  });

  it('does nothing when it was withdrawn while its form was being sent', async () => {
    const user = await sender(running);
    const { id } = await placed(running, user);
    const link = await newLink(running, id);
    const blocker = await running.sql.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM users WHERE user_id = $1 FOR UPDATE', [user.id]);
    const posted = visit(`${link.url}/cancel`, { method: 'POST', body: new URLSearchParams() });
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => (await running.sql.query(waiting)).rowCount === 1, { what: 'the form to wait' });
    expect((await withdraw(id, link.id)).json.withdrawnAt).not.toBeNull();
    await blocker.query('ROLLBACK');
    blocker.release();
    expect((await posted).status).toBe(410);
    expect((await get(running, id)).json.status).toBe('AWAITING_PAYMENT');
  });

  it('is withdrawn by its own merchant and with its own order only', async () => {
    const user = await sender(running);
    const [order, other] = [await placed(running, user), await placed(running, await sender(running))];
    const link = await newLink(running, order.id);
    expect(told(await withdraw(order.id, link.id, running.rival.token))).toEqual([404, 'order_not_found']);
    expect(told(await withdraw(other.id, link.id))).toEqual([404, 'link_not_found']);
    expect(told(await withdraw(order.id, 'lnk_unknown'))).toEqual([404, 'link_not_found']);
    expect((await visit(link.url)).status).toBe(200);
  });

  it('opens nothing after it expired', async () => {
    const { id } = await placed(running, await sender(running));
    const link = await newLink(running, id);
    await running.sql.query(
      `UPDATE transfer_links SET created_at = now() - interval '2 days', expires_at = now() - interval '1 second'
        WHERE link_id = $1`,
      [link.id],
    );
    expect((await visit(link.url)).status).toBe(410);
    expect((await visit(`${link.url}/receipt`)).status).toBe(410);
  });

  it('opens nothing if it was never given out, whatever it looks like', async () => {
    const { id } = await placed(running, await sender(running));
    const { url } = await newLink(running, id);
    const last = url.at(-1) === 'A' ? 'B' : 'A';
    const guesses = [`${url.slice(0, -1)}${last}`, url.slice(0, -1), `${url}A`, `${running.service.url}/transfer/x`];
    for (const guess of guesses) {
      const page = await visit(guess);
      expect([page.status, stageIn(page)]).toEqual([404, undefined]);
      expect(page.text).not.toContain('The merchant acme');
    }
  });

  it('opens nothing after its user was deleted', async () => {
    const user = await sender(running);
    const { id } = await placed(running, user);
    const { url } = await newLink(running, id);
    await running.api.post(`/orders/${id}/cancel`, { token: running.acme.token });
    await running.api.call('DELETE', `/user?userId=${user.id}`, { token: running.acme.token });
    expect((await visit(url)).status).toBe(404);
    expect((await running.sql.query('SELECT FROM transfer_links WHERE order_id = $1', [id])).rowCount).toBe(0);
  });
});
