/** Commands and readings through the pages: the rules of the API hold, and no other site can send a command. */
import { beforeAll, describe, expect, it } from 'vitest';
import { auditRows, newOperator, password } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';
import { placed, sender } from '../orders/orders.js';
import { movement, usePayInAccounts } from '../payments/payments.js';
import { formTokenOf, hiddenOf, type Shown, Visitor } from './pages.js';

const running = useRemesa({ hasRates: true, settings: { FOUR_EYES: 'corridor.save' } });
usePayInAccounts(running);
let ana: Visitor;
let ben: Visitor;
let vic: Visitor;

beforeAll(async () => {
  const visitors = [];
  for (const [login, role] of [
    ['ana', 'admin'],
    ['ben', 'admin'],
    ['vic', 'viewer'],
  ] as const) {
    await newOperator(running.service.database, login, role);
    const visitor = new Visitor(() => running.service.url);
    await visitor.signIn(login);
    visitors.push(visitor);
  }
  [ana, ben, vic] = visitors as [Visitor, Visitor, Visitor];
});

const corridorForm = '/console/do/saveCorridor?fiatIn=USD&fiatOut=MXN';
/** The fields of the form as the page fills them in. */
async function filledForm(browser: Visitor, path: string): Promise<Record<string, string>> {
  const { html } = await browser.open(path);
  const form = html.slice(
    html.indexOf('<form class="command"'),
    html.indexOf('</form>', html.indexOf('<form class="command"')),
  );
  const inputs = [...form.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const areas = [...form.matchAll(/<textarea[^>]*name="([^"]+)"[^>]*>([^<]*)</g)].map(([, name, value]) => [
    name,
    value?.replaceAll('&quot;', '"'),
  ]);
  const chosen = [...form.matchAll(/<select[^>]*name="([^"]+)"[\s\S]*?<\/select>/g)].map(([select, name]) => [
    name,
    /<option value="([^"]*)" selected/.exec(select)?.[1] ?? '',
  ]);
  const checked = [...form.matchAll(/<input type="checkbox" name="([^"]+)" checked/g)].map(([, name]) => [name, 'on']);
  return Object.fromEntries([...inputs, ...areas, ...chosen, ...checked]);
}
const margin = async () => {
  const { json } = await running.api.get('/operator/corridors', { token: running.viewer });
  return json.find((each: { fiatIn: string; fiatOut: string }) => each.fiatIn === 'USD' && each.fiatOut === 'MXN')
    .marginBasisPoints;
};
const countNotes = async () => Number((await running.sql.query('SELECT count(*) FROM operator_notes')).rows[0].count);

/** The form itself, the choice of one of its kinds, or its place on the page of a record. */
function leadsToForm({ status, html, location }: Shown, operationId: string): boolean {
  const isHere = html.includes('<form class="command"') || html.includes(`/console/do/${operationId}?as=`);
  return status === 200 ? isHere : /#(decide|do-\w+)$/.test(location ?? '');
}

describe('every operation of the API', () => {
  it('has a page, which a viewer is shown or refused in the frame, and never fails', async () => {
    const readings = running.service.routes.filter(
      ({ path, method }) => method === 'GET' && path.startsWith('/console/') && !path.includes('assets'),
    );
    expect(readings.length).toBeGreaterThan(60);
    const failed = [];
    for (const { path } of readings) {
      for (const browser of [ana, vic]) {
        const { status, html } = await browser.open(path.replaceAll(/\{\w+\}/g, 'nothing'));
        if (status >= 500 || (status === 200 && !html.includes('</html>'))) failed.push(`${path} ${status}`);
      }
    }
    expect(failed).toEqual([]);
  });

  it('has a form, if it is a command', async () => {
    const commands = running.service.routes.filter(
      ({ kind, access }) => kind === 'command' && access.token === 'operator',
    );
    expect(commands.length).toBeGreaterThan(60);
    const without = [];
    for (const { operationId, path } of commands) {
      if (path.startsWith('/operator/me/') || path === '/operator/logout') continue;
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}=nothing`);
      const shown = await ana.open(`/console/do/${operationId}?${names.join('&')}`);
      const hasNoRecord = [400, 404].includes(shown.status) && names.length > 0;
      if (!leadsToForm(shown, operationId) && !hasNoRecord) without.push(`${operationId} ${shown.status}`);
    }
    expect(without).toEqual([]);
  });
});

describe('a command', () => {
  it('is refused from another site, from a sibling, without the token of the session, and to whom lacks the role', async () => {
    const order = await placed(running, await sender(running));
    const path = `/console/do/writeOrderNote?id=${order.id}`;
    const fields = { ...hiddenOf((await ana.open(path)).html), note: 'A note.' };
    const notes = await countNotes();
    const refused = [
      await ana.send(path, fields, { origin: 'https://evil.example' }),
      await ana.send(path, fields, { 'sec-fetch-site': 'same-site' }),
      await ana.send(path, fields, { 'sec-fetch-site': 'cross-site' }),
      await ana.send(path, { ...fields, formToken: '' }),
      await ben.send(path, fields),
      await vic.send(path, {
        ...fields,
        formToken: hiddenOf((await vic.open('/console/account')).html).formToken ?? '',
      }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
    expect(await countNotes()).toBe(notes);
    const { location } = await ana.send(path, fields);
    expect(location).toMatch(new RegExp(`^/console/orders/${order.id}/notes\\?done=writeOrderNote&proof=[\\w-]{22}$`));
    // The same form again is the same command.
    expect((await ana.send(path, fields)).status).toBe(303);
    expect(await countNotes()).toBe(notes + 1);
  });

  it('needs the password once more where money or access moves, and waits for the other operator where two decide', async () => {
    const fields = await filledForm(ana, corridorForm);
    const before = await margin();
    const ask = { ...fields, marginBasisPoints: String(before + 7), approvalNote: 'Agreed on Monday.' };
    const wrong = await ana.send(corridorForm, { ...ask, ownPassword: 'not mine' });
    expect(wrong.status).toBe(403);
    expect(wrong.html).toContain('The current password is wrong.');
    const asked = await ana.send(corridorForm, { ...ask, ownPassword: password });
    expect(asked.location).toMatch(/^\/console\/corridors\?done=saveCorridor&asked=apr_/);
    expect(await margin()).toBe(before);
    const id = /apr_\w+/.exec(asked.location ?? '')?.[0] ?? '';
    const shown = await ben.open(`/console/approvals/${id}`);
    expect(shown.html).toContain('Agreed on Monday.');
    expect(shown.html).toContain('Approve: ');
    // Who asked is shown why the request cannot be decided, and no form for it.
    const asking = (await ana.open(`/console/approvals/${id}`)).html;
    expect([asking.includes('/console/do/approveRequest'), asking.includes('another operator decides it')]).toEqual([
      false,
      true,
    ]);
    expect(asking).toContain('/console/do/withdrawRequest');
    expect(shown.html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')).toContain(
      `Margin (basis points) ${before} ${before + 7}`,
    );
    const approve = `/console/do/approveRequest?approvalId=${id}`;
    const own = await ana.send(approve, {
      formToken: formTokenOf(asked.html || (await ana.open('/console')).html),
      ownPassword: password,
    });
    expect([own.status, own.html.includes('approval_own')]).toEqual([403, true]);
    expect((await ben.fill(approve, { ownPassword: password })).location).toContain('done=approveRequest');
    expect(await margin()).toBe(before + 7);
  });

  it('on something that has changed since is refused, and tells what the other operator did', async () => {
    const body = movement({ accountId: 'acme-usd', amount: 31 });
    const { json } = await running.api.post('/operator/payments', { token: running.reviewer, body, key: 'stale' });
    const { rows } = await running.sql.query('SELECT suspense_id FROM suspense_records WHERE payment_id = $1', [
      json.id,
    ]);
    const suspenseId = rows[0].suspense_id;
    const path = `/console/do/writeOffSuspense?suspenseId=${suspenseId}`;
    const stale = hiddenOf((await ana.open(path)).html);
    const frozen = await ben.fill(`/console/do/freezeSuspense?suspenseId=${suspenseId}`, {
      note: 'The bank asks.',
      ownPassword: password,
    });
    expect(frozen.status).toBe(303);
    const refused = await ana.send(path, { ...stale, note: 'Too small.', ownPassword: password });
    expect(refused.status).toBe(409);
    const text = refused.html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(text).toContain('What happened to it lately');
    expect(text).toContain('operator:ben');
    expect(text).toContain('Too small.');
  });

  it('reads an amount as it was typed, and says what is wrong with one that is none', async () => {
    const form = '/console/do/recordPayment';
    const { bankReference: _, payer, ...rest } = movement({ accountId: 'acme-usd' });
    const entered = {
      ...rest,
      bookedAt: '2026-11-15',
      'payer.name': (payer as { name: string }).name,
      ownPassword: password,
    };
    const record = (amount: string, bankReference: string) =>
      ana.fill(form, { ...(entered as object), amount, bankReference });
    const comma = await record('10,50', 'typed-1');
    expect([comma.status, comma.html.includes('1234.56')]).toEqual([400, true]);
    expect((await record('10.505', 'typed-2')).status).toBe(400);
    expect((await record('10.10', 'typed-3')).status).toBe(303);
    const { rows } = await running.sql.query(`SELECT amount_minor::int FROM payments WHERE bank_reference = 'typed-3'`);
    expect(rows).toEqual([{ amount_minor: 1010 }]);
  });
});

describe('what is stored', () => {
  it('never becomes markup, wherever it is shown', async () => {
    const hostile = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;
    const order = await placed(running, await sender(running));
    await ana.fill(`/console/do/writeOrderNote?id=${order.id}`, { note: hostile });
    const body = movement({
      accountId: 'acme-usd',
      amount: 17,
      remittanceText: hostile.slice(0, 100),
      payer: { name: hostile.slice(0, 60) },
    });
    await running.api.post('/operator/payments', { token: running.reviewer, body, key: 'hostile' });
    const found = await ana.open(`/console/payments`);
    const payment = /\/console\/payments\/(pay_\w+)/.exec(found.html)?.[1];
    for (const path of [
      `orders/${order.id}/notes`,
      'payments',
      `payments/${payment}`,
      `orders?search=${encodeURIComponent(hostile)}`,
      `do/${encodeURIComponent(hostile)}`,
      `orders?done=${encodeURIComponent(hostile)}`,
    ]) {
      const { html } = await ana.open(`/console/${path}`);
      expect(html).toContain('</html>');
      expect(html).not.toMatch(/<img src=x|<script>/);
    }
    expect((await ana.open(`/console/orders/${order.id}/notes`)).html).toContain('&lt;script>');
  });
});

describe('a download of a list', () => {
  it('has every row that the filter lets through, page after page, and no other; the log says who took it', async () => {
    const { json } = await running.api.get('/operator/audit?action=operator.logged_in&limit=200', {
      token: running.admin,
    });
    const lines = async (format: string) => {
      const { status, headers, html } = await ana.open(
        `/console/audit?action=operator.logged_in&limit=1&export=${format}`,
      );
      expect([status, headers.get('content-disposition')]).toEqual([
        200,
        `attachment; filename="listAuditEntries.${format}"`,
      ]);
      return html.trimEnd().split(format === 'csv' ? '\r\n' : '\n');
    };
    expect(json.length).toBeGreaterThan(2);
    expect((await lines('jsonl')).map((line) => JSON.parse(line))).toEqual(json);
    const [head = '', ...rows] = await lines('csv');
    expect(rows).toHaveLength(json.length);
    const place = head.split(',').indexOf('action');
    expect(new Set(rows.map((row) => row.split(',')[place]))).toEqual(new Set(['operator.logged_in']));
    const taken = await auditRows(running.sql, 'list.exported');
    expect(taken.map(({ actor, details }) => [actor, details])).toEqual(
      ['jsonl', 'csv'].map((format) => [expect.stringContaining('operator'), { format, filters: ['action'] }]),
    );
  });
});

describe('a page', () => {
  it('cannot be framed, runs no foreign script, and stays in no cache', async () => {
    const { headers } = await ana.open('/console');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect([headers.get('x-frame-options'), headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'DENY',
      'no-store',
      'same-origin',
    ]);
  });
});
