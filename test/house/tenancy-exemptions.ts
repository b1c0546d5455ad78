/**
 * What may reach past one merchant, each with its reason. An entry that is not needed any more fails the check.
 */

/** Statements, by name: token look-ups (the merchant is what is being asked) and claims of the worker. */
export const exemptStatements: Readonly<Record<string, string>> = {
  'audit.find-end': 'The chain runs over all merchants; its end is a number and a hash.',
  'audit.list-unchained': 'The worker chains what was committed, in the order of the whole instance.',
  'audit.chain-entries': 'The worker writes numbers and hashes to the entries that it has just listed.',
  'audit.list-chained': 'Verifying the chain means reading all of it; only the operator may.',
  'audit.find-oldest-unchained': 'An age in seconds, for the watch over the worker.',
  'merchants.insert': 'The merchant comes into being here; its number is what the database answers.',
  'merchants.lock-by-client-id': 'Operators name a merchant by its client id.',
  'merchants.find-by-client-id': 'Operators name a merchant by its client id.',
  'merchants.list': 'Operators see all merchants.',
  'merchants.find-credentials': 'Which merchant it is, is what the client proves here.',
  'merchants.list-standing': 'Each node keeps in memory whose tokens are not good any more.',
  'upkeep-store.end-retentions':
    'The worker ends what the law kept, whoever it belongs to, by each one’s own clock.',
  'upkeep-store.list-old-keys': 'A new master key is for the keys of all users.',
  'upkeep-store.find-old-key': 'A new master key is for the keys of all users.',
  'upkeep-store.find-recent-erasure':
    'Whether anyone was erased since, for the job that shreds what is left of keys.',
  'upkeep-store.rewrite-user-keys':
    'Writes the whole table anew so that no byte of a destroyed key stays in the file.',
  'rates.sweep-unused-quotes': 'Housekeeping: a job deletes what is past its time, whoever it belongs to.',
  'idempotency.sweep-expired': 'Housekeeping: a job deletes what is past its time, whoever it belongs to.',
};

/** Tenant tables whose keys do not hold the merchant. */
export const exemptTables: Readonly<Record<string, string>> = {
  audit_entries: 'One chain over everything that happened; what operators do belongs to no merchant.',
};

/** Functions of the database, by name. */
export const exemptFunctions: Readonly<Record<string, string>> = {};
