/** What does not keep the sharding rules: with a reason where it stays so, by name where it is to be rewritten. */

/** Every machine has these in full, so that rows of all merchants may be joined to them. */
export const referenceTables: ReadonlySet<string> = new Set([
  'merchants',
  'merchant_secrets',
  'merchant_clocks',
]);

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
};

export const exemptTables: Readonly<Record<string, string>> = {
  ledger_journals:
    'The checks at commit read the postings of their own journal, and of the one that it reverses (rule 11).',
  webhook_faults: 'The trigger reads `instance`, of which every machine has the one row.',
};

/** An entry whose statement keeps the rules fails the check: delete it. */
export const statementsToRewrite: readonly string[] = [
  'case-upgrade-store.lock-cases',
  'claim-store.claim-due',
  'claim-store.claim-named',
  'claim-store.find-oldest-due',
  'claim-store.release',
  'claim-store.release-unserved',
  'corridor-rate-store.lock',
  'corridors.lock-seeding',
  'delivery-store.record-outcomes',
  'form.lock-person',
  'instance-keys.lock-alone',
  'instance-keys.lock-shared',
  'instance-keys.try-lock-upgrade',
  'kyc.close-cases',
  'kyc.insert-case',
  'kyc.list-held-cases',
  'kyc.update-case-state',
  'migrate.try-lock',
  'migrate.wait-for-lock',
  'numbering-store.number-batch',
  'operators.lock-count-of-admins',
  'permit-store.delete-old',
  'permit-store.delete-withdrawn',
  'queue-store.find-oldest-submitted',
  'queue-store.list-due-to-expire',
  'queue-store.list-expiring',
  'queue-store.lock-due-to-expire',
  'queue-store.note-told',
  'retention-store.delete-events',
  'retention-store.forget-answers',
  'retention-store.forget-objects',
  'sealing-upgrade-store.list-keys',
  'sealing-upgrade-store.lock-users',
  'sealing-upgrade-store.save-keys',
  'sealing-upgrade-store.save-users',
  'tokens.lock-keys',
  'upkeep-store.list-old-keys',
  'upkeep-store.save-rewrapped',
];
