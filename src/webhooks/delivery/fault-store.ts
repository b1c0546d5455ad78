/** SQL on the faults that sandbox merchants ask for; numbering uses them up. */
import type { MerchantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { EndpointRef } from '../endpoint.js';
import type { Channel } from '../event.js';
import type { InjectedFault } from './delivery.js';

interface FaultRow {
  channel: Channel;
  fault: InjectedFault;
  events: number;
  applied: number;
  delay_seconds: number;
}

const upsertFault = statement(
  'fault-store.upsert',
  `INSERT INTO webhook_faults (merchant_id, channel, fault, events, delay_seconds) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (merchant_id, channel) DO UPDATE
      SET fault = excluded.fault, events = excluded.events, delay_seconds = excluded.delay_seconds, applied = 0`,
);
const listOpen = statement<FaultRow>(
  'fault-store.list-open',
  `SELECT channel, fault, events, applied, delay_seconds FROM webhook_faults
    WHERE merchant_id = $1 AND applied < events ORDER BY channel`,
);
const deleteAll = statement('fault-store.delete', 'DELETE FROM webhook_faults WHERE merchant_id = $1');

export interface WantedFault {
  readonly channel: Channel;
  readonly fault: InjectedFault;
  /** How many events it is still for. */
  readonly remaining: number;
  readonly delaySeconds: number;
}

export async function saveFault(
  tx: Transaction,
  { merchantId, channel }: EndpointRef,
  { fault, count, delaySeconds }: { fault: InjectedFault; count: number; delaySeconds: number },
): Promise<void> {
  await tx.query(upsertFault, [merchantId, channel, fault, count, delaySeconds]);
}

export async function listFaultsOf(database: Queryable, merchant: MerchantId): Promise<WantedFault[]> {
  return (await database.query(listOpen, [merchant])).map((row) => ({
    channel: row.channel,
    fault: row.fault,
    remaining: row.events - row.applied,
    delaySeconds: row.delay_seconds,
  }));
}

export async function deleteFaults(tx: Transaction, merchant: MerchantId): Promise<void> {
  await tx.query(deleteAll, [merchant]);
}
