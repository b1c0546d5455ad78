/** What the reports of an attempt say about the debit of a bank account. Pure. */
import type { StoredReport } from './report-store.js';

/** The reports that say that it was paid, and were not withdrawn. A second payment by mistake is not one of them. */
export function paymentsIn(reports: readonly StoredReport[]): StoredReport[] {
  return reports.filter(
    ({ kind, outcome, detail }) => kind === 'paid' && outcome === 'applied' && detail === undefined,
  );
}

/** The bank account that was debited; undefined while only the rail knows, and when nothing was paid. */
export function debitedBankOf(reports: readonly StoredReport[]): string | undefined {
  return paymentsIn(reports).find(({ bank }) => bank !== undefined)?.bank;
}
