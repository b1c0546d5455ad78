/** What becomes of the payments of a line when they are stored. */
import type { Transaction } from '../../postgres/statement.js';
import type { BankPlace, LineId, LineSign } from './line.js';
import type { NewDetail } from './line-store.js';
import type { ReportedPayment } from './reported.js';
import { takeOverHandMade } from './reported-store.js';

export interface LineOfDetails extends BankPlace {
  readonly lineId: LineId;
  readonly sign: LineSign;
}

export interface StoringDetails<Payment> {
  /** Whether lines that people made for these payments give their records to them. */
  readonly takesOver: boolean;
  /** Why only a person explains the payment; undefined for one that is matched. */
  readonly reasonOf: (payment: Payment) => string | undefined;
}

export async function detailsOf<Payment extends ReportedPayment>(
  tx: Transaction,
  { lineId, bank, currency, sign }: LineOfDetails,
  payments: readonly Payment[],
  { takesOver, reasonOf }: StoringDetails<Payment>,
): Promise<NewDetail[]> {
  const details: NewDetail[] = [];
  for (const payment of payments) {
    const { amountMinor, endToEndId } = payment;
    const named =
      takesOver && endToEndId !== undefined && amountMinor > 0n ? { sign, endToEndId, amountMinor } : undefined;
    const record = named && (await takeOverHandMade(tx, { bank, currency }, { ...named, by: lineId }));
    const reason = record === undefined ? reasonOf(payment) : undefined;
    const state = record !== undefined ? 'explained' : reason === undefined ? 'waiting' : 'break';
    details.push({ amountMinor, endToEndId, state, record, reason });
  }
  return details;
}
