/** Queues the deliveries of events that have just been numbered, in the transaction that numbers them. */
import type { EventQueue } from '../../changes/chain/numbering.js';
import { isOfMerchant } from '../../changes/change.js';
import type { Channel, NumberedEvent } from '../../changes/event.js';
import type { TenantId } from '../../ids.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Deliverer } from '../delivery/deliverer.js';
import { planDeliveries } from './queue.js';
import { addDeliveries, countInjections, listRegisteredChannels, lockOpenInjections } from './queue-store.js';

/** `offer` is told of endpoints that have deliveries now. */
export function eventQueue(offer: Deliverer['offer']): EventQueue {
  return {
    add: addToQueue,
    onQueued(merchantId, queued) {
      if (isOfMerchant(merchantId)) offer(queued.map((channel) => ({ merchantId, channel })));
    },
  };
}

async function addToQueue(
  tx: Transaction,
  merchantId: TenantId,
  events: readonly NumberedEvent[],
  dueAt: Date,
): Promise<readonly Channel[]> {
  if (events.length === 0) return [];
  const [registered, injections] = await Promise.all([
    listRegisteredChannels(tx, merchantId),
    lockOpenInjections(tx, merchantId),
  ]);
  const counted = injections.map(({ channel }) => ({ channel, count: countOf(events, channel) }));
  await Promise.all([
    addDeliveries(tx, merchantId, planDeliveries(events, dueAt, { registered, injections })),
    ...counted.map(({ channel, count }) => countInjections(tx, merchantId, channel, count)),
  ]);
  return registered.filter((channel) => countOf(events, channel) > 0);
}

function countOf(events: readonly NumberedEvent[], channel: Channel): number {
  return events.filter((event) => event.channel === channel).length;
}
