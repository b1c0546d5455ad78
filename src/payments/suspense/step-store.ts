/** SQL on the history of suspense records. */
import { type OperatorId, operatorId, storedPublicId } from '../../ids.js';
import { type Amount, amount } from '../../money/amount.js';
import type { OrderId } from '../../orders/order.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { SuspenseRecord } from './suspense.js';
import type { SuspenseEvent, SuspenseState } from './transitions.js';

const insertStep = statement(
  'step-store.insert',
  `INSERT INTO suspense_steps (merchant_id, suspense_id, version, event, state, amount_minor, order_id, operator_id, sealed_note)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const listOfRecord = statement<{
  version: number;
  event: SuspenseEvent;
  state: SuspenseState;
  amount_minor: bigint;
  order_id: string | null;
  operator_id: bigint | null;
  sealed_note: Buffer | null;
  taken_at: Date;
}>(
  'step-store.list',
  `SELECT version, event, state, amount_minor, order_id, operator_id, sealed_note, taken_at FROM suspense_steps
    WHERE merchant_id = $1 AND suspense_id = $2 ORDER BY version`,
);

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

export async function addStep(
  tx: Transaction,
  { ownerId, suspenseId }: SuspenseRecord,
  step: Omit<SuspenseStep, 'takenAt'>,
): Promise<void> {
  const { version, event, state, amount: moved, orderId } = step;
  await tx.query(insertStep, [
    ...[ownerId, suspenseId, version, event, state, moved.minor, orderId ?? null],
    ...[step.operatorId ?? null, step.sealedNote ?? null],
  ]);
}

/** The oldest first. */
export async function listSteps(
  database: Queryable,
  { ownerId, suspenseId, amount: { currency } }: SuspenseRecord,
): Promise<SuspenseStep[]> {
  const rows = await database.query(listOfRecord, [ownerId, suspenseId]);
  return rows.map((row) => ({
    ...{ version: row.version, event: row.event, state: row.state, takenAt: row.taken_at },
    amount: amount(currency, row.amount_minor),
    orderId: row.order_id === null ? undefined : storedPublicId('ord', row.order_id),
    operatorId: row.operator_id === null ? undefined : operatorId(row.operator_id),
    sealedNote: row.sealed_note ?? undefined,
  }));
}
