/** Changes that merchants are told of, and merchants to tell: without the rest of the service. */
import { type MerchantId, merchantId } from '../../src/ids.js';
import { createMerchant } from '../../src/merchants/service.js';
import { findMerchant } from '../../src/merchants/store.js';
import type { Database } from '../../src/postgres/database.js';
import type { EventId, NewEvent } from '../../src/webhooks/event.js';
import { recordEvent } from '../../src/webhooks/service.js';

export type Change = Partial<Omit<NewEvent, 'merchantId'>>;

export function eventOf(merchant: MerchantId, change: Change = {}): NewEvent {
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
  const by = { actor: { kind: 'system', name: 'test' } } as const;
  return database.transaction(async (tx) => {
    await createMerchant(tx, by, { name: `The merchant ${clientId}`, clientId });
    return { clientId, merchant: merchantId((await findMerchant(tx, clientId))?.merchantId) };
  });
}
