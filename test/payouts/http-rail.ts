/** A rail behind HTTP, as banks have them: POST a payment, GET what became of it. */
import type { Finding, Rail, Report } from '../../src/payouts/rail.js';

export function httpRail(url: string): Rail {
  return {
    name: 'bank',
    capabilities: {
      ...{ methods: 'any', currencies: 'any', paymentsPerMessage: 1, messagesAtOnce: 4 },
      ...{ canRecall: false, proofOfPayment: 'report', submission: 'automatic', asksAfterPayment: false },
    },
    plan: (_request, now) => ({ cutOffAt: undefined, valueDate: '2026-11-16', arrivesAt: now }),
    async submit({ payments }, signal) {
      const reports: Report[] = [];
      for (const { reference, content } of payments) {
        const answer = await fetch(`${url}/${reference}`, {
          method: 'POST',
          body: new Uint8Array(content),
          signal,
        });
        reports.push(...reportsOf(reference, await answer.text()));
      }
      return reports;
    },
    async find(reference, signal): Promise<Finding> {
      const answer = await fetch(`${url}/${reference}`, { signal });
      if (answer.status === 404) return 'never_received';
      return { reports: reportsOf(reference, await answer.text()) };
    },
    read: () => [],
  };
}

function reportsOf(reference: string, raw: string): Report[] {
  return raw.split(' ').map((kind) => ({
    reportId: `${reference}.${kind}`,
    ...{ reference, kind: kind as Report['kind'], raw },
  }));
}
