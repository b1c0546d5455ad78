/**
 * What may reach past one merchant, each with its reason. An entry that is not needed any more fails the check.
 */

/** Statements, by name: token look-ups (the merchant is what is being asked) and claims of the worker. */
export const exemptStatements: Readonly<Record<string, string>> = {
  'idempotency.sweep-expired': 'Housekeeping: a job deletes what is past its time, whoever it belongs to.',
};

/** Tenant tables whose keys do not hold the merchant. */
export const exemptTables: Readonly<Record<string, string>> = {
  audit_entries: 'One chain over everything that happened; what operators do belongs to no merchant.',
};

/** Functions of the database, by name. */
export const exemptFunctions: Readonly<Record<string, string>> = {};
