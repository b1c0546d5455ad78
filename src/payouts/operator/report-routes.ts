/** Routes for operators: reports that changed nothing and wait to be examined. */
import Type, { type Static } from 'typebox';
import { command, type Route, read } from '../../http/route.js';
import { amountToText } from '../../money/literal.js';
import type { WaitingReport } from '../reports/report-store.js';
import { SettledShape, WaitingReportShape } from '../schemas.js';
import type { PayoutOperatorService } from './service.js';

const forReviewers = {
  tag: 'Payouts for operators',
  access: { token: 'operator', role: 'reviewer' },
} as const;
const mostReports = 200;

export function waitingReportRoutes(payouts: PayoutOperatorService): Route[] {
  return [
    read({
      ...forReviewers,
      method: 'GET',
      path: '/operator/payout-reports',
      operationId: 'listWaitingReports',
      summary: 'List reports that were not applied',
      description:
        'Reports that contradict what is recorded, or that match no payout. Examine each one, then settle it.',
      returns: `Reports that wait for an operator, the oldest first; at most ${mostReports}.`,
      answer: Type.Array(WaitingReportShape),
      run: async (_call, database) => (await payouts.waitingReports(database, mostReports)).map(encodeReport),
    }),
    command({
      ...forReviewers,
      method: 'POST',
      path: '/operator/payout-reports/settle',
      operationId: 'settlePayoutReport',
      summary: 'Settle a report that was not applied',
      description: 'Ends the task once you have examined the report. Nothing else changes.',
      returns: 'The report is settled.',
      subject: (call, database) => payouts.tenantOfReport(database, call.body.rail, call.body.reportId),
      body: SettledShape,
      refusals: ['report_not_found'],
      run: (call, tx) => payouts.settle(tx, call.by, call.body),
    }),
  ];
}

function encodeReport(report: WaitingReport): Static<typeof WaitingReportShape> {
  const { rail, reportId, reference, kind, outcome, detail, attemptId, amount, reason, receivedAt } = report;
  return {
    rail,
    id: reportId,
    reference,
    kind,
    outcome: outcome === 'unmatched' ? 'unmatched' : 'contradictory',
    detail: detail ?? null,
    payoutId: attemptId ?? null,
    currency: amount?.currency ?? null,
    amount: amount ? amountToText(amount) : null,
    reason: reason ?? null,
    receivedAt: receivedAt.toISOString(),
  };
}
