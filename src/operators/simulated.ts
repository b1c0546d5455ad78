/** The operator of a sandbox who is nobody: a merchant that tries out decisions plays this part. */
import type { OperatorActor } from '../caller.js';
import { operatorId } from '../ids.js';

/** No account has this number, so nobody can sign in as it. */
export const simulatedOperator: OperatorActor = {
  kind: 'operator',
  operatorId: operatorId(Number.MAX_SAFE_INTEGER),
  role: 'admin',
};
