/** POST /merchant/webhook/secret/rotate, the published keys, and what receivers verify through a rotation. */
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tokenOf } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import type { Received } from '../harness/receiver.js';
import { newUser, told, userToken } from '../harness/users.js';
import { happen } from './happenings.js';
import { arrivalsOf, arrived, register, useNotifications } from './notifying.js';
import { verifiesAsymmetric } from './verifying.js';

const running = useNotifications();
const { sql } = running;
const path = '/merchant/webhook/secret/rotate';

beforeAll(() => register(running, running.acme));
beforeEach(() => sql.query('TRUNCATE webhook_secrets'));

const rotate = (query = '', token = running.acme.token) => running.api.post(`${path}${query}`, { token });
const newSecret = async (query = ''): Promise<string> => (await rotate(query)).json.secret;

/** As if the day of overlap were over. */
const endOverlap = () =>
  sql.query(`UPDATE webhook_secrets SET expires_at = statement_timestamp() WHERE expires_at < 'infinity'`);

async function notification(object: object = { status: 'SUBMITTED' }): Promise<Received> {
  const [received] = await arrived(running, await happen(running.service.database, running.acme, { object }));
  return received as Received;
}

function isAccepted(secret: string, { body, headers }: Received): boolean[] {
  return [StandardWebhook, SvixWebhook].map((Webhook) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  });
}

describe('POST /merchant/webhook/secret/rotate', () => {
  it('200: the first secret, which nothing in the database or the log shows', async () => {
    const answer = await running.api.post(path, { token: running.acme.token, key: 'a-key' });
    expect(answer.json).toEqual({ secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
    const kept = await sql.query('SELECT answer FROM idempotency_keys');
    expect(JSON.stringify(kept.rows)).not.toContain('whsec_');
    const { rows } = await sql.query('SELECT sealed_secret FROM webhook_secrets');
    const raw = Buffer.from(answer.json.secret.slice(6), 'base64');
    expect(rows.map((row) => row.sealed_secret.includes(raw))).toEqual([false]);
    expect(running.logText()).not.toContain('whsec_');
  });

  it('200: a new secret, with the time until which the previous one keeps signing', async () => {
    await rotate();
    const { secret, previousSignsUntil } = (await rotate()).json;
    const hours = (Date.parse(previousSignsUntil) - Date.now()) / 3_600_000;
    expect([secret.slice(0, 6), Math.round(hours)]).toEqual(['whsec_', 24]);
    const shown = (await running.api.get('/merchant/webhook', { token: running.acme.token })).json.secrets;
    expect(shown).toEqual([
      { createdAt: expect.any(String) },
      { createdAt: expect.any(String), expiresAt: previousSignsUntil },
    ]);
  });

  it.each(['', '?overlap=none'])('200: a repeated key gets the same secret and ends none%s', async (query) => {
    await rotate();
    const repeat = (token = running.acme.token) =>
      running.api.post(`${path}${query}`, { token, key: `lost-answer${query}` });
    const [first, again] = [await repeat(), await repeat()];
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const live = await sql.query('SELECT 1 FROM webhook_secrets WHERE expires_at > statement_timestamp()');
    expect(live.rowCount).toBe(query ? 1 : 2);
    expect((await repeat(running.rival.token)).json.secret).not.toBe(first.json.secret);
    const kept = await sql.query('SELECT answer FROM idempotency_keys');
    expect(JSON.stringify(kept.rows)).not.toContain('whsec_');
  });

  it('500: an answer that was moved to the row of another key does not open', async () => {
    const repeat = (key: string) => running.api.post(`${path}?overlap=none`, { token: running.acme.token, key });
    await sql.query('TRUNCATE idempotency_keys');
    await repeat('one');
    await repeat('two');
    await sql.query(`UPDATE idempotency_keys SET answer = (
      SELECT other.answer FROM idempotency_keys AS other WHERE other.scope_hash <> idempotency_keys.scope_hash)`);
    expect((await repeat('one')).status).toBe(500);
  });

  it('409: while the previous secret still signs; 200 when it has ended', async () => {
    await rotate();
    const { previousSignsUntil } = (await rotate()).json;
    const refused = await rotate();
    expect(told(refused)).toEqual([409, 'webhook_secret_rotating']);
    expect(refused.json.previousSignsUntil).toBe(previousSignsUntil);
    await endOverlap();
    expect((await rotate()).status).toBe(200);
    expect((await sql.query('SELECT 1 FROM webhook_secrets')).rowCount).toBe(2);
  });

  it('200 with overlap=none, at any time: all others end at once', async () => {
    await rotate();
    await rotate();
    const answer = await rotate('?overlap=none');
    expect(answer.json).toEqual({ secret: expect.any(String) });
    expect((await sql.query('SELECT 1 FROM webhook_secrets')).rowCount).toBe(1);
  });

  it('by several at once leaves two live at most', async () => {
    const answers = await Promise.all([rotate(), rotate(), rotate(), rotate()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
  });

  it('400 for another word, 401 without a token, 403 with a user token or without the scope', async () => {
    expect(told(await rotate('?overlap=week'))).toEqual([400, 'invalid_fields']);
    expect(told(await running.api.post(path))).toEqual([401, 'unauthorized']);
    const ofUser = await userToken(running, running.acme, await newUser(running, running.acme));
    expect(told(await rotate('', ofUser))).toEqual([403, 'merchant_token_required']);
    expect(told(await rotate('', await tokenOf(running, running.acme, { scope: 'rates' })))).toEqual([
      403,
      'scope_missing',
    ]);
  });

  it('is audited, without the secret', async () => {
    const secret = await newSecret();
    const { rows } = await sql.query(`SELECT details FROM changes WHERE action = 'webhook.secret_rotated'`);
    expect(rows.at(-1)).toEqual({ details: { endOthers: false } });
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
  });

  it('a secret that was put into another merchant’s row signs nothing', async () => {
    await rotate();
    await register(running, running.rival);
    await sql.query('UPDATE webhook_secrets SET merchant_id = $1', [running.rival.merchant]);
    const eventId = await happen(running.service.database, running.rival);
    await eventually(() => running.logText().includes('delivering was interrupted'));
    expect(arrivalsOf(running, eventId)).toEqual([]);
    await sql.query('DELETE FROM webhook_secrets');
    const [received] = await arrived(running, eventId);
    expect(String(received?.headers['webhook-signature'])).toMatch(/^v1a,\S+$/);
  });
});

describe('through a rotation', () => {
  it('the published verifiers accept every notification with the secret that they have', async () => {
    const first = await newSecret();
    expect(isAccepted(first, await notification())).toEqual([true, true]);
    const second = await newSecret();
    const during = await notification({ name: 'محمد 王小明 Núñez 🙂' });
    expect([isAccepted(first, during), isAccepted(second, during)]).toEqual([
      [true, true],
      [true, true],
    ]);
    await endOverlap();
    const after = await notification();
    expect([isAccepted(first, after), isAccepted(second, after)]).toEqual([
      [false, false],
      [true, true],
    ]);
    const [key] = (await running.api.get(`/.well-known/webhook-keys/${running.acme.clientId}`)).json.keys;
    for (const { headers, body } of [during, after])
      expect(verifiesAsymmetric(headers, body, key.publicKey)).toBe(true);
  });

  it('under load, none fails', async () => {
    const first = await newSecret();
    const ids: Awaited<ReturnType<typeof happen>>[] = [];
    let second = '';
    for (let index = 0; index < 200; index += 1) {
      ids.push(await happen(running.service.database, running.acme, { subject: `s${index}` }));
      if (index === 100) second = await newSecret();
    }
    for (const eventId of ids) {
      const [received] = await arrived(running, eventId);
      expect(isAccepted(first, received as Received)).toEqual([true, true]);
    }
    const last = await notification();
    expect(isAccepted(second, last)).toEqual([true, true]);
  });
});

describe('GET /.well-known/webhook-keys/{clientId}', () => {
  const keysOf = (clientId: string) => running.api.get(`/.well-known/webhook-keys/${clientId}`);

  it('200, without a token: the key that verifies this merchant’s notifications and no other’s', async () => {
    const [own] = (await keysOf(running.acme.clientId)).json.keys;
    const [rivals] = (await keysOf(running.rival.clientId)).json.keys;
    expect(own).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      publicKey: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
    });
    const { headers, body } = await notification({ name: 'Ольга' });
    expect(verifiesAsymmetric(headers, body, own.publicKey)).toBe(true);
    expect(verifiesAsymmetric(headers, body, rivals.publicKey)).toBe(false);
  });

  it('404: for a client that is not there', async () => {
    expect(told(await keysOf('nobody'))).toEqual([404, 'merchant_not_found']);
  });
});
