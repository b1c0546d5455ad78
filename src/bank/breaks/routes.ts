/** Routes for operators: what nothing explains. */
import Type, { type Static } from 'typebox';
import { command, type Route, read } from '../../http/route.js';
import { minorUnits } from '../../money/currency.js';
import { writeFixed } from '../../money/decimal.js';
import { BankAccountPath } from '../accounts/schemas.js';
import type { BankAccountService } from '../accounts/service.js';
import type { LineSealer } from '../lines/content.js';
import * as shapes from './schemas.js';
import { type Break, decideTwin, listBreaks, reviewTwin } from './service.js';
import { reviewSplit, split } from './split-service.js';

const described = { tag: 'Bank for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forReviewers = {
  ...described,
  access: { token: 'operator', role: 'reviewer' },
  method: 'POST',
  subject: 'instance',
} as const;

export function breakRoutes(accounts: BankAccountService, sealer: LineSealer): Route[] {
  return [breaksRoute(accounts), twinRoute(sealer), splitRoute(sealer)];
}

function breaksRoute(accounts: BankAccountService): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/bank/accounts/{accountId}/breaks',
    operationId: 'listBankBreaks',
    summary: 'List what nothing explains',
    description:
      'To explain one, record what it is with its reference or its `lineId` as `bankReference`: a payment, `paid` or `returned` of a payout, a clawback, a treasury entry. To explain one that is several, split it.',
    returns: 'Up to 500 breaks, the oldest booking first.',
    params: BankAccountPath,
    answer: Type.Array(shapes.BreakShape),
    refusals: ['bank_account_not_found'],
    async run({ params }, database) {
      const { accountId } = await accounts.get(database, params.accountId);
      return (await listBreaks(database, accountId)).map(encodeBreak);
    },
  });
}

function twinRoute(sealer: LineSealer): Route {
  return command({
    ...forReviewers,
    path: '/operator/bank/lines/{lineId}/compare',
    operationId: 'compareBankLine',
    summary: 'Decide about a possible duplicate',
    description: 'Whether a reported line is the one that was recorded before. Needs a second operator.',
    returns: 'It is decided.',
    fourEyes: { action: 'bank.line', review: ({ params }, tx) => reviewTwin(tx, params.lineId) },
    params: shapes.LinePath,
    body: shapes.TwinDecisionShape,
    refusals: ['bank_line_not_found', 'bank_line_differs'],
    run: ({ params, body, by }, tx) => decideTwin(tx, sealer, by, params.lineId, body),
  });
}

function splitRoute(sealer: LineSealer): Route {
  return command({
    ...forReviewers,
    path: '/operator/bank/lines/{lineId}/split',
    operationId: 'splitBankLine',
    summary: 'Split what nothing explains',
    description:
      'Parts that make its amount take its place. Each is matched by what you say of it, booked as a treasury entry, or stays a break for you to explain. Needs a second operator.',
    returns: 'It is split. What its parts say is booked next.',
    fourEyes: { action: 'bank.line', review: ({ params, body }, tx) => reviewSplit(tx, params.lineId, body) },
    params: shapes.LinePath,
    body: shapes.SplitShape,
    refusals: ['bank_break_not_found'],
    run: ({ params, body, by }, tx) => split(tx, sealer, by, params.lineId, body),
  });
}

function encodeBreak(found: Break): Static<typeof shapes.BreakShape> {
  const { lineId, number, bank, sign, amountMinor, currency, bookedOn, reason } = found;
  return {
    lineId,
    number,
    accountId: bank,
    direction: sign,
    amount: writeFixed(amountMinor, minorUnits(currency)),
    currency,
    bookedOn,
    bankReference: found.bankReference ?? null,
    endToEndId: found.endToEndId ?? null,
    reason,
    twin: found.twinId ?? null,
    alike: found.alike.map(({ lineId: other, bookedOn: day, bankReference, record }) => ({
      lineId: other,
      bookedOn: day,
      bankReference,
      record,
    })),
    since: found.since.toISOString(),
  };
}
