/** SQL that queues the deliveries of events that have just been numbered. */
import type { Channel } from '../../changes/event.js';
import type { TenantId } from '../../ids.js';
import { statement, type Transaction } from '../../postgres/statement.js';
import type { OpenInjection, PlannedDelivery } from './queue.js';

const listRegistered = statement(
  'queue-store.list-registered',
  'SELECT channel FROM webhook_endpoints WHERE merchant_id = $merchantId',
).rows<{ channel: Channel }>();
const lockInjections = statement(
  'queue-store.lock-injections',
  `SELECT channel, fault, events, applied, delay_seconds FROM webhook_faults
    WHERE merchant_id = $merchantId AND applied < events FOR UPDATE`,
).rows<Omit<OpenInjection, 'delaySeconds'> & { delay_seconds: number }>();
const insertDeliveries = statement(
  'queue-store.insert',
  `INSERT INTO deliveries (merchant_id, event_id, channel, subject, sequence, injected_fault, state, due_at)
   SELECT $merchantId::bigint, event_id, channel, subject, sequence, fault, state, due_at
     FROM unnest($eventIds::text[], $channels::text[], $subjects::text[], $sequences::bigint[], $faults::text[],
                 $states::text[], $dueAts::timestamptz[])
          AS planned (event_id, channel, subject, sequence, fault, state, due_at)`,
);
const countApplied = statement(
  'queue-store.count-applied',
  `UPDATE webhook_faults SET applied = applied + $count::int
    WHERE merchant_id = $merchantId AND channel = $channel AND applied < events`,
);

/** The channels with a url. */
export async function listRegisteredChannels(tx: Transaction, merchantId: TenantId): Promise<Channel[]> {
  return (await tx.query(listRegistered, { merchantId })).map(({ channel }) => channel);
}

/** What the sandbox does wrong with the next events, on purpose. Locks it. */
export async function lockOpenInjections(tx: Transaction, merchantId: TenantId): Promise<OpenInjection[]> {
  const rows = await tx.query(lockInjections, { merchantId });
  return rows.map(({ delay_seconds, ...row }) => ({ ...row, delaySeconds: delay_seconds }));
}

export async function addDeliveries(
  tx: Transaction,
  merchantId: TenantId,
  planned: readonly PlannedDelivery[],
): Promise<void> {
  if (planned.length === 0) return;
  await tx.query(insertDeliveries, {
    merchantId,
    eventIds: planned.map(({ event }) => event.eventId),
    channels: planned.map(({ event }) => event.channel),
    subjects: planned.map(({ event }) => event.subject),
    sequences: planned.map(({ event }) => event.sequence),
    faults: planned.map(({ fault }) => fault ?? null),
    states: planned.map(({ state }) => state),
    dueAts: planned.map(({ dueAt }) => dueAt),
  });
}

export async function countInjections(
  tx: Transaction,
  merchantId: TenantId,
  channel: Channel,
  count: number,
): Promise<void> {
  await tx.query(countApplied, { merchantId, channel, count });
}
