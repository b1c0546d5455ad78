/** Links and forms of others: they do nothing, say nothing untrue, and leave no name behind. */
import { beforeAll, describe, expect, it } from 'vitest';
import { Desk, type DeskOptions } from '../../src/console/desk.js';
import { donePage } from '../../src/console/handlers/command-done.js';
import { isSameOrigin } from '../../src/console/same-origin.js';
import { isConsoleAddress } from '../../src/console/shown/links.js';
import type { Visitor as SignedIn } from '../../src/console/visitor.js';
import type { CommandRoute } from '../../src/http/route.js';
import { databaseUnavailable } from '../../src/postgres/failure.js';
import { auditRows, newOperator } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';
import { newUser } from '../harness/users.js';
import { placed, sender } from '../orders/orders.js';
import { movement, usePayInAccounts } from '../payments/payments.js';
import { formTokenOf, Visitor } from './pages.js';

const running = useRemesa({ hasRates: true });
usePayInAccounts(running);
let ana: Visitor;

beforeAll(async () => {
  await newOperator(running.service.database, 'ana', 'admin');
  ana = new Visitor(() => running.service.url);
  await ana.signIn('ana');
});

const search = async (q: string) =>
  ana.send('/console/search', { formToken: formTokenOf((await ana.open('/console/account')).html), q });

describe('a page fetched in advance', () => {
  it('records no reading, wherever the page or form reads', async () => {
    const order = await placed(running, await sender(running));
    const body = movement({ accountId: 'acme-usd', amount: 31 });
    const { json } = await running.api.post('/operator/payments', { token: running.reviewer, body, key: 'advance' });
    const found = (await search('Luisa Gil')).location ?? '';
    const looks = async () => (await running.sql.query('SELECT count(*)::int FROM changes')).rows[0].count;
    const before = await looks();
    for (const path of [
      `/console/orders/${order.id}/notes`,
      `/console/do/voidPayment?paymentId=${json.id}`,
      `/console/kyc/kyc_${'0'.repeat(26)}`,
      '/console/payments',
      '/console/orders?export=csv',
      found,
    ]) {
      const { status } = await ana.open(path, { 'sec-purpose': 'prefetch;prerender' });
      expect([path, status]).toEqual([path, 503]);
    }
    expect(await looks()).toBe(before);
  });
});

describe('a link of somebody else', () => {
  it('cannot say that something was done', async () => {
    const { html } = await ana.open('/console/approvals?done=approveRequest');
    expect(html).not.toContain('Done: ');
    const forged = await ana.open(`/console/approvals?done=approveRequest&proof=${'A'.repeat(22)}`);
    expect(forged.html).not.toContain('Done: ');
    const order = await placed(running, await sender(running));
    const sent = await ana.fill(`/console/do/writeOrderNote?id=${order.id}`, { note: 'Called.' });
    expect((await ana.open(sent.location ?? '')).html).toContain('Done: ');
    // The proof of one act is none of another.
    const other = (sent.location ?? '').replace('writeOrderNote', 'approveOrderReview');
    expect((await ana.open(other)).html).not.toContain('Done: ');
  });

  it('fills in nothing but what our own lists do', async () => {
    const kind = { kind: 'rail', name: 'bank' };
    const resume = await ana.open(`/console/do/resumePayouts?${new URLSearchParams(kind)}`);
    expect(resume.html).toContain('value="bank"');
    const { html } = await ana.open('/console/do/recordPayment?amount=7777&bankReference=forged&version=99');
    expect(html).not.toMatch(/7777|forged|value="99"/);
  });

  it('leads to no other place', () => {
    for (const address of ['/console', '/console/orders?state=FROZEN', '/console/kyc/kyc_1', '/console?kind=review'])
      expect([address, isConsoleAddress(address)]).toEqual([address, true]);
    for (const address of ['/console/..', '/console/../operator/x', '/console/%2e%2e/x', '/console/a/./b', '/consoles'])
      expect([address, isConsoleAddress(address)]).toEqual([address, false]);
  });

  it('comes from another site if it comes over http to a console that browsers reach by https', () => {
    const headers = { host: 'pay.example.com', origin: 'http://pay.example.com' };
    expect(isSameOrigin(headers, 'https://pay.example.com', true)).toBe(false);
    expect(isSameOrigin({ ...headers, origin: 'https://pay.example.com' }, 'https://pay.example.com', true)).toBe(true);
    expect(isSameOrigin(headers, 'http://localhost', false)).toBe(true);
  });
});

describe('the search box', () => {
  it('finds a person by name, and the name is in no address', async () => {
    const user = await newUser(running, running.acme, { firstName: 'Guadalupe', lastName: 'Ortega Ruiz' });
    const { status, location } = await search('Guadalupe Ortega Ruiz');
    expect(status).toBe(303);
    expect(location).toMatch(/^\/console\/search\?for=[\w-]+$/);
    const { html } = await ana.open(location ?? '');
    expect(html).toContain(`/console/users/${user.id}?merchant=acme`);
    expect((await auditRows(running.sql, 'person.searched')).length).toBeGreaterThan(0);
    const stranger = new Visitor(() => running.service.url);
    await newOperator(running.service.database, 'other', 'admin');
    await stranger.signIn('other');
    expect((await stranger.open(location ?? '')).html).not.toContain('Guadalupe');
  });

  it('opens an id, and never fails or leaves the console, whatever is typed', async () => {
    const order = await placed(running, await sender(running));
    expect((await search(order.id)).location).toBe(`/console/orders/${order.id}`);
    expect((await search('/operator/orders/stuck')).location).toBe('/console/orders/stuck');
    for (const typed of ['/operator/عبد', '/operator/../secret', '/operator//evil.example', '%', 'x'.repeat(500)])
      expect((await search(typed)).location).toMatch(/^\/console\/search\?for=/);
  });
});

describe('a form', () => {
  it('asks for the password where a secret is shown or access is taken away', async () => {
    for (const path of ['rotateSigningKeys', 'endMerchantSecret?clientId=acme&secretId=1'])
      expect((await ana.open(`/console/do/${path}`)).html).toContain('name="ownPassword"');
  });

  it('is followed by the answer of its command, where no page has it', async () => {
    const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const parameters = { days: 30, minOrders: 3, thresholdUsd: 1000, withinPercent: 10 };
    const { status, html } = await ana.fill('/console/do/replayMonitoringRule', {
      kind: 'structuring',
      ...Object.fromEntries(Object.entries(parameters).map(([name, value]) => [`parameters.${name}`, String(value)])),
      from: day(30),
      until: day(1),
    });
    expect([status, html.includes('What the rule would have found')]).toEqual([200, true]);
  });
});

it('a page that needs a filter asks for it', async () => {
  const { status, html } = await ana.open('/console/reports/day');
  expect([status, html.includes('name="day"')]).toEqual([200, true]);
  expect((await ana.open('/console/reports/day?day=2026-11-15')).status).toBe(200);
});

describe('what a page says', () => {
  it('a restricted secret does not take the place of a full one, and a merchant without any has none', async () => {
    const { clientSecret, token } = running.acme;
    const page = async () => (await ana.open('/console/merchants/acme')).html;
    const body = { currentSecret: clientSecret, name: 'Reports', scopes: ['orders.read'] };
    expect((await running.api.post('/merchant/secrets', { token, body, key: 'restricted' })).status).toBe(200);
    expect(await page()).toContain('Reports');
    expect(await page()).not.toContain('end the older');
    const rotated = { currentSecret: clientSecret };
    expect((await running.api.post('/merchant/secrets/rotate', { token, body: rotated, key: 'full' })).status).toBe(
      200,
    );
    expect(await page()).toContain('end the older');
    await running.sql.query('DELETE FROM merchant_secrets WHERE merchant_id = $1', [running.rival.merchant]);
    expect((await ana.open('/console/merchants/rival')).html).toContain('No secret: it can do nothing.');
  });

  it('a url that fails is seen, however many others there are', async () => {
    await running.sql.query(`WITH made AS (
      INSERT INTO merchants (client_id, name) SELECT 'many-' || n, 'Many' FROM generate_series(1, 201) AS n
      RETURNING merchant_id)
      INSERT INTO webhook_endpoints (merchant_id, channel, url)
      SELECT merchant_id, 'order', 'https://example.com/hook' FROM made`);
    expect((await ana.open('/console/health')).html).toContain('Every url answers.');
    await running.sql.query(`UPDATE webhook_endpoints SET failing_since = now()
      WHERE merchant_id = (SELECT max(merchant_id) FROM webhook_endpoints)`);
    expect((await ana.open('/console/health')).html).not.toContain('Every url answers.');
  });

  it('a command that is done is not shown as refused when what comes next cannot be read', async () => {
    const calls = {
      routes: [],
      find: (operationId: string) => ({
        operationId,
        kind: 'command',
        method: 'POST',
        access: { token: 'operator', role: 'viewer' },
      }),
      read: () => Promise.reject(databaseUnavailable(new Error('away'))),
    };
    const desk = new Desk({ calls, mode: 'sandbox' } as unknown as DeskOptions);
    const session = { sessionId: 1n, login: 'ana', role: 'admin' };
    const visitor = { session, caller: session, secret: 'secret', formToken: '' } as unknown as SignedIn;
    const path = '/operator/kyc/{caseId}/decision';
    const route = { operationId: 'decideKycCase', method: 'POST', path, kind: 'command' } as unknown as CommandRoute;
    const command = { desk, visitor, route, params: {}, filters: {}, variant: undefined };
    const done = await donePage(command, { status: 200, value: undefined }, true);
    expect([done.status, done.headers?.location]).toEqual([303, expect.stringMatching(/^\/console\?done=decideKyc/)]);
    expect((await desk.framed(visitor, { title: 'New secret', children: 'rms_1' })).html).toContain('rms_1');
  });
});

describe('a saved view', () => {
  const save = async (visitor: Visitor, path: string, more: Record<string, string> = {}) => {
    const { html } = await visitor.open('/console/orders?state=FROZEN');
    const [, formKey = ''] = /action="\/console\/do\/saveView"[\s\S]*?name="formKey" value="([^"]+)"/.exec(html) ?? [];
    return visitor.send('/console/do/saveView', { formToken: formTokenOf(html), formKey, path, ...more });
  };

  it('stands in the menu of whom it is for, as text, and goes when its owner deletes it', async () => {
    const bob = new Visitor(() => running.service.url);
    await newOperator(running.service.database, 'bob', 'viewer');
    await bob.signIn('bob');
    const path = '/operator/orders?state=FROZEN';
    expect((await save(ana, path, { name: 'Mine' })).location).toMatch(/^\/console\/views\?done=saveView/);
    expect((await save(ana, path, { name: '<b>All</b>', isShared: 'true' })).status).toBe(303);
    const menu = /<a href="\/console\/orders\?state=FROZEN"><bdi>(.*?)<\/bdi>/g;
    const seenBy = async (visitor: Visitor) =>
      [...(await visitor.open('/console/commands')).html.matchAll(menu)].map(([, name]) => name);
    expect(await seenBy(ana)).toEqual(['&lt;b>All&lt;/b>', 'Mine']);
    expect(await seenBy(bob)).toEqual(['&lt;b>All&lt;/b>']);
    const { html } = await ana.open('/console/views');
    const ids = [...html.matchAll(/deleteView\?viewId=(\d+)/g)].map(([, id]) => id);
    expect(ids).toHaveLength(2);
    const formToken = formTokenOf((await bob.open('/console/views')).html);
    for (const id of ids)
      expect((await bob.send(`/console/do/deleteView?viewId=${id}`, { formToken })).status).toBe(404);
    expect((await ana.send(`/console/do/deleteView?viewId=${ids[0]}`, { formToken: formTokenOf(html) })).status).toBe(
      303,
    );
    expect(await seenBy(ana)).toEqual(['Mine']);
  });

  it('has the filters of the page, and not the place in the list', async () => {
    const { html } = await ana.open('/console/orders?state=FROZEN&limit=5');
    expect(/name="path" value="([^"]+)"/.exec(html)?.[1]).toBe('/operator/orders?state=FROZEN');
    expect((await ana.open('/console/orders?limit=5')).html).not.toContain('Save this view');
  });

  it('looks for no person, and leads nowhere but to a list', async () => {
    const people = ['/operator/payments?payer=Ana', '/operator/audit?actor=user:7', '/operator/audit?subject=user:7'];
    for (const path of [...people, 'https://evil.example', '/operator//evil', '/operator/../x'])
      expect([path, (await save(ana, path, { name: 'Other' })).status]).toEqual([path, 400]);
  });
});
