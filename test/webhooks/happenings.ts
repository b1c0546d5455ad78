/** Changes that merchants are told of, and merchants to tell: without the rest of the service. */
import type pg from 'pg';
import type { JournalBook } from '../../src/changes/chain/journal-book.js';
import type { EventQueue } from '../../src/changes/chain/numbering.js';
import type { EventId, NewEvent } from '../../src/changes/event.js';
import { recordChange } from '../../src/changes/service.js';
import { type MerchantId, merchantId, newPublicId } from '../../src/ids.js';
import { createMerchant } from '../../src/merchants/service.js';
import { findMerchant } from '../../src/merchants/store.js';
import type { Database } from '../../src/postgres/database.js';
import type { Transaction } from '../../src/postgres/statement.js';
import { withoutTriggers } from '../harness/without-triggers.js';

export interface Happening extends NewEvent {
  readonly merchantId: MerchantId;
  /** The id of what changed. */
  readonly subject: string;
}

export type Change = Partial<Omit<Happening, 'merchantId'>>;

const by = { actor: { kind: 'system', name: 'test' } } as const;

/** Records a change that the merchant is told of. */
export async function recordEvent(
  tx: Transaction,
  { merchantId: merchant, subject, ...event }: Happening,
): Promise<EventId> {
  const eventId = newPublicId('evt');
  const told = { ...event, eventId };
  await recordChange(tx, by, {
    merchantId: merchant,
    action: event.type,
    subject: `${event.channel}:${subject}`,
    event: told,
  });
  return eventId;
}

export function eventOf(merchant: MerchantId, change: Change = {}): Happening {
  return {
    merchantId: merchant,
    channel: 'kyc',
    type: 'kyc.submitted',
    subject: 'kyc_00000000000000000000000001',
    object: { id: 'kyc_00000000000000000000000001', status: 'SUBMITTED' },
    previousStatus: 'PENDING',
    ...change,
  };
}

/** Something that a merchant is told of. */
export function happen(
  database: Database,
  { merchant }: { readonly merchant: MerchantId },
  change: Change = {},
): Promise<EventId> {
  return database.transaction((tx) => recordEvent(tx, eventOf(merchant, change)));
}

export function addMerchant(
  database: Database,
  clientId: string,
): Promise<{ readonly merchant: MerchantId; readonly clientId: string }> {
  return database.transaction(async (tx) => {
    await createMerchant(tx, by, { name: `The merchant ${clientId}`, clientId });
    return { clientId, merchant: merchantId((await findMerchant(tx, clientId))?.merchantId) };
  });
}

/** As if nothing had happened yet. */
export function emptyLog(sql: pg.Pool): Promise<void> {
  return withoutTriggers(sql, (client) =>
    client.query('LOCK TABLE change_chains; DELETE FROM change_chains; DELETE FROM changes'),
  );
}

const addedAtOnce = 1000;

/** Lets something happen so often. */
export async function happenOften(
  database: Database,
  { merchant }: { readonly merchant: MerchantId },
  count: number,
  change: Change = {},
): Promise<void> {
  for (let left = count; left > 0; left -= addedAtOnce)
    await database.transaction((tx) =>
      Promise.all(
        Array.from({ length: Math.min(left, addedAtOnce) }, () => recordEvent(tx, eventOf(merchant, change))),
      ),
    );
}

/** As if it had been recorded so many days ago. */
export function age(sql: pg.Pool, eventId: EventId, days: number): Promise<void> {
  return withoutTriggers(sql, async (client) => {
    for (const table of ['changes', 'deliveries'])
      await client.query(
        `UPDATE ${table} SET recorded_at = statement_timestamp() - make_interval(days => $2) WHERE event_id = $1`,
        [eventId, days],
      );
    await client.query(
      'UPDATE delivery_attempts SET started_at = statement_timestamp() - make_interval(days => $2) WHERE event_id = $1',
      [eventId, days],
    );
  });
}

/** Nothing is sent. */
export const noQueue: EventQueue = { add: async () => [], onQueued: () => {} };

export const noJournals: JournalBook = { sealsOf: async () => new Map(), number: async () => {} };
