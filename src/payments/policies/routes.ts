/** Routes for merchants: what becomes of payments that do not match. */
import { command, type Route, read } from '../../http/route.js';
import { DeclaredPoliciesShape, PoliciesShape } from './schemas.js';
import { declarePolicies, policiesOf } from './service.js';

const described = {
  tag: 'Orders',
  access: { token: 'merchant', scope: 'orders', user: 'none' },
  path: '/merchant/policies',
  answer: PoliciesShape,
} as const;

export function policyRoutes(): Route[] {
  return [
    read({
      ...described,
      method: 'GET',
      operationId: 'getPaymentPolicies',
      summary: 'Get the policies for payments that do not match',
      returns: 'The policies, or the defaults with `version` 0.',
      run: (call, database) => policiesOf(database, call.caller.merchantId),
    }),
    command({
      ...described,
      method: 'PUT',
      operationId: 'declarePaymentPolicies',
      summary: 'Set the policies for payments that do not match',
      description:
        'Send all values and the `version` that you read. They apply to payments that are recorded afterwards. An operator always decides about money without a usable reference, and about money for an order in review.',
      returns: 'The policies.',
      body: DeclaredPoliciesShape,
      refusals: ['policies_changed', 'ledger_fault'],
      run: (call, tx) => declarePolicies(tx, call.by, call.caller.merchantId, call.body),
    }),
  ];
}
