/** Routes for operators who decide what becomes of money in suspense. */
import type { Static } from 'typebox';
import { command, type Route } from '../../../http/route.js';
import { viewOfSuspense } from '../suspense.js';
import type { ShownSuspense } from './names.js';
import {
  DecisionShape,
  FreezeShape,
  MatchShape,
  ReturnShape,
  SuspensePath,
  SuspenseShape,
  WriteOffShape,
} from './schemas.js';
import type { SuspenseService } from './service.js';

const refusals = ['suspense_not_found', 'suspense_changed', 'suspense_transition_not_allowed', 'ledger_fault'];

/** Money that was booked late gets the rate of today, which may not be there. */
const matchRefusals = [
  'order_not_found',
  'suspense_not_matchable',
  'order_transition_not_allowed',
  'payment_does_not_fit',
  'corridor_unavailable',
  'rates_unavailable',
  'amount_out_of_range',
  'payout_below_minimum',
];

export function suspenseCommandRoutes(suspense: SuspenseService): Route[] {
  return [
    matchRoute(suspense),
    returnRoute(suspense),
    writeOffRoute(suspense),
    withdrawRoute(suspense),
    freezeRoute(suspense),
    releaseRoute(suspense),
  ];
}

function decided(suspense: SuspenseService) {
  return {
    tag: 'Payments for operators',
    method: 'POST',
    returns: 'The record.',
    params: SuspensePath,
    subject: (call: { readonly params: { readonly suspenseId: string } }) => suspense.ownerOf(call.params.suspenseId),
    idempotency: { keepForHours: 24, isRequired: true },
    answer: SuspenseShape,
  } as const;
}

function matchRoute(suspense: SuspenseService): Route {
  return command({
    ...decided(suspense),
    access: { token: 'operator', role: 'reviewer' },
    path: '/operator/suspense/{suspenseId}/match',
    operationId: 'matchSuspense',
    summary: 'Match money in suspense to an order',
    description:
      'The order takes what it is missing; the rest stays in suspense, with the next `version`. Money that was booked after `rateGuaranteedUntil` gets the rate of today. Money of a shared account whose merchant was not known goes to the merchant of the order first (`HANDED_OVER`) and is matched within seconds, as a record in the books of that merchant. Needs an `Idempotency-Key`, because it moves money, and a second operator.',
    fourEyes: {
      action: 'suspense.match',
      review: (call, tx) => suspense.reviewMatch(tx, call.params.suspenseId, call.body.orderId),
    },
    body: MatchShape,
    refusals: [...refusals, ...matchRefusals],
    run: async (call, tx) => encode(await suspense.match(tx, call.by, call.params.suspenseId, call.body)),
  });
}

function returnRoute(suspense: SuspenseService): Route {
  return command({
    ...decided(suspense),
    access: { token: 'operator', role: 'reviewer' },
    path: '/operator/suspense/{suspenseId}/return',
    operationId: 'returnSuspense',
    summary: 'Pay money in suspense back',
    description:
      'Pays the money to the account that paid, from the account that it arrived on. If the paying account is not known, or a refund to it has failed, name a `recipient`, which needs a second operator. So does money whose payer, recipient or user matches a screening list: the record shows how. If there is no account at all, an operator must pay by hand. `GET /operator/payouts` shows the progress. Needs an `Idempotency-Key`, because it moves money.',
    fourEyes: {
      action: 'suspense.return',
      review: (call, tx) => suspense.reviewReturn(tx, call.params.suspenseId, call.body.recipient),
    },
    body: ReturnShape,
    refusals: [...refusals, 'suspense_blocked'],
    async run(call, tx) {
      const { version, note, recipient } = call.body;
      const asked = { version, note, recipient };
      return encode(await suspense.payBack(tx, call.by, call.params.suspenseId, asked));
    },
  });
}

function writeOffRoute(suspense: SuspenseService): Route {
  return command({
    ...decided(suspense),
    access: { token: 'operator', role: 'admin' },
    path: '/operator/suspense/{suspenseId}/write-off',
    operationId: 'writeOffSuspense',
    summary: 'Write money in suspense off',
    description:
      'For money that nobody claims and that the law lets you keep. It becomes yours, and this cannot be undone. Needs an `Idempotency-Key`, because it moves money, and a second operator.',
    fourEyes: {
      action: 'suspense.write_off',
      review: (call, tx) => suspense.reviewRecord(tx, call.params.suspenseId),
    },
    body: WriteOffShape,
    refusals,
    run: async (call, tx) => encode(await suspense.writeOff(tx, call.by, call.params.suspenseId, call.body)),
  });
}

function withdrawRoute(suspense: SuspenseService): Route {
  return command({
    ...decided(suspense),
    access: { token: 'operator', role: 'reviewer' },
    path: '/operator/suspense/{suspenseId}/withdraw',
    operationId: 'withdrawSuspenseReturn',
    summary: 'Stop the return of money in suspense',
    description:
      'Only until a bank was instructed to pay it back; afterwards you get 409. The money is `OPEN` again. Needs an `Idempotency-Key`, because it moves money.',
    body: DecisionShape,
    refusals,
    run: async (call, tx) => encode(await suspense.withdraw(tx, call.by, call.params.suspenseId, call.body)),
  });
}

function freezeRoute(suspense: SuspenseService): Route {
  return command({
    ...decided(suspense),
    access: { token: 'operator', role: 'reviewer' },
    path: '/operator/suspense/{suspenseId}/freeze',
    operationId: 'freezeSuspense',
    summary: 'Freeze money in suspense',
    description:
      'The money must not move. Takes effect at once, also while it is being paid back, until a bank was instructed. Needs an `Idempotency-Key`, because it moves money.',
    body: FreezeShape,
    refusals,
    run: async (call, tx) => encode(await suspense.freeze(tx, call.by, call.params.suspenseId, call.body.note)),
  });
}

function releaseRoute(suspense: SuspenseService): Route {
  return command({
    ...decided(suspense),
    access: { token: 'operator', role: 'reviewer' },
    path: '/operator/suspense/{suspenseId}/release',
    operationId: 'releaseSuspense',
    summary: 'Release frozen money in suspense',
    description:
      'The money is `OPEN` again, and somebody decides what becomes of it. Needs an `Idempotency-Key`, because it moves money, and a second operator.',
    fourEyes: {
      action: 'suspense.release',
      review: (call, tx) => suspense.reviewRecord(tx, call.params.suspenseId),
    },
    body: DecisionShape,
    refusals,
    run: async (call, tx) => encode(await suspense.release(tx, call.by, call.params.suspenseId, call.body)),
  });
}

function encode({ record, clientId }: ShownSuspense): Static<typeof SuspenseShape> {
  return viewOfSuspense(record, clientId);
}
