/**
 * Opens and changes a suspense record: its row, the note, the books and the change in the log in one transaction, from
 * the version that was read. Of two changes at once, the second is refused.
 */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import type { TenantId } from '../../ids.js';
import type { JournalContent, PreparedJournal } from '../../ledger/journal.js';
import type { LedgerService } from '../../ledger/service.js';
import type { Amount } from '../../money/amount.js';
import type { OrderId } from '../../orders/order/order.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import { type InstanceSealer, ofNote } from '../sealed.js';
import { actionOf, openingAction } from './history.js';
import { addNote } from './note-store.js';
import { suspenseChanged, transitionNotAllowed } from './refusals.js';
import type { SuspenseRecord } from './suspense.js';
import { digestedSuspense } from './suspense.js';
import { addSuspense, type NewSuspense, saveSuspense } from './suspense-store.js';
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
  /** What was found about whoever gets the money, in spite of which it goes back. */
  readonly despite?: readonly string[];
}

/**
 * Throws `suspense_transition_not_allowed`, `suspense_changed` when the record is at another version, and
 * `ledger_fault` when somebody else has changed its row in the database.
 */
export async function changeSuspense(
  { ledger, sealer }: ChangeOptions,
  tx: Transaction,
  record: SuspenseRecord,
  { by, event, moved, remaining, journals, orderId, note, despite = record.despite }: Change & { readonly by: By },
): Promise<SuspenseRecord> {
  const { ownerId, suspenseId, state: fromState } = record;
  const state = requireAllowed(record, event);
  const handedTo = event === 'hand_over' ? orderId : undefined;
  const saved = await saveSuspense(tx, record, { state, remaining, handedTo, despite });
  if (!saved) throw suspenseChanged(record);
  const { version } = saved;
  if (note !== undefined) await addNote(tx, saved, sealer.sealNote(ofNote(ownerId, suspenseId, version), note));
  const written = await book(ledger, tx, ownerId, journals);
  await recordChange(tx, by, {
    merchantId: ownerId,
    ...digestedSuspense(saved),
    rowBefore: digestedSuspense(record).row,
    action: actionOf(event),
    fromState,
    toState: state,
    details: { amountMinor: String(moved.minor), ...(orderId === undefined ? {} : { orderId }) },
    version,
    journals: written,
  });
  return saved;
}

/** Opens a record at its first version. `journals`: those that its change names. */
export async function openSuspense(
  tx: Transaction,
  by: By,
  opened: NewSuspense,
  journals: readonly PreparedJournal[] = [],
): Promise<SuspenseRecord> {
  const { ownerId, paymentId, reason } = opened;
  const state = 'OPEN';
  const version = 1;
  const [record] = await Promise.all([
    addSuspense(tx, opened),
    recordChange(tx, by, {
      ...digestedSuspense({ ...opened, remaining: opened.amount, handedTo: undefined, despite: [], state, version }),
      merchantId: ownerId,
      action: openingAction,
      toState: state,
      details: { paymentId, reason },
      version,
      journals,
    }),
  ]);
  return record;
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
): Promise<readonly PreparedJournal[]> {
  if (journals.length === 0) return [];
  const occurredAt = await readMerchantClock(tx, ownerId);
  return Promise.all(journals.map((content) => ledger.post(tx, ownerId, { ...content, occurredAt })));
}
