/** The rows of countries, for the comparison with what their changes remember. They belong to the instance. */
import type { DigestedRow, RowSource } from '../changes/row.js';
import { findAltered } from '../changes/service.js';
import { instanceTenant } from '../ids.js';
import type { SealedQueryable } from '../postgres/statement.js';
import type { DecidedPolicy } from './policy.js';
import { listPolicies } from './store.js';

const policyPrefix = 'country_policy:';

/** The name under which the audit log and approvals know a policy. */
export function recordOf(country: string): string {
  return `${policyPrefix}${country}`;
}

/** What identifies the content of a policy. */
export function digestedPolicy(policy: DecidedPolicy): DigestedRow {
  const { country, residence, nationality, payout, answers, reason, version } = policy;
  return {
    subject: recordOf(country),
    row: [residence, nationality, payout, answers.join(' '), reason, version],
  };
}

export const countryRows: RowSource = {
  prefix: policyPrefix,
  async list(database, merchantId, after) {
    if (merchantId !== instanceTenant || after !== '') return [];
    return (await listPolicies(database)).map(({ country }) => recordOf(country));
  },
  async find(database, merchantId, subjects) {
    if (merchantId !== instanceTenant) return [];
    const policies = (await listPolicies(database)).map(digestedPolicy);
    return policies.filter(({ subject }) => subjects.includes(subject));
  },
};

/** Those that somebody has changed in the database, past the service. */
export function alteredPolicies(
  database: SealedQueryable,
  policies: readonly DecidedPolicy[],
): Promise<readonly DecidedPolicy[]> {
  const digested = (policy: DecidedPolicy) => ({ ...policy, ...digestedPolicy(policy) });
  return findAltered(database, instanceTenant, policies.map(digested), {
    readAgain: async () => (await listPolicies(database)).map(digested),
  });
}
