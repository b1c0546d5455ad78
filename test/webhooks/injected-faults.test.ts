/** /sandbox/webhooks/faults: what a merchant's developer can have go wrong. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventId } from '../../src/changes/event.js';
import { eventually } from '../harness/eventually.js';
import { newUser, told, userToken } from '../harness/users.js';
import { emptyLog, eventOf, happen, recordEvent } from './happenings.js';
import { arrivalsOf, arrived, deliveryOf, register, unregister, useNotifications } from './notifying.js';

const running = useNotifications();
const { sql, receiver } = running;
const path = '/sandbox/webhooks/faults';
const inject = (body: object, token = running.acme.token) => running.api.post(path, { token, body });
const happens = (subject = 'kyc_1') => happen(running.service.database, running.acme, { subject });
const order = () => receiver.received.map(({ headers }) => headers['webhook-id']);

beforeEach(async () => {
  await emptyLog(sql);
  await sql.query('TRUNCATE deliveries, delivery_attempts, webhook_faults');
  receiver.received.splice(0);
  await register(running, running.acme);
});
afterEach(() => unregister(running, running.acme));

type EventIds = [EventId, EventId, EventId, EventId];

/** So that each is numbered by itself. */
async function happenOneByOne(count: number): Promise<EventIds> {
  const ids: EventId[] = [];
  for (let index = 0; index < count; index += 1) {
    const eventId = await happens();
    await eventually(
      async () => (await sql.query('SELECT 1 FROM deliveries WHERE event_id = $1', [eventId])).rowCount === 1,
    );
    ids.push(eventId);
  }
  return ids as EventIds;
}

describe('POST', () => {
  it('200 duplicate: sent twice under one id, for so many events', async () => {
    expect((await inject({ channel: 'kyc', fault: 'duplicate', count: 2 })).status).toBe(200);
    const [first, second, third] = await happenOneByOne(3);
    await arrived(running, first, 2);
    await arrived(running, second, 2);
    await deliveryOf(running, running.acme, third, 'delivered');
    const shown = await deliveryOf(running, running.acme, first, 'delivered');
    expect(shown).toMatchObject({ attempts: 2, injectedFault: 'duplicate' });
    expect([first, second, third].map((eventId) => arrivalsOf(running, eventId).length)).toEqual([2, 2, 1]);
  });

  it('200 reorder: every other one is overtaken by the next', async () => {
    await inject({ channel: 'kyc', fault: 'reorder', count: 4 });
    const ids = await happenOneByOne(4);
    for (const eventId of ids) await deliveryOf(running, running.acme, eventId, 'delivered');
    const [first, second, third, fourth] = ids;
    expect(order().indexOf(second)).toBeLessThan(order().indexOf(first));
    expect(order().indexOf(fourth)).toBeLessThan(order().indexOf(third));
    expect(receiver.received).toHaveLength(4);
  });

  it('200 reorder: of one that nothing follows is sent after ten seconds', async () => {
    await inject({ channel: 'kyc', fault: 'reorder', count: 1 });
    const [only] = await happenOneByOne(1);
    const { rows } = await sql.query(
      'SELECT extract(epoch FROM due_at - statement_timestamp())::float8 AS seconds FROM deliveries',
    );
    expect(rows[0].seconds).toBeGreaterThan(5);
    expect(rows[0].seconds).toBeLessThanOrEqual(10);
    await sql.query('UPDATE deliveries SET due_at = statement_timestamp()');
    await deliveryOf(running, running.acme, only, 'delivered');
  });

  it('200 delay: sent so much later, and others do not wait for it', async () => {
    await inject({ channel: 'kyc', fault: 'delay', count: 1, delaySeconds: 600 });
    const [late, prompt] = await happenOneByOne(2);
    await deliveryOf(running, running.acme, prompt, 'delivered');
    expect(arrivalsOf(running, late)).toEqual([]);
    const { rows } = await sql.query(
      'SELECT extract(epoch FROM due_at - statement_timestamp())::float8 AS seconds FROM deliveries WHERE event_id = $1',
      [late],
    );
    expect(rows[0].seconds).toBeGreaterThan(570);
    await sql.query('UPDATE deliveries SET due_at = statement_timestamp()');
    await deliveryOf(running, running.acme, late, 'delivered');
  });

  it('200 drop: not pushed, but there to be pulled and redelivered', async () => {
    await inject({ channel: 'kyc', fault: 'drop', count: 1 });
    const [lost, next] = await happenOneByOne(2);
    await deliveryOf(running, running.acme, next, 'delivered');
    await deliveryOf(running, running.acme, lost, 'dropped');
    expect(arrivalsOf(running, lost)).toEqual([]);
    const listed = await running.api.get('/events?channel=kyc', { token: running.acme.token });
    expect(listed.json.map((event: { data: { sequence: number } }) => event.data.sequence)).toEqual([1, 2]);
    await running.api.post(`/events/${lost}/redeliver`, { token: running.acme.token });
    await deliveryOf(running, running.acme, lost, 'delivered');
  });

  it('applies within one batch as it does one by one', async () => {
    await inject({ channel: 'kyc', fault: 'drop', count: 3 });
    await running.service.database.transaction(async (tx) => {
      for (let index = 0; index < 5; index += 1) await recordEvent(tx, eventOf(running.acme.merchant));
    });
    await eventually(async () => (await sql.query('SELECT 1 FROM deliveries')).rowCount === 5);
    const { rows } = await sql.query('SELECT injected_fault FROM deliveries ORDER BY sequence');
    expect(rows.map((row) => row.injected_fault)).toEqual(['drop', 'drop', 'drop', null, null]);
  });

  it('400: what it does not know', async () => {
    for (const body of [
      {},
      { channel: 'kyc', fault: 'explode', count: 1 },
      { channel: 'kyc', fault: 'drop', count: 0 },
      { channel: 'kyc', fault: 'drop', count: 1001 },
      { channel: 'kyc', fault: 'delay', count: 1, delaySeconds: 3601 },
    ]) {
      expect(told(await inject(body))).toEqual([400, 'invalid_fields']);
    }
  });

  it('401, 403', async () => {
    const body = { channel: 'kyc', fault: 'drop', count: 1 };
    expect(told(await running.api.post(path, { body }))).toEqual([401, 'unauthorized']);
    const token = await userToken(running, running.acme, await newUser(running, running.acme));
    expect(told(await inject(body, token))).toEqual([403, 'merchant_token_required']);
  });
});

describe('GET and DELETE', () => {
  const list = (token = running.acme.token) => running.api.get(path, { token });

  it('200: what is still to go wrong, and nothing any more', async () => {
    await inject({ channel: 'kyc', fault: 'drop', count: 5 });
    await inject({ channel: 'order', fault: 'delay', count: 2 });
    await happenOneByOne(1);
    expect((await list()).json).toEqual([
      { channel: 'kyc', fault: 'drop', remaining: 4 },
      { channel: 'order', fault: 'delay', remaining: 2, delaySeconds: 30 },
    ]);
    expect((await list(running.rival.token)).json).toEqual([]);
    const ended = await running.api.call('DELETE', path, { token: running.acme.token });
    expect([ended.status, ended.text]).toEqual([200, '']);
    expect((await list()).json).toEqual([]);
    const [eventId] = await happenOneByOne(1);
    await deliveryOf(running, running.acme, eventId, 'delivered');
  });
});

describe('in live', () => {
  it('the database itself refuses a fault', async () => {
    await sql.query('ALTER TABLE instance DISABLE TRIGGER ALL');
    await sql.query(`UPDATE instance SET mode = 'live'`);
    const insert = sql.query(
      `INSERT INTO webhook_faults (merchant_id, channel, fault, events) VALUES ($1, 'kyc', 'drop', 1)`,
      [running.acme.merchant],
    );
    await expect(insert).rejects.toThrow('faults are injected in the sandbox only');
    await sql.query(`UPDATE instance SET mode = 'sandbox'`);
    await sql.query('ALTER TABLE instance ENABLE TRIGGER ALL');
  });
});
