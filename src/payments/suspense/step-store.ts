/** SQL on the history of suspense records. */
import { type OperatorId, operatorId, storedPublicId } from '../../ids.js';
import { type Amount, amount } from '../../money/amount.js';
import type { OrderId } from '../../orders/order/order.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { SuspenseRecord } from './suspense.js';
import type { SuspenseEvent, SuspenseState } from './transitions.js';

const insertStep = statement(
  'step-store.insert',
  `INSERT INTO suspense_steps (merchant_id, suspense_id, version, event, state, amount_minor, order_id, operator_id, sealed_note)
   VALUES ($merchantId, $suspenseId, $version, $event, $state, $amountMinor, $orderId, $operatorId, $sealedNote)`,
);
const listOfRecord = statement(
  'step-store.list',
  `SELECT version, event, state, amount_minor, order_id, operator_id, sealed_note, taken_at FROM suspense_steps
    WHERE merchant_id = $merchantId AND suspense_id = $suspenseId ORDER BY version`,
).rows<{
  version: number;
  event: SuspenseEvent;
  state: SuspenseState;
  amount_minor: bigint;
  order_id: string | null;
  operator_id: bigint | null;
  sealed_note: Buffer | null;
  taken_at: Date;
}>();

export interface SuspenseStep {
  /** The version that the record had afterwards. */
  readonly version: number;
  readonly event: SuspenseEvent;
  readonly state: SuspenseState;
  /** How much it was about. */
  readonly amount: Amount;
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
  await tx.query(insertStep, { ...step, merchantId: ownerId, suspenseId, amountMinor: step.amount.minor });
}

/** The oldest first. */
export async function listSteps(
  database: Queryable,
  { ownerId, suspenseId, amount: { currency } }: SuspenseRecord,
): Promise<SuspenseStep[]> {
  const rows = await database.query(listOfRecord, { merchantId: ownerId, suspenseId });
  return rows.map((row) => ({
    version: row.version,
    event: row.event,
    state: row.state,
    takenAt: row.taken_at,
    amount: amount(currency, row.amount_minor),
    orderId: row.order_id === null ? undefined : storedPublicId('ord', row.order_id),
    operatorId: row.operator_id === null ? undefined : operatorId(row.operator_id),
    sealedNote: row.sealed_note ?? undefined,
  }));
}
