/**
 * What may reach past one merchant, each with its reason. An entry that is not needed any more fails the check.
 */

/** Statements, by name: token look-ups (the merchant is what is being asked) and claims of the worker. */
export const exemptStatements: Readonly<Record<string, string>> = {
  'chain-store.list-waiting':
    'The worker asks which merchants have changes to number; it then numbers within one merchant.',
  'chain-store.find-oldest-unnumbered': 'An age in seconds, for the watch over the worker.',
  'chain-store.sum-chains': 'The share that a verification has done; only the operator may verify all.',
  'head-store.list-unsigned': 'One signed head covers the chains of all merchants; their ends are numbers and hashes.',
  'chain-store.list-chained': 'Verifying the chains means reading all of them; only the operator may.',
  'chain-store.list-all-unnumbered': 'Verifying the log means reading all of it; only the operator may.',
  'chain-store.find-traces': 'Whether there is anything at all, for the check of the whole log.',
  'listing-store.page-of-subject': 'Operators read the audit log of all merchants.',
  'listing-store.page-of-actor': 'Operators read the audit log of all merchants.',
  'listing-store.page-of-action': 'Operators read the audit log of all merchants.',
  'listing-store.page-of-all': 'Operators read the audit log of all merchants.',
  'progress-store.list-changed':
    'The worker asks whose ledger is to be verified; it then verifies within one merchant.',
  'progress-store.list-due-in-full':
    'The worker asks whose ledger is to be verified; it then verifies within one merchant.',
  'progress-store.list-all': 'The operator verifies the ledgers of all merchants, one by one.',
  'balance-store.list-places':
    'A real account is in the books of several merchants; its balance is the sum, which operators see.',
  'ledger-store.list-faults': 'Operators see the faults of all merchants.',
  'expiry-store.list-merchants':
    'The worker asks which merchants have expired orders; it then expires within one merchant.',
  'import-store.list-owners': 'The worker asks whose imports have lines to do; it then works within one merchant.',
  'import-store.list-owners-to-void':
    'The worker asks whose imports have payments to void; it then works within one merchant.',
  'import-listing-store.page': 'Operators see the imports of all merchants.',
  'payment-listing-store.newest-first': 'Operators see the payments of all merchants.',
  'payment-listing-store.oldest-first': 'Operators see the payments of all merchants.',
  'reversal-store.list-to-hand-back':
    'The worker asks which payments on shared accounts were voided; it then works within one merchant at a time.',
  'reversal-store.find-oldest-to-hand-back': 'An age in seconds, for the watch over the worker.',
  'suspense-listing-store.page-of-waiting': 'Operators see money in suspense, whichever merchant it belongs to.',
  'suspense-listing-store.page-of-state': 'Operators see money in suspense, whichever merchant it belongs to.',
  'suspense-listing-store.list-tasks': 'Operators see what waits for them, whichever merchant it belongs to.',
  'suspense-listing-store.count-by-reason': 'A metric over all merchants.',
  'application-store.list-by-digests':
    'Operators look for whoever paid from an account before; whose user it was, is the answer.',
  'hand-sum-store.sum': 'An operator records payments of all merchants; the limit is for all together.',
  'desk-store.count-created-of-all': 'Operators read the report of a day over all merchants.',
  'day-totals-store.sum-by-event': 'Operators read the report of a day over all merchants.',
  'day-totals-store.sum-by-corridor': 'Operators read the report of a day over all merchants.',
  'day-totals-store.list-tenants': 'Operators read the report of a day over all merchants.',
  'desk-store.count-in-states': 'A metric over all merchants.',
  'desk-store.page-of-all': 'Operators see the orders of all merchants.',
  'desk-store.list-by-external-id': 'Operators find an order by its external id; whose it is, is the answer.',
  'complaints.count': 'Operators read the statistics over all merchants.',
  'complaints.list-page': 'Operators see the complaints of all merchants.',
  'complaints.list-remedies': 'Operators see what waits for them, whichever merchant it belongs to.',
  'complaints.list-tasks': 'Operators see what waits for them, whichever merchant it belongs to.',
  'exposure.list-tasks': 'Operators see what waits for them, whichever merchant it belongs to.',
  'people-store.list-holders': 'The worker rates the customers of all merchants, and then works within one merchant.',
  'risk.list-unrated': 'The worker rates the customers of all merchants, and then works within one merchant.',
  'risk.list-tasks': 'Operators see what waits for them, whichever merchant it belongs to.',
  'stuck-store.page': 'Operators see what does not move, whichever merchant it belongs to.',
  'stuck-store.list-tasks': 'Operators see what does not move, whichever merchant it belongs to.',
  'payments.list-of-bank-reference': 'Operators find a payment by its reference; whose it is, is the answer.',
  'report-store.list-attempts': 'Operators find a payout by its reference; whose it is, is the answer.',
  'lease-store.list-merchants':
    'The worker asks which merchants have payouts that are due; it then works within one merchant.',
  'lease-store.find-oldest': 'An age in seconds, for the watch over the worker.',
  'payout-listing-store.page-of-all': 'Operators see the payouts of all merchants.',
  'payout-listing-store.list-unknown-orders': 'Operators see what does not move, whichever merchant it belongs to.',
  'payout-listing-store.count-unfinished': 'A metric over all merchants.',
  'report-store.list-waiting': 'Operators see what waits for them, whichever merchant it belongs to.',
  'report-store.find-tenant': 'Operators name a report by its rail and id; whose it is, is the answer.',
  'task-store.list-payouts-to-make': 'Operators see what waits for them, whichever merchant it belongs to.',
  'task-store.list-unknown-payouts': 'Operators see what waits for them, whichever merchant it belongs to.',
  'task-store.list-unmatched-reports': 'Operators see what waits for them, whichever merchant it belongs to.',
  'task-store.list-frozen-orders': 'Operators see what waits for them, whichever merchant it belongs to.',
  'task-store.list-failed-payouts': 'Operators see what waits for them, whichever merchant it belongs to.',
  'task-store.list-failed-refunds': 'Operators see what waits for them, whichever merchant it belongs to.',
  'fault-store.list-tasks': 'Operators see what waits for them, whichever merchant it belongs to.',
  'reversal-store.list-losses': 'Operators see what waits for them, whichever merchant it belongs to.',
  'advance-store.list-merchants':
    'The worker asks which merchants have orders to move on; it then works within one merchant.',
  'waiting-store.list-merchants':
    'A pause has ended: lists the merchants whose orders wait for it; each is then changed by itself.',
  'advance-store.find-oldest': 'A metric over all merchants.',
  'merchants.insert': 'The merchant comes into being here; its number is what the database answers.',
  'merchants.lock-by-client-id': 'Operators name a merchant by its client id.',
  'merchants.find-by-client-id': 'Operators name a merchant by its client id.',
  'merchants.list': 'Operators see all merchants.',
  'merchants.find-credentials': 'Which merchant it is, is what the client proves here.',
  'merchants.list-statuses': 'Each node keeps in memory whose tokens are not good any more.',
  'upkeep-store.list-erasures': 'A backup names everybody who was erased, so that a restore erases them again.',
  'upkeep-store.list-restored-erasures':
    'The worker asks who is to be erased again; it then erases within one merchant.',
  'upkeep-store.list-due-retentions':
    'The worker looks for erased users of all merchants whose retention has ended, by each merchant’s clock.',
  'key-store.find-merchant-with-old-keys': 'A new master key wraps the keys of all users, merchant by merchant.',
  'sender-mail-store.list-merchants':
    'The worker asks which merchants have mails to send; it then works within one merchant.',
  'sender-mail-store.find-oldest-due': 'An age in seconds, for the watch over the worker.',
  'sender-mail-store.list-merchants-to-sweep':
    'Housekeeping: a job lists merchants with due rows, then works merchant by merchant.',
  'request-log.list-merchants-to-sweep':
    'Housekeeping: a job lists merchants with due rows, then works merchant by merchant.',
  'link-store.list-merchants-to-sweep':
    'Housekeeping: a job lists merchants with due rows, then works merchant by merchant.',
  'invitation-store.list-merchants-to-sweep':
    'Housekeeping: a job lists merchants with due rows, then works merchant by merchant.',
  'form-token-store.list-merchants-to-sweep':
    'Housekeeping: a job lists merchants with due rows, then works merchant by merchant.',
  'queue-store.page-of-all': 'Operators see the cases of all merchants.',
  'queue-store.page-of-state': 'Operators see the cases of all merchants.',
  'queue-store.page-of-order-reviews': 'Operators see the reviews of all merchants.',
  'queue-store.list-order-reviews': 'Operators see what waits for them, whichever merchant it belongs to.',
  'queue-store.list-submitted':
    'The job looks for submitted cases of all merchants; it then decides each within its merchant.',
  'queue-store.find-oldest-submitted': 'A metric over all merchants.',
  'queue-store.list-due-to-expire':
    'The worker looks for expired approvals of all merchants, by each merchant’s clock.',
  'queue-store.list-expiring':
    'The worker looks for approvals of all merchants that expire soon, by each merchant’s clock.',
  'clock-store.list-given-up':
    'The job looks for clocks of all merchants whose movers are gone; it then lets each run again.',
  'scenario-run-store.list-merchants':
    'The job looks for stories of all merchants that go on now; it then plays each within its merchant.',
  'scenario-run-store.count-running': 'Whether any story is under way, for the job that plays them.',
  'other-accounts-store.list-due':
    'The job looks for confirmed hits of all merchants; it then freezes within each merchant.',
  'other-accounts-store.list-tasks': 'Operators see the tasks of all merchants.',
  'hit-store.page-of-state': 'Operators see the hits of all merchants.',
  'blocks.list-marked': 'A block concerns users of all merchants; only operators and the exits of money learn it.',
  'facts-store.list-senders': 'Operators look for who pays an account; whose user it is, is the answer.',
  'progress-store.list-tasks': 'Operators see what waits for them, whichever merchant it belongs to.',
  'progress-store.list-merchants': 'The worker monitors one merchant after the other.',
  'movements.list-history': 'Rules count a person and an account over all merchants; only operators see it.',
  'persons.list-others':
    'One person is recognised across merchants; only operators and the gate learn it, and merchants nothing.',
  'persons.list-by-digests': 'Operators find a user by what is known of the person; whose user it is, is the answer.',
  'person-store.sum-paid':
    'The limits of a person count all accounts of the person, whichever merchants they belong to; only operators see it.',
  'person-store.sum-ordered':
    'Rules count what a person sent as another user, of whichever merchant; only operators see it.',
  'run-store.count-people': 'A figure over all merchants, for the progress of a re-screening.',
  'run-store.list-people':
    'The job looks for users of all merchants who are to be screened again; it then acts within one merchant.',
  'approvals.page-of-pending': 'Operators see what waits for a second person, whichever merchant it belongs to.',
  'approvals.page-of-ended': 'Operators see what waited for a second person, whichever merchant it belongs to.',
  'approvals.count-waiting': 'A metric over all merchants.',
  'approvals.list-tasks': 'Operators see what waits for them, whichever merchant it belongs to.',
  'approvals.list-pending-on':
    'Operators list hits of all merchants, each with what waits for a second person; a record belongs to one merchant.',
  'approvals.list-live': 'The job looks at what waits for a second person, whichever merchant it belongs to.',
  'approvals.list-to-forget': 'The job finds what is not kept any more, whichever merchant it belongs to.',
  'approvals.list-maybe-over':
    'The job looks for requests of all merchants that may be over; it then ends each within its merchant.',
  'task-store.list-reviews': 'Operators see what waits for them, whichever merchant it belongs to.',
  'task-store.list-hits': 'Operators see what waits for them, whichever merchant it belongs to.',
  'task-store.list-ledger-faults': 'Operators see what waits for them, whichever merchant it belongs to.',
  'task-store.list-failing-endpoints': 'Operators see what waits for them, whichever merchant it belongs to.',
  'pending-store.list-queues':
    'The worker looks for urls of all merchants where something is due; it then claims each within its merchant.',
  'operator.list-endpoints': 'Operators see the urls of all merchants.',
  'object-store.list-old':
    'Housekeeping: a job lists rows that are past their time, and changes them merchant by merchant.',
  'retention-store.list-old-answers':
    'Housekeeping: a job lists rows that are past their time, and changes them merchant by merchant.',
  'retention-store.list-old-deliveries':
    'Housekeeping: a job lists rows that are past their time, and changes them merchant by merchant.',
  'rates.list-merchants-with-unused-quotes':
    'Housekeeping: a job lists merchants with due rows, then works merchant by merchant.',
  'documents.list-files':
    'A job asks which of the files that it found some document names; it learns that and nothing of the document.',
  'order-document-store.list-files':
    'A job asks which of the files that it found some document names; it learns that and nothing of the document.',
  'documents.list-closed-cases':
    'Housekeeping: a job finds what erased users left behind, whoever they belonged to, and removes it merchant by merchant.',
  'idempotency.list-merchants-to-sweep':
    'Housekeeping: a job lists merchants with due rows, then works merchant by merchant.',
};
