/**
 * The notifications' room without the edge: numbering and delivering on the test file's own database, to a real
 * receiver.
 */
import type pg from 'pg';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { numberJob } from '../../src/changes/chain/numbering.js';
import type { Channel, EventId } from '../../src/changes/event.js';
import type { MerchantId } from '../../src/ids.js';
import { createLog } from '../../src/log.js';
import type { ExchangeLimits } from '../../src/outgoing/exchange.js';
import { AddressGuard } from '../../src/outgoing/guard.js';
import type { Database } from '../../src/postgres/database.js';
import type { AttemptClient } from '../../src/webhooks/delivery/attempt.js';
import { EndpointClient } from '../../src/webhooks/delivery/client.js';
import { Deliverer, type DelivererBounds } from '../../src/webhooks/delivery/deliverer.js';
import { eventQueue } from '../../src/webhooks/events/queueing.js';
import { registerUrl } from '../../src/webhooks/registration.js';
import { MerchantSigningKeys } from '../../src/webhooks/signing/signing-keys.js';
import { Worker } from '../../src/worker/worker.js';
import { eventually } from '../harness/eventually.js';
import { type Received, useReceiver, type WebhookReceiver } from '../harness/receiver.js';
import { SealingDatabase } from '../harness/sealing-database.js';
import { useTestDatabase } from '../harness/test-database.js';
import { addMerchant, emptyLog, noJournals } from './happenings.js';

export const rootKey = Buffer.alloc(32, 7);
const sealingKey = Buffer.alloc(32, 8);
const guard = new AddressGuard({ allowsLoopback: true, allowedNetworks: [] });
const by = { actor: { kind: 'system', name: 'test' } } as const;

export type TestMerchant = Awaited<ReturnType<typeof addMerchant>>;

export interface NodeOptions {
  /** Another way to the database. */
  readonly by?: string;
  readonly limits?: Partial<ExchangeLimits>;
  readonly makeClient?: (url: string) => AttemptClient;
  readonly bounds?: Partial<DelivererBounds>;
}

/** One process that numbers and delivers. */
export interface Node {
  readonly database: Database;
  /** Looks for no more work, and finishes what it has begun. */
  stopJobs(): Promise<void>;
  stop(): Promise<void>;
}

export interface WebhookRoomTest {
  readonly url: string;
  readonly sql: pg.Pool;
  readonly database: Database;
  readonly receiver: WebhookReceiver;
  readonly acme: TestMerchant;
  readonly rival: TestMerchant;
  /** Stopped after the test. */
  start(options?: NodeOptions): Node;
}

export function useWebhookRoom(): WebhookRoomTest {
  const receiver = useReceiver();
  const { url, sql, database } = useTestDatabase();
  const merchants: TestMerchant[] = [];
  const nodes = new Set<Node>();
  beforeAll(async () => {
    for (const name of ['acme', 'rival']) merchants.push(await addMerchant(database, name));
  });
  afterEach(async () => {
    receiver.behaviour = { kind: 'answer', status: 200 };
    await Promise.all([...nodes].map((node) => node.stop()));
    receiver.received.splice(0);
    await emptyLog(sql);
    await sql.query('TRUNCATE deliveries, delivery_attempts, webhook_endpoints, webhook_secrets, webhook_faults');
  });
  afterAll(() => Promise.all([...nodes].map((node) => node.stop())));
  return {
    url,
    sql,
    database,
    receiver,
    get acme() {
      return merchants[0] as TestMerchant;
    },
    get rival() {
      return merchants[1] as TestMerchant;
    },
    start(options) {
      const node = startNode(options?.by ?? url, options);
      const stop = async () => {
        if (nodes.delete(tracked)) await node.stop();
      };
      const tracked = { ...node, stop };
      nodes.add(tracked);
      return tracked;
    },
  };
}

function startNode(url: string, { limits = {}, makeClient, bounds = {} }: NodeOptions = {}): Node {
  const database = new SealingDatabase(url, { poolSize: 4 });
  const { log } = createLog({ level: 'silent' });
  const deliverer = new Deliverer({
    database,
    log,
    sealingKey,
    signingKeys: new MerchantSigningKeys(rootKey),
    bounds,
    makeClient: makeClient ?? ((to) => new EndpointClient({ url: to, lanes: 4, guard, limits })),
  });
  const queue = eventQueue((endpoints) => deliverer.offer(endpoints));
  const number = numberJob({ database, log, queue, journals: noJournals });
  const worker = new Worker([number, deliverer.job()], log);
  database.onWake = (woken) => {
    for (const name of woken) worker.wake(name);
  };
  worker.start();
  return {
    database,
    stopJobs: () => worker.stop(),
    async stop() {
      await worker.stop();
      await deliverer.stop();
      await database.close();
    },
  };
}

export function register(
  { database, receiver }: Pick<WebhookRoomTest, 'database' | 'receiver'>,
  { merchant }: { readonly merchant: MerchantId },
  { channel = 'kyc', path = '/hook' }: { channel?: Channel; path?: string } = {},
): Promise<void> {
  const endpoint = { merchantId: merchant, channel };
  return database.transaction((tx) => registerUrl(tx, by, endpoint, { url: `${receiver.url}${path}` }, 'public'));
}

export function arrivalsOf({ receiver }: Pick<WebhookRoomTest, 'receiver'>, eventId: EventId): Received[] {
  return receiver.received.filter(({ headers }) => headers['webhook-id'] === eventId);
}

export function arrived(room: Pick<WebhookRoomTest, 'receiver'>, eventId: EventId, times = 1): Promise<Received[]> {
  return eventually(() => (arrivalsOf(room, eventId).length >= times ? arrivalsOf(room, eventId) : undefined), {
    withinMs: 30_000,
    what: `arrival ${times} of ${eventId}`,
  });
}

export interface DeliveryRow {
  readonly state: string;
  readonly attempts: number;
  readonly last_attempt_no: number;
  /** From the end of the last attempt until it is due again, whenever the test looks. */
  readonly wait_seconds: number | null;
}

export async function deliveryOf(
  { sql }: Pick<WebhookRoomTest, 'sql'>,
  eventId: EventId,
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql.query<DeliveryRow>(
    `SELECT delivery.state, delivery.attempts, delivery.last_attempt_no,
            extract(epoch FROM delivery.due_at - attempt.started_at)::float8 - attempt.duration_ms / 1000.0::float8
              AS wait_seconds
       FROM deliveries AS delivery
       LEFT JOIN delivery_attempts AS attempt
         ON attempt.merchant_id = delivery.merchant_id AND attempt.event_id = delivery.event_id
        AND attempt.attempt_no = delivery.last_attempt_no
      WHERE delivery.event_id = $1`,
    [eventId],
  );
  return rows[0];
}

/** Once so many attempts are on record. */
export function attempted(room: Pick<WebhookRoomTest, 'sql'>, eventId: EventId, times = 1): Promise<DeliveryRow> {
  return eventually(
    async () => {
      const row = await deliveryOf(room, eventId);
      return row && row.last_attempt_no >= times ? row : undefined;
    },
    { withinMs: 30_000, what: `attempt ${times} of ${eventId} on record` },
  );
}

export function delivered(room: Pick<WebhookRoomTest, 'sql'>, eventId: EventId): Promise<DeliveryRow> {
  return eventually(
    async () => {
      const row = await deliveryOf(room, eventId);
      return row?.state === 'delivered' ? row : undefined;
    },
    { withinMs: 30_000, what: `${eventId} delivered` },
  );
}

/** As if the time of every retry had come. */
export async function makeDue({ sql }: Pick<WebhookRoomTest, 'sql'>): Promise<void> {
  await sql.query(
    `UPDATE deliveries SET due_at = statement_timestamp() - interval '1 second' WHERE state = 'pending' AND attempts > 0`,
  );
}

/** How many deliveries are leased. */
export async function leasedCount({ sql }: Pick<WebhookRoomTest, 'sql'>): Promise<number> {
  const { rowCount } = await sql.query('SELECT 1 FROM deliveries WHERE lease_token IS NOT NULL');
  return rowCount ?? 0;
}

/** As if the time of every lease had passed. */
export async function endLeases({ sql }: Pick<WebhookRoomTest, 'sql'>): Promise<void> {
  await sql.query('UPDATE deliveries SET leased_until = statement_timestamp() WHERE lease_token IS NOT NULL');
}

export async function endpointRow({ sql }: Pick<WebhookRoomTest, 'sql'>, merchant: MerchantId) {
  const { rows } = await sql.query('SELECT * FROM webhook_endpoints WHERE merchant_id = $1', [merchant]);
  return rows[0];
}

export async function attemptsOf({ sql }: Pick<WebhookRoomTest, 'sql'>, eventId: EventId) {
  const { rows } = await sql.query(
    'SELECT attempt_no, outcome, status, url FROM delivery_attempts WHERE event_id = $1 ORDER BY attempt_no',
    [eventId],
  );
  return rows;
}
