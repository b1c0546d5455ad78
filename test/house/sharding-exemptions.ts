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

export const exemptStatements: Readonly<Record<string, Exemption>> = {};

export const exemptTables: Readonly<Record<string, string>> = {
  audit_entries: 'One chain over all merchants; operators’ actions belong to no merchant.',
  webhook_faults: 'The trigger reads `instance`, of which every machine has the one row.',
};

/** An entry whose statement keeps the rules fails the check: delete it. */
export const statementsToRewrite: readonly string[] = [
  'audit.chain-entries',
  'audit.try-chain-lock',
  'case-upgrade-store.lock-cases',
  'claim-store.claim-due',
  'claim-store.claim-named',
  'claim-store.find-oldest-due',
  'claim-store.release',
  'claim-store.release-unserved',
  'corridor-rate-store.lock',
  'corridors.lock-seeding',
  'delivery-store.record-outcomes',
  'delivery-store.release-overtaken',
  'endpoint-store.delete',
  'endpoint-store.renew',
  'endpoint-store.reset-retries',
  'event-store.insert',
  'event-store.queue-again',
  'form-token-store.consume-of-case',
  'form-token-store.expire-writes-of-user',
  'form-token-store.extend',
  'form-token-store.sweep',
  'form.insert-submission',
  'form.lock-person',
  'form.save-answers',
  'idempotency.claim-key',
  'idempotency.keep-answer',
  'idempotency.sweep-expired',
  'idempotency.wait-for-claim',
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
  'rates.find-quote',
  'rates.insert-quotes',
  'rates.sweep-unused-quotes',
  'rates.take-quote',
  'retention-store.delete-events',
  'retention-store.forget-answers',
  'retention-store.forget-objects',
  'sealing-upgrade-store.list-keys',
  'sealing-upgrade-store.lock-users',
  'sealing-upgrade-store.save-keys',
  'sealing-upgrade-store.save-users',
  'secret-store.delete-expired',
  'secret-store.expire-all',
  'secret-store.lock',
  'tokens.lock-keys',
  'upkeep-store.end-retention',
  'upkeep-store.list-due-retentions',
  'upkeep-store.list-old-keys',
  'upkeep-store.save-rewrapped',
  'users.erase',
  'users.insert-erasure',
  'users.update-profile',
];
