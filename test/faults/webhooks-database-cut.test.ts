/**
 * Delivering while the way to the database is cut again and again, before and after the server has heard what was said.
 */
import { expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { FaultProxy } from '../harness/proxy.js';
import { rounds } from '../harness/rounds.js';
import { eventOf, recordEvent } from '../webhooks/happenings.js';
import { register, useWebhookRoom } from '../webhooks/room.js';

const room = useWebhookRoom();

it('everything arrives, numbered without a gap, and no lost answer leaves an endpoint unserved', {
  timeout: 600_000,
}, async () => {
  const proxy = new FaultProxy(room.url);
  const url = await proxy.listen();
  for (const merchant of [room.acme, room.rival])
    for (const channel of ['order', 'kyc'] as const) await register(room, merchant, { channel });
  const events = rounds(200, 4000);
  for (let number = 0; number < events; number += 50) {
    const { merchant } = number % 100 ? room.acme : room.rival;
    await room.database.transaction(async (tx) => {
      for (let index = 0; index < 50; index += 1) {
        const channel = index % 3 ? 'kyc' : 'order';
        await recordEvent(tx, eventOf(merchant, { channel, subject: `s${index % 7}` }));
      }
    });
  }
  let harms = rounds(12, 300);
  proxy.harm = () => {
    if (harms === 0 || Math.random() > 0.05) return 'pass';
    harms -= 1;
    return Math.random() < 0.5 ? 'cut-before' : 'cut-after';
  };
  room.receiver.behaviour = () => ({ kind: 'answer', status: 200, afterMs: Math.random() * 10 });
  const node = room.start({ by: url });
  await eventually(
    async () => (await room.sql.query(`SELECT 1 FROM deliveries WHERE state = 'delivered'`)).rowCount === events,
    { withinMs: 300_000, what: 'everything delivered' },
  );
  harms = 0;
  await node.stop();
  await proxy.close();
  expect(new Set(room.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(events);
  const { rows } = await room.sql.query(
    'SELECT max(sequence)::int AS last, count(*)::int AS events FROM events GROUP BY merchant_id, channel',
  );
  expect(rows.filter((row) => row.last !== row.events)).toEqual([]);
});
