/** How a failing endpoint is paused, disabled and enabled again: the rules of endpoint.ts over HTTP. */
import { beforeEach, describe, expect, it } from 'vitest';
import { enableEndpoint } from '../../src/webhooks/registration.js';
import { redeliver } from '../../src/webhooks/service.js';
import { eventually } from '../harness/eventually.js';
import { happen } from './happenings.js';
import {
  arrivalsOf,
  attempted,
  attemptsOf,
  delivered,
  deliveryOf,
  endpointRow,
  leasedCount,
  makeDue,
  register,
  useWebhookRoom,
} from './room.js';

const room = useWebhookRoom();
const by = { actor: { kind: 'system', name: 'test' } } as const;
const kyc = () => ({ merchantId: room.acme.merchant, channel: 'kyc' }) as const;

beforeEach(() => register(room, room.acme));

async function happenOften(database: Parameters<typeof happen>[0], count: number) {
  const ids: Awaited<ReturnType<typeof happen>>[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push(await happen(database, room.acme, { subject: `kyc_${index}` }));
  return ids;
}

describe('the circuit', () => {
  it('pauses an endpoint after ten failures in a row: waiting uses up no attempt', async () => {
    room.receiver.behaviour = { kind: 'answer', status: 500 };
    await happenOften(room.database, 40);
    room.start();
    await eventually(async () => (await endpointRow(room, room.acme.merchant)).circuit_open_until !== null);
    await eventually(async () => (await leasedCount(room)) === 0);
    const { length } = room.receiver.received;
    expect(length).toBeGreaterThanOrEqual(10);
    // Four at once: some were under way when the tenth failed.
    expect(length).toBeLessThanOrEqual(13);
    const tried = new Set(room.receiver.received.map(({ headers }) => headers['webhook-id'])).size;
    const { rows } = await room.sql.query('SELECT count(*)::int AS untried FROM deliveries WHERE attempts = 0');
    expect(rows).toEqual([{ untried: 40 - tried }]);
  });

  it('lets one attempt decide: a failure doubles the pause, a success sends everything', async () => {
    room.receiver.behaviour = { kind: 'answer', status: 500 };
    const ids = await happenOften(room.database, 20);
    room.start();
    const isPaused = async (openings: number) => {
      const row = await endpointRow(room, room.acme.merchant);
      return row.circuit_openings === openings && (await leasedCount(room)) === 0 && row;
    };
    await eventually(() => isPaused(1));
    const { length } = room.receiver.received;
    await room.sql.query('UPDATE webhook_endpoints SET circuit_open_until = statement_timestamp()');
    await eventually(() => isPaused(2));
    expect(room.receiver.received).toHaveLength(length + 1);
    room.receiver.behaviour = { kind: 'answer', status: 200 };
    await room.sql.query('UPDATE webhook_endpoints SET circuit_open_until = statement_timestamp()');
    await makeDue(room);
    for (const eventId of ids) await delivered(room, eventId);
    expect(await endpointRow(room, room.acme.merchant)).toMatchObject({
      circuit_openings: 0,
      circuit_open_until: null,
      consecutive_failures: 0,
    });
  });
});

describe('an endpoint that is gone', () => {
  it('is disabled at once and sent nothing more; registering it again sends what was held', async () => {
    room.receiver.behaviour = { kind: 'answer', status: 410 };
    const { database } = room.start();
    const first = await happen(database, room.acme);
    await attempted(room, first);
    expect(await endpointRow(room, room.acme.merchant)).toMatchObject({
      status: 'disabled',
      disabled_because: 'gone',
      disabled_at: expect.any(Date),
    });
    const held = await happen(database, room.acme);
    await eventually(() => deliveryOf(room, held));
    await makeDue(room);
    room.receiver.behaviour = { kind: 'answer', status: 200 };
    // The rival's event passes through all the steps that the held one would have to pass.
    await register(room, room.rival);
    await delivered(room, await happen(database, room.rival));
    expect([arrivalsOf(room, first).length, arrivalsOf(room, held).length]).toEqual([1, 0]);

    await register(room, room.acme);
    await delivered(room, first);
    await delivered(room, held);
    expect(await endpointRow(room, room.acme.merchant)).toMatchObject({
      status: 'active',
      disabled_because: null,
    });
  });

  it('can be enabled by an operator', async () => {
    room.receiver.behaviour = { kind: 'answer', status: 410 };
    const { database } = room.start();
    const eventId = await happen(database, room.acme);
    await attempted(room, eventId);
    room.receiver.behaviour = { kind: 'answer', status: 200 };
    await database.transaction((tx) => enableEndpoint(tx, by, kyc()));
    await delivered(room, eventId);
  });
});

describe('an endpoint that only fails', () => {
  const failingFor = (hours: number, attempts: number) =>
    room.sql.query(
      `UPDATE webhook_endpoints SET failing_since = statement_timestamp() - make_interval(hours => $1),
              failing_attempts = $2, consecutive_failures = 1`,
      [hours, attempts],
    );

  it.each([
    ['119 hours', 119, 50, 'active', null],
    ['121 hours', 121, 50, 'disabled', 'failing'],
    ['121 hours, in which it was hardly tried', 121, 3, 'active', null],
  ])('is disabled only when it failed for long and often: %s', async (_, hours, attempts, status, because) => {
    room.receiver.behaviour = { kind: 'answer', status: 500 };
    await failingFor(hours, attempts);
    const { database } = room.start();
    await attempted(room, await happen(database, room.acme));
    expect(await endpointRow(room, room.acme.merchant)).toMatchObject({ status, disabled_because: because });
  });

  it('keeps events while it is disabled, and sends them when it is enabled again', async () => {
    room.receiver.behaviour = { kind: 'answer', status: 500 };
    const { database } = room.start();
    const exhausted = await happen(database, room.acme);
    await attempted(room, exhausted);
    await room.sql.query(`UPDATE deliveries SET state = 'exhausted', attempts = 10`);
    await failingFor(121, 50);
    const last = await happen(database, room.acme);
    await eventually(async () => (await endpointRow(room, room.acme.merchant)).status === 'disabled');
    const during = await happen(database, room.acme);
    await eventually(() => deliveryOf(room, during));
    room.receiver.behaviour = { kind: 'answer', status: 200 };
    await register(room, room.acme);
    await delivered(room, last);
    await delivered(room, during);
    expect(await deliveryOf(room, exhausted)).toMatchObject({ state: 'exhausted' });
    await database.transaction((tx) => redeliver(tx, by, room.acme.merchant, exhausted));
    await delivered(room, exhausted);
  });

  it('starts again with one success', async () => {
    await failingFor(119, 100);
    const { database } = room.start();
    const eventId = await happen(database, room.acme);
    await delivered(room, eventId);
    expect(await endpointRow(room, room.acme.merchant)).toMatchObject({
      failing_since: null,
      failing_attempts: 0,
    });
    expect(await attemptsOf(room, eventId)).toHaveLength(1);
  });
});
