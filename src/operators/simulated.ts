/** The operator of a sandbox who is nobody: a merchant that tries out decisions plays this part. */
import type { OperatorActor } from '../caller.js';
import { type OperatorId, operatorId } from '../ids.js';
import type { Queryable } from '../postgres/statement.js';
import { listOperators } from './store.js';

/** No account has this number, so nobody can sign in as it. */
export const simulatedOperator: OperatorActor = {
  kind: 'operator',
  operatorId: operatorId(Number.MAX_SAFE_INTEGER),
  role: 'admin',
};

export async function loginsOf(database: Queryable): Promise<ReadonlyMap<OperatorId, string>> {
  const operators = await listOperators(database);
  return new Map([
    [simulatedOperator.operatorId, 'sandbox'],
    ...operators.map(({ operatorId: id, login }) => [id, login] as const),
  ]);
}
