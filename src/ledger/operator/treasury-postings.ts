/** Journals of the treasury, which operators book by hand, or statements of banks. Pure. */
import { type Amount, subtract } from '../../money/amount.js';
import { credit, creditPlace, debit, debitPlace, journal } from '../entries.js';
import type { JournalContent } from '../journal.js';

/** The operator's own money enters a bank account, or leaves it. */
export function funding(bank: string, moved: Amount, direction: 'in' | 'out'): JournalContent {
  return direction === 'in'
    ? journal('funding', debitPlace('bank', bank, moved), credit('funding', moved))
    : journal('funding', debit('funding', moved), creditPlace('bank', bank, moved));
}

export interface CoverTrade {
  readonly sold: Amount;
  readonly soldFrom: string;
  readonly bought: Amount;
  readonly boughtTo: string;
  /** G: how much of the position in the bought currency the trade closes. The difference to `bought` is the result. */
  readonly closed: Amount;
}

/** A trade with a bank that closes a currency position. */
export function coverTrade({ sold, soldFrom, bought, boughtTo, closed }: CoverTrade): JournalContent {
  return journal(
    'cover_trade',
    debit('fx', sold),
    creditPlace('bank', soldFrom, sold),
    debitPlace('bank', boughtTo, bought),
    credit('fx', closed),
    credit('fxresult', subtract(bought, closed)),
  );
}

export function bankFee(bank: string, charge: Amount): JournalContent {
  return journal('bank_fee', debit('charges', charge), creditPlace('bank', bank, charge));
}

/** `out`: the bank takes interest. */
export function interest(bank: string, moved: Amount, direction: 'in' | 'out'): JournalContent {
  return direction === 'in'
    ? journal('interest', debitPlace('bank', bank, moved), credit('interest', moved))
    : journal('interest', debit('interest', moved), creditPlace('bank', bank, moved));
}

/** One half of a transfer between two bank accounts of ours: money arrives on this one, or leaves it. */
export function ownTransfer(bank: string, moved: Amount, direction: 'in' | 'out'): JournalContent {
  return direction === 'in'
    ? journal('own_transfer', debitPlace('bank', bank, moved), credit('transit', moved))
    : journal('own_transfer', debit('transit', moved), creditPlace('bank', bank, moved));
}
