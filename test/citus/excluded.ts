/** Tests that do not run on a cluster, each with what it does that a cluster cannot do. The service is not at fault. */

interface Exclusion {
  readonly reason: string;
  readonly files?: readonly string[];
  readonly tests?: readonly string[];
}

const exclusions: readonly Exclusion[] = [
  {
    reason: 'It reads the plan of a statement. A cluster plans on each machine.',
    files: ['test/orders/list-plans.test.ts'],
    tests: ['is read through the index of the user’s orders, however many orders there are'],
  },
  {
    reason: 'It empties tables with TRUNCATE while triggers are off. Citus passes TRUNCATE on by a trigger.',
    files: ['test/audit/{chain,head-file,lost-tail,properties,tampering}.test.ts'],
  },
  {
    reason: 'Its own SQL numbers the events of all merchants at once, as a node of a single machine may.',
    files: ['test/webhooks/numbering.test.ts'],
  },
  {
    reason: 'It measures how an answer is sent, and needs the machine for itself.',
    files: ['test/users/list-cut.test.ts'],
  },
  {
    reason: 'Its own SQL moves a row to another user or merchant, or copies from one, across machines.',
    tests: [
      'leave what was submitted under the retained key, or nothing at all',
      'does not open when it was moved to another step or another user’s case',
      'is refused by the form when it answers another question than it was uploaded for',
      'is shown to no operator with other (answers|consent|documents)',
      'a ciphertext that was moved',
      '500: an answer that was moved to the row of another key does not open',
      'a secret that was put into another merchant’s row signs nothing',
      'cannot be moved to the hit of another merchant',
    ],
  },
  {
    reason: 'Its own SQL adds to the time of rows, disables a trigger or creates one.',
    tests: [
      'does not keep the others from being announced or expired when it cannot be',
      'ends after 90 days, and with the user',
      'ends after an hour without use, and is remembered for a week as one that has ended',
      'goes on for another hour with every step that is saved and every file',
      'lives on while the person works, but not over a day',
      'rates that are too old',
      'keeps its object and the answers for 30 days, and all else for 90',
      'is not sent without its object, which goes while it is still pending',
      'the database itself refuses a fault',
      'every order is in the state of the model, we owe what it says, and merchants are told exactly that',
      'moves the others on when the database refuses the step of one order',
      'are kept as long as the law keeps the order, and then deleted with the account that rules know it by',
    ],
  },
  {
    reason: 'Its own SQL changes rows by subqueries on other tables.',
    tests: ['is content after every step of an order, and names the order and the account after a tampered posting'],
  },
  {
    reason:
      'The text of a check at COMMIT does not reach the client. silent-breaks.test.ts shows that the check holds.',
    tests: [
      'refuses at COMMIT a journal that does not sum to zero in each currency',
      'refuses a journal with fewer postings than it declares, and one without postings',
      'refuses a reversal that is not exact, names no journal of the merchant, or is the second one',
    ],
  },
  {
    reason: 'It looks for a waiting statement on the coordinator, and a worker has it.',
    tests: ['leaves the request pending and the record unchanged when the process loses its database in the middle'],
  },
  {
    reason: 'It opens more connections at once than a small cluster accepts in time.',
    tests: ['four processes deliver every event once while none of them dies'],
  },
];

export const excludedFiles = exclusions.flatMap(({ files = [] }) => files);
export const excludedTests = exclusions.flatMap(({ tests = [] }) => tests);
