/** Tests that do not run on a cluster, because of what they do themselves; the service is not at fault. */

/** They read the plans of single statements, and a cluster plans on its machines. */
const plans = ['test/orders/list-plans.test.ts'];

/** They empty or change tables past their triggers, or play a node or a database of an earlier version. */
export const excludedFiles = [
  ...plans,
  'test/audit/{chain,head-file,lost-tail,properties,tampering}.test.ts',
  'test/http/idempotency-versions.test.ts',
  'test/kyc/sealing-upgrade.test.ts',
  'test/rates/upkeep.test.ts',
  'test/users/shredding.test.ts',
  'test/webhooks/numbering{,-upgrade}.test.ts',
];

/** Their own SQL is refused: it moves the time of rows, moves rows between users, or adds a trigger. */
export const excludedTests = [
  'leave what was submitted under the retained key, or nothing at all',
  'that cannot be announced or expired does not keep the others from it',
  'ends after 90 days, and with the user',
  'ends after an hour without use, and is remembered for a week as one that has ended',
  'goes on for another hour with every step that is saved and every file',
  'lives on while the person works, but not over a day',
  'does not open when it was moved to another step or another user’s case',
  'that answers another question than it was uploaded for is refused by the form',
  'with other (answers|consent|documents) is shown to no operator',
  'returns an expired quote with the status expired',
  'returns a used quote with the status used, also after it has expired',
  'cannot be changed by SQL either: expires_at',
  'rates that are too old',
  'a ciphertext that was moved',
  '500: an answer that was moved to the row of another key does not open',
  'a secret that was put into another merchant’s row signs nothing',
  'keeps its object and the answers for 30 days, and all else for 90',
  'that is still pending when its object goes is not sent without it',
  'the database itself refuses a fault',
  'cannot be moved to the hit of another merchant',
  'is read through the index of the user’s orders, however many orders there are',
  // The text of a check at COMMIT does not reach the client; silent-breaks.test.ts shows that the check holds.
  'refuses at COMMIT a journal that does not sum to zero in each currency',
  'refuses a journal with fewer postings than it declares, and one without postings',
  'refuses a reversal that is not exact, names no journal of the merchant, or is the second one',
  // It looks for a waiting statement among those of the coordinator, and a worker has it.
  'leaves the request pending and the record unchanged when the process loses its database in the middle',
  // Opens more connections at once than a small cluster accepts in time.
  'four processes deliver every event once while none of them dies',
];
