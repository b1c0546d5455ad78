/** SQL on the second factors of operators. */
import type { OperatorId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';

const find = statement(
  'second-factor-store.find',
  'SELECT second_factor, second_factor_step FROM operators WHERE operator_id = $operatorId',
).rows<{ second_factor: Buffer | null; second_factor_step: bigint }>();
const saveSecret = statement(
  'second-factor-store.save',
  'UPDATE operators SET second_factor = $sealed, second_factor_step = $step WHERE operator_id = $operatorId',
);
const useStep = statement(
  'second-factor-store.use-step',
  `UPDATE operators SET second_factor_step = $step
    WHERE operator_id = $operatorId AND second_factor_step < $step
   RETURNING operator_id`,
).rows<{ operator_id: bigint }>();

export interface StoredFactor {
  readonly sealed: Buffer;
  readonly usedStep: number;
}

export async function findFactor(database: Queryable, operatorId: OperatorId): Promise<StoredFactor | undefined> {
  const [row] = await database.query(find, { operatorId });
  if (!row?.second_factor) return undefined;
  return { sealed: row.second_factor, usedStep: Number(row.second_factor_step) };
}

/** `undefined` takes the second factor away. */
export async function saveFactor(
  tx: Transaction,
  operatorId: OperatorId,
  sealed: Buffer | undefined,
  step: number,
): Promise<void> {
  await tx.query(saveSecret, { operatorId, sealed: sealed ?? null, step: BigInt(step) });
}

/** False when this code or a later one was used meanwhile. */
export async function takeStep(tx: Transaction, operatorId: OperatorId, step: number): Promise<boolean> {
  return (await tx.query(useStep, { operatorId, step: BigInt(step) })).length > 0;
}
