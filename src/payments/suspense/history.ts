/** The history of a suspense record, as the log of changes has it. */
import type { Change } from '../../changes/change.js';
import { listHistory } from '../../changes/service.js';
import { type OperatorId, operatorId, storedPublicId } from '../../ids.js';
import { type Amount, amount } from '../../money/amount.js';
import type { OrderId } from '../../orders/order/order.js';
import type { Queryable } from '../../postgres/statement.js';
import { listNotes } from './note-store.js';
import { recordOf, type SuspenseRecord } from './suspense.js';
import type { SuspenseEvent, SuspenseState } from './transitions.js';

export interface SuspenseStep {
  /** The version that the record had afterwards. */
  readonly version: number;
  readonly event: SuspenseEvent;
  readonly state: SuspenseState;
  /** How much it was about. */
  readonly amount: Amount;
  /** The order that took the money. */
  readonly orderId: OrderId | undefined;
  /** Who asked for it; undefined for what a policy decided or a rail reported. */
  readonly operatorId: OperatorId | undefined;
  readonly sealedNote: Buffer | undefined;
  readonly takenAt: Date;
}

const prefix = 'suspense.';
export const openingAction = `${prefix}opened`;

/** The action under which the log knows an event. */
export function actionOf(event: SuspenseEvent): string {
  return `${prefix}${event}`;
}

/** What happened to the record since it was opened, the oldest first. */
export async function listSteps(database: Queryable, record: SuspenseRecord): Promise<SuspenseStep[]> {
  const [changes, notes] = await Promise.all([
    listHistory(database, { merchantId: record.ownerId, subject: recordOf(record) }),
    listNotes(database, record),
  ]);
  return changes
    .filter(({ action }) => action !== openingAction)
    .map((change) => toStep(change, record, notes.get(change.version)));
}

function toStep(change: Change, record: SuspenseRecord, sealedNote: Buffer | undefined): SuspenseStep {
  const { version, action, toState, actor, details, recordedAt } = change;
  const { amountMinor, orderId } = details;
  return {
    version,
    event: action.slice(prefix.length) as SuspenseEvent,
    state: toState as SuspenseState,
    amount: amount(record.amount.currency, BigInt(String(amountMinor))),
    orderId: typeof orderId === 'string' ? storedPublicId('ord', orderId) : undefined,
    operatorId: actor.kind === 'operator' ? operatorId(Number(actor.id)) : undefined,
    sealedNote,
    takenAt: recordedAt,
  };
}
