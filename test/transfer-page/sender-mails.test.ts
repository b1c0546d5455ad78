/** What senders are told by mail, for merchants who want it: in the sandbox each mail is a file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { useRemesa } from '../harness/remesa.js';
import { ana } from '../harness/users.js';
import { operate, orderJobNames, placed, sender } from '../orders/orders.js';
import { drive, paidOrder } from '../orders/paid.js';
import { newLink, stageIn, visit } from './links.js';

const folder = newFolder();
const running = useRemesa({ idleJobs: orderJobNames, hasRates: true, settings: { DATA_DIR: folder } });

const setting = (notifySenders: string) =>
  running.api.call('PATCH', `/operator/merchants/acme`, {
    token: running.admin,
    body: { notifySenders },
  });
const noted = async (orderId: string) =>
  (await running.sql.query('SELECT * FROM sender_mails WHERE order_id = $1 ORDER BY created_at', [orderId])).rows;
/** The mails about an order, as a mail program reads them. */
async function mailsOf(orderId: string): Promise<string[]> {
  const ids = (await noted(orderId)).map(({ mail_id }) => mail_id);
  return readdirSync(join(folder, 'mail'))
    .filter((name) => ids.some((id) => name.endsWith(`${id}.eml`)))
    .map((name) =>
      readFileSync(join(folder, 'mail', name), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '='),
    );
}
const told = async (orderId: string) => {
  await eventually(async () => (await noted(orderId)).every(({ state }) => state !== 'pending'), { withinMs: 40_000 });
  return (await noted(orderId)).map(({ news, state }) => `${news} ${state}`);
};

describe('a merchant who wants no mails', () => {
  it('is the usual one, and its senders are told nothing', async () => {
    const shown = await running.api.get(`/operator/merchants/acme`, { token: running.viewer });
    expect(shown.json.notifySenders).toBe('none');
    const order = await paidOrder(running, await sender(running));
    expect(await noted(order.orderId)).toEqual([]);
  });
});

describe('a merchant who wants mails', () => {
  beforeAll(async () => {
    done(await setting('email'));
  });

  it('has each news told once, with a link that opens the page, and keeps neither address nor text', async () => {
    const order = await paidOrder(running, await sender(running));
    await drive(running, order, 'convert', 'submit_payout', 'complete');
    expect(await told(order.orderId)).toEqual(['paid sent', 'sent sent', 'arrived sent']);
    const mails = await mailsOf(order.orderId);
    expect(mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]?.trim()).sort()).toEqual([
      'The money has arrived',
      'The money is on its way',
      'We have your money',
    ]);
    for (const mail of mails) {
      expect(mail).toContain(`To: ${ana.email}`);
      const [, url = ''] = /^(http\S+\/transfer\/\S+)\r?$/m.exec(mail) ?? [];
      expect(stageIn(await visit(url))).toBe('arrived');
      for (const personal of ['Guadalupe', '100.00', order.orderId]) expect(mail).not.toContain(personal);
    }
    const rows = JSON.stringify(await noted(order.orderId), (_, value) => (typeof value === 'bigint' ? '' : value));
    expect(rows).not.toContain(ana.email);
    expect(running.logText()).not.toContain(ana.email);
  });

  it('is told of no review and no freeze', async () => {
    const order = await paidOrder(running, await sender(running));
    await drive(running, order, 'refer', 'freeze');
    expect(await told(order.orderId)).toEqual(['paid sent']);
  });

  it('is asked in the language of the link, and no more once the answer is there', async () => {
    const { id } = await placed(running, await sender(running));
    await newLink(running, id, { locale: 'es' });
    await operate(running, id, 'refer');
    await operate(running, id, 'request-information', { items: ['purpose'] });
    expect(await told(id)).toEqual(['answer sent']);
    expect((await noted(id))[0].locale).toBe('es');
    expect((await mailsOf(id))[0]).toContain('Hay novedades sobre su');
    const answers = [{ code: 'purpose', answer: 'School fees.' }];
    done(await running.api.post(`/orders/${id}/information`, { token: running.acme.token, body: { answers } }));
    const again = "UPDATE sender_mails SET state = 'pending', sent_at = NULL, due_at = now() WHERE order_id = $1";
    await running.sql.query(again, [id]);
    await running.service.database.transaction(async (tx) => tx.wake('mail.tell-senders'));
    expect(await told(id)).toEqual(['answer dropped']);
  });

  it('is not told of a user who was deleted, nor after the merchant wants none', async () => {
    const user = await sender(running);
    const { id } = await placed(running, user);
    await running.sql.query(
      `INSERT INTO sender_mails (merchant_id, mail_id, user_id, order_id, news, asked, due_at, created_at)
       SELECT merchant_id, gen_random_uuid(), user_id, order_id, 'paid', 0, now() + interval '1 hour', now()
         FROM orders WHERE order_id = $1`,
      [id],
    );
    done(await setting('none'));
    await running.sql.query('UPDATE sender_mails SET due_at = now() WHERE order_id = $1', [id]);
    await running.service.database.transaction(async (tx) => tx.wake('mail.tell-senders'));
    expect(await told(id)).toEqual(['paid dropped']);
    await running.api.post(`/orders/${id}/cancel`, { token: running.acme.token });
    await running.api.call('DELETE', `/user?userId=${user.id}`, { token: running.acme.token });
    expect(await noted(id)).toEqual([]);
  });
});
