/** A url that is replaced while attempts to it wait for their connection: when they may still start. */
import { expect, it } from 'vitest';
import type { StartOfPost } from '../../src/outgoing/kept-connection.js';
import type { AttemptClient, AttemptResult } from '../../src/webhooks/delivery/attempt.js';
import { eventually } from '../harness/eventually.js';
import { happen } from './happenings.js';
import { attemptsOf, delivered, leasedCount, register, useWebhookRoom } from './room.js';

const room = useWebhookRoom();

interface Connecting {
  readonly url: string;
  readonly start: Required<StartOfPost>;
  readonly end: (result: AttemptResult) => void;
}

/** Attempts wait for their connection until the test goes on with them. */
function connectingClients() {
  const attempts: Connecting[] = [];
  const makeClient = (url: string): AttemptClient => ({
    post: (_, start) => new Promise((end) => attempts.push({ url, start: start as Required<StartOfPost>, end })),
    close: async () => {},
  });
  const attemptTo = (path: string) => eventually(() => attempts.find(({ url }) => url.endsWith(path)));
  return { makeClient, attemptTo };
}

const accepted: AttemptResult = {
  kind: 'answered',
  status: 200,
  retryAfter: undefined,
  answerStart: Buffer.alloc(0),
  isSlow: false,
  durationMs: 1,
};

it('an attempt may start when its connection took more than a second, as long as its url is registered', async () => {
  await register(room, room.acme, { path: '/old' });
  const clients = connectingClients();
  const { database } = room.start({ makeClient: clients.makeClient });
  const eventId = await happen(database, room.acme);
  const attempt = await clients.attemptTo('/old');
  expect(attempt.start.mayStart()).toBe(true);
  await eventually(() => !attempt.start.mayStart());
  await attempt.start.onConnect();
  expect(attempt.start.mayStart()).toBe(true);
  attempt.end(accepted);
  await delivered(room, eventId);
});

it('no attempt to a replaced url may start later than a second after the answer, and the new url does not wait', async () => {
  await register(room, room.acme, { path: '/old' });
  const clients = connectingClients();
  const { database } = room.start({ makeClient: clients.makeClient });
  const eventId = await happen(database, room.acme);
  const attempt = await clients.attemptTo('/old');
  await register(room, room.acme, { path: '/new' });
  const acknowledgedAtMs = performance.now();
  (await clients.attemptTo('/new')).end(accepted);
  await delivered(room, eventId);
  await eventually(() => performance.now() > acknowledgedAtMs + 1_000);
  expect(attempt.start.mayStart()).toBe(false);
  await attempt.start.onConnect();
  expect(attempt.start.mayStart()).toBe(false);
  attempt.end(accepted);
  await eventually(async () => (await leasedCount(room)) === 0);
  expect(await attemptsOf(room, eventId)).toMatchObject([
    { attempt_no: 1, url: `${room.receiver.url}/new`, outcome: 'delivered' },
  ]);
});
