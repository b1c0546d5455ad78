/** SQL on the faults that sandbox merchants inject into their next events. Numbering applies and counts them. */
import type { Channel } from '../../changes/event.js';
import type { MerchantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { InjectedFault } from '../delivery/delivery.js';
import type { EndpointRef } from '../endpoints/endpoint.js';

interface FaultRow {
  channel: Channel;
  fault: InjectedFault;
  events: number;
  applied: number;
  delay_seconds: number;
}

const upsertFault = statement(
  'injected-fault-store.upsert',
  `INSERT INTO webhook_faults (merchant_id, channel, fault, events, delay_seconds)
     VALUES ($merchantId, $channel, $fault, $count, $delaySeconds)
   ON CONFLICT (merchant_id, channel) DO UPDATE
      SET fault = excluded.fault, events = excluded.events, delay_seconds = excluded.delay_seconds, applied = 0`,
);
const listOpen = statement(
  'injected-fault-store.list-open',
  `SELECT channel, fault, events, applied, delay_seconds FROM webhook_faults
    WHERE merchant_id = $merchantId AND applied < events ORDER BY channel`,
).rows<FaultRow>();
const deleteAll = statement(
  'injected-fault-store.delete',
  'DELETE FROM webhook_faults WHERE merchant_id = $merchantId',
);

export interface FaultRequest {
  readonly fault: InjectedFault;
  /** How many of the next events it applies to. */
  readonly count: number;
  /** Used by `delay` only. */
  readonly delaySeconds: number;
}

export interface OpenFault {
  readonly channel: Channel;
  readonly fault: InjectedFault;
  /** How many more events it applies to. */
  readonly remaining: number;
  readonly delaySeconds: number;
}

/** Replaces the fault that was injected into this channel before. */
export async function injectFault(
  tx: Transaction,
  { merchantId, channel }: EndpointRef,
  { fault, count, delaySeconds }: FaultRequest,
): Promise<void> {
  await tx.query(upsertFault, { merchantId, channel, fault, count, delaySeconds });
}

export async function listInjectedFaults(database: Queryable, merchant: MerchantId): Promise<OpenFault[]> {
  return (await database.query(listOpen, { merchantId: merchant })).map((row) => ({
    channel: row.channel,
    fault: row.fault,
    remaining: row.events - row.applied,
    delaySeconds: row.delay_seconds,
  }));
}

export async function clearInjectedFaults(tx: Transaction, merchant: MerchantId): Promise<void> {
  await tx.query(deleteAll, { merchantId: merchant });
}
