/**
 * What does not keep the sharding rules, each with its reason. An entry that is not needed any more fails the check.
 */

interface Exemption {
  readonly rules: readonly number[];
  readonly reason: string;
}

export const exemptStatements: Readonly<Record<string, Exemption>> = {
  'rates.insert-quotes': {
    rules: [3],
    reason: 'Quotes of several merchants share one INSERT on plain PostgreSQL (rule 12).',
  },
  'idempotency.insert-key': {
    rules: [7],
    reason: 'The lock only saves waiting. Without it, the INSERT waits for the row of the first request.',
  },
  'idempotency.try-lock': {
    rules: [7],
    reason: 'The lock only tells a running request from an expired key. The row of the key decides.',
  },
  'migrate.try-lock': {
    rules: [7],
    reason: 'The lock only tells whether to wait. The key of `schema_migrations` lets each migration commit once.',
  },
  'migrate.wait-for-lock': {
    rules: [7],
    reason: 'The lock only saves a failed start. The key of `schema_migrations` lets each migration commit once.',
  },
};

export const exemptTables: Readonly<Record<string, string>> = {
  ledger_journals:
    'The checks at commit read the postings of their own journal, and of the one that it reverses (rule 11).',
  webhook_faults: 'The trigger reads `instance`, of which every machine has the one row.',
};
