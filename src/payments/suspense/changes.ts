/**
 * Changes a suspense record: its row, its history, the books and the audit log in one transaction, from the version
 * that was read. Of two changes at once, the second is refused.
 */
import { recordAudit } from '../../audit/service.js';
import { authorOf, type By } from '../../caller.js';
import type { TenantId } from '../../ids.js';
import type { JournalContent } from '../../ledger/journal.js';
import type { LedgerService } from '../../ledger/service.js';
import type { Amount } from '../../money/amount.js';
import type { OrderId } from '../../orders/order/order.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import { type InstanceSealer, ofStep } from '../sealed.js';
import { suspenseChanged, transitionNotAllowed } from './refusals.js';
import { addStep } from './step-store.js';
import type { SuspenseRecord } from './suspense.js';
import { saveSuspense } from './suspense-store.js';
import { type SuspenseEvent, type SuspenseState, suspenseStateAfter } from './transitions.js';

export interface ChangeOptions {
  readonly ledger: LedgerService;
  readonly sealer: InstanceSealer;
}

export interface Change {
  readonly event: SuspenseEvent;
  /** How much of the record it is about. */
  readonly moved: Amount;
  /** What we hold of the record afterwards. */
  readonly remaining: Amount;
  readonly journals: readonly JournalContent[];
  readonly orderId?: OrderId;
  readonly note?: string | undefined;
}

/** Throws `suspense_transition_not_allowed`, and `suspense_changed` when the record is at another version. */
export async function changeSuspense(
  { ledger, sealer }: ChangeOptions,
  tx: Transaction,
  record: SuspenseRecord,
  { by, event, moved, remaining, journals, orderId, note }: Change & { readonly by: By },
): Promise<SuspenseRecord> {
  const { ownerId, suspenseId, state: fromState } = record;
  const state = requireAllowed(record, event);
  const handedTo = event === 'hand_over' ? orderId : undefined;
  const saved = await saveSuspense(tx, record, { state, remaining, handedTo });
  if (!saved) throw suspenseChanged(record);
  const { version } = saved;
  const binding = ofStep(ownerId, suspenseId, version);
  await addStep(tx, record, {
    version,
    event,
    state,
    amount: moved,
    orderId,
    operatorId: authorOf(by),
    sealedNote: note === undefined ? undefined : sealer.sealNote(binding, note),
  });
  await book(ledger, tx, ownerId, journals);
  await recordAudit(tx, ownerId, {
    ...by,
    action: `suspense.${event}`,
    subject: `suspense:${suspenseId}`,
    fromState,
    toState: state,
    details: orderId === undefined ? {} : { orderId },
  });
  return saved;
}

/** Returns the state that follows. Throws `suspense_transition_not_allowed`. */
export function requireAllowed(record: SuspenseRecord, event: SuspenseEvent): SuspenseState {
  const state = suspenseStateAfter(record.state, event);
  if (state === undefined) throw transitionNotAllowed(record);
  return state;
}

async function book(
  ledger: LedgerService,
  tx: Transaction,
  ownerId: TenantId,
  journals: readonly JournalContent[],
): Promise<void> {
  if (journals.length === 0) return;
  const occurredAt = await readMerchantClock(tx, ownerId);
  for (const content of journals) await ledger.post(tx, ownerId, { ...content, occurredAt });
}
