/** The error codes of orders, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';
import { limitProblems } from './limits/problems.js';

export const orderProblems: ProblemCatalogue = {
  ...limitProblems,
  order_not_found: {
    kind: 'not_found',
    title: 'No such order',
    remedy: 'Check the id. It is `ord_…`, or `ext-` and your own id. The order may belong to someone else.',
  },
  order_not_cancellable: {
    kind: 'conflict',
    title: 'The order can no longer be cancelled',
    remedy:
      'The order has ended, its payout is on its way, or its money is already going back. `cancellable` in the order says what is possible.',
    exampleMembers: { orderStatus: 'COMPLETED' },
  },
  order_transition_not_allowed: {
    kind: 'conflict',
    title: 'The status of the order does not allow this',
    remedy: 'Read the order again. `GET /meta/order-states` lists what is possible in each status.',
    exampleMembers: { orderStatus: 'COMPLETED' },
  },
  payment_does_not_fit: {
    kind: 'impossible',
    title: 'The order does not need this money',
    remedy: 'Match at most `amountMissing`, in the `currency` of the order, or return the money.',
    exampleMembers: { amountMissing: 40, currency: 'EUR' },
  },
  disclosure_not_accepted: {
    kind: 'impossible',
    title: 'The sender has not accepted the disclosure',
    remedy:
      'Show the sender the `disclosure` of `POST /orders/preflight`, and send its `textHash` and `language` as `acceptedDisclosure`.',
  },
  disclosure_changed: {
    kind: 'conflict',
    title: 'The sender accepted a text that is no longer true',
    remedy:
      'Show the disclosure of `POST /orders/preflight` again, and send the `textHash` that the sender then accepts.',
    exampleMembers: { textHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', language: 'en' },
  },
  originator_incomplete: {
    kind: 'impossible',
    title: 'Too little is known of the sender',
    remedy:
      'The law asks for `missing` with a transfer of this value and in this direction. `address` is in the profile; a form of a KYC level asks for the rest: send the user through the form of the next level that `GET /user/limits` names.',
    exampleMembers: {
      missing: ['document_number'],
      demands: [
        {
          name: 'Transfer of funds out of the EEA',
          article: 'Regulation (EU) 2023/1113 art. 4(1)(c)',
          anyOf: [['address', 'document_number'], ['birth_date_and_place']],
          missing: ['document_number'],
        },
      ],
    },
  },
  receipt_not_available: {
    kind: 'conflict',
    title: 'There is no receipt yet',
    remedy: 'Ask again once the order is paid: its `status` is then `PAYMENT_RECEIVED` or later.',
    exampleMembers: { orderStatus: 'AWAITING_PAYMENT' },
  },
  order_review_blocked: {
    kind: 'conflict',
    title: 'The review cannot be decided yet',
    remedy:
      'Decide the hits of the sender (`/operator/screening/hits/{hitId}`). While one is open, no money moves. While one is confirmed, or the sender does not hold `missingLevel`, the order can only be refused. While the sender is on the block list (`blocks`), lift the block first. A politically exposed sender is accepted by management first (`POST /operator/users/{userId}/exposure`).',
    exampleMembers: { hits: ['hit_0000013J8V2T9X5B3N6H0C7D2F'], missingLevel: null },
  },
  order_terms_differ: {
    kind: 'conflict',
    title: 'The order does not have the terms of its quote',
    remedy:
      'Somebody changed the order or its quote in the database. Find out who and when, then refuse the order: the payer gets back what was paid.',
  },
  refund_too_small: {
    kind: 'conflict',
    title: 'Nothing would be left to refund',
    remedy: 'Send `keepCharges: false` to pay the charges of the banks yourself.',
  },
  order_document_not_found: {
    kind: 'not_found',
    title: 'No such document',
    remedy: 'Check the ids. `GET /operator/orders/{id}/review` lists the documents of an order.',
  },
  document_refused: {
    kind: 'impossible',
    title: 'The document cannot be accepted',
    remedy: '`detail` says what is wrong with the file. Send another one.',
    exampleMembers: { fault: 'too_large' },
  },
  too_many_documents: {
    kind: 'conflict',
    title: 'The order has too many documents',
    remedy:
      'An order takes at most `max`. Use the documents that you have uploaded: name them in `POST /orders/{id}/information`.',
    exampleMembers: { max: 20 },
  },
  review_rule_not_found: {
    kind: 'not_found',
    title: 'No such rule',
    remedy: 'Check the id. `GET /operator/rules` lists all rules.',
  },
  external_id_conflict: {
    kind: 'conflict',
    title: 'You have an order with this external id',
    remedy: 'Get it with `GET /orders/ext-{externalOrderId}`, or choose another id.',
    exampleMembers: { externalOrderId: 'invoice-1001' },
  },
  payin_unavailable: {
    kind: 'impossible',
    title: 'This currency cannot be paid in',
    remedy: 'The operator has no account for this currency. Choose another currency, or ask the operator.',
    exampleMembers: { currency: 'EUR' },
  },
  payout_unavailable: {
    kind: 'impossible',
    title: 'The beneficiary cannot be paid through this corridor',
    remedy:
      'Choose a beneficiary with this `currency` and one of these `payoutMethods`. If the list is empty, no rail pays out in this way: ask the operator.',
    exampleMembers: { currency: 'MXN', payoutMethods: ['bank_account'] },
  },
};
