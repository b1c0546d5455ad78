/** Endpoints that never answer, in a process that can do little at once: the others are served all the same. */
import { expect, it } from 'vitest';
import { happen } from './happenings.js';
import { arrived, delivered, register, useWebhookRoom } from './room.js';

const room = useWebhookRoom();
/** Longer than this test takes on the busiest machine: none of the silent attempts ends by itself. */
const limits = { headMs: 600_000, wholeMs: 600_000 };
const silentArrivals = (path: string) => room.receiver.received.filter((received) => received.path === path);

it('endpoints that never answer keep no place in a process from those that do', async () => {
  room.receiver.behaviour = ({ path }) =>
    path.startsWith('/silent') ? { kind: 'never-answer' } : { kind: 'answer', status: 200 };
  await register(room, room.acme, { channel: 'order', path: '/silent-order' });
  await register(room, room.acme, { channel: 'kyc', path: '/silent-kyc' });
  await register(room, room.rival);
  const { database } = room.start({ bounds: { turnsAtOnce: 2 }, limits });
  const order = await happen(database, room.acme, { channel: 'order' });
  const kyc = await Promise.all([1, 2, 3, 4].map((number) => happen(database, room.acme, { subject: `s${number}` })));
  for (const eventId of [order, ...kyc]) await arrived(room, eventId);
  // The leases of the silent attempts do not end either.
  await room.sql.query(`UPDATE deliveries SET leased_until = 'infinity' WHERE lease_token IS NOT NULL`);

  await delivered(room, await happen(database, room.rival));
  // While an answer is outstanding for long, nothing more is sent there; what happens later is numbered later.
  await happen(database, room.acme, { channel: 'order', subject: 'another' });
  await delivered(room, await happen(database, room.rival));
  expect([silentArrivals('/silent-order').length, silentArrivals('/silent-kyc').length]).toEqual([1, 4]);
  // None of the silent ones has ended.
  const { rows } = await room.sql.query('SELECT DISTINCT outcome FROM delivery_attempts');
  expect(rows).toEqual([{ outcome: 'delivered' }]);
  room.receiver.hangUp();
});
