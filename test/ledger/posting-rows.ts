/**
 * The table of postings by hand, from the design: what each event books for 100.00 EUR to Mexico with a fee of 2.00
 * EUR, a mid rate of 20.12 and a margin of 1 %. `account amount reference`; a debit is positive, and of a reference the
 * kind is enough.
 */

export type Lines = readonly string[];

export interface BookedRow {
  readonly event: string;
  readonly postings: Lines;
}

const row = (...[event = '', ...postings]: string[]): BookedRow => ({ event, postings });

/** By the title that docs/postings.md has. */
export const postingRows: Readonly<Record<string, BookedRow>> = {
  'Movement in': row('movement_in', 'bank:EUR:main 100.00 pay', 'payin:EUR -100.00 pay'),
  'Payment, exact or short': row('payment_received', 'payin:EUR 100.00 pay', 'liability:EUR -100.00 ord'),
  'Payment, over': row(
    ...['payment_over', 'payin:EUR 103.00 pay'],
    ...['liability:EUR -100.00 ord', 'suspense:EUR -3.00 sus'],
  ),
  'Payment that no order takes': row(...['payment_unassigned', 'payin:EUR 100.00 pay', 'suspense:EUR -100.00 sus']),
  'Suspense matched': row('suspense_matched', 'suspense:EUR 100.00 sus', 'liability:EUR -100.00 ord'),
  Converted: row(
    ...['converted', 'liability:EUR 100.00 ord', 'fee:EUR -2.00 ord', 'fx:EUR -98.00 ord'],
    ...['fx:MXN 1971.76 ord', 'payout:MXN -1952.04 ord', 'margin:MXN -19.71 ord', 'rounding:MXN -0.01 ord'],
  ),
  'Payout submitted': row(...['payout_submitted', 'payout:MXN 1952.04 ord', 'settlement:MXN:manual -1952.04 ord']),
  'Payout withdrawn': row(...['payout_withdrawn', 'settlement:MXN:manual 1952.04 ord', 'payout:MXN -1952.04 ord']),
  'Payout debited': row(
    ...['payout_debited', 'settlement:MXN:manual 1952.04 ord', 'charges:MXN 50.00 ord'],
    'bank:MXN:mexico -2002.04 ord',
  ),
  'Payout failed': row(...['payout_failed', 'settlement:MXN:manual 1952.04 ord', 'payout:MXN -1952.04 ord']),
  'Payout charged': row('payout_charged', 'charges:MXN 50.00 ord', 'bank:MXN:mexico -50.00 ord'),
  'Payout returned': row(
    ...['payout_returned', 'payin:MXN 1902.04 att', 'charges:MXN 50.00 ord', 'payout:MXN -1952.04 ord'],
  ),
  'Conversion reversed': row(
    ...['conversion_reversed', 'liability:EUR -100.00 ord', 'fee:EUR 2.00 ord', 'fx:EUR 98.00 ord'],
    ...['fx:MXN -1971.76 ord', 'payout:MXN 1952.04 ord', 'margin:MXN 19.71 ord', 'rounding:MXN 0.01 ord'],
  ),
  'Refund due, in full': row('refund_due', 'liability:EUR 100.00 ord', 'refund:EUR -100.00 ord'),
  'Refund due, in part': row(
    ...['refund_due', 'liability:EUR 100.00 ord', 'refund:EUR -97.51 ord', 'charges:EUR -2.49 ord'],
  ),
  'Refund of an excess': row('suspense_refund_due', 'suspense:EUR 3.00 sus', 'refund:EUR -3.00 sus'),
  'Refund of an excess withdrawn': row('suspense_refund_withdrawn', 'refund:EUR 3.00 sus', 'suspense:EUR -3.00 sus'),
  Refunded: row('refunded', 'refund:EUR 97.51 ord', 'bank:EUR:main -97.51 ord'),
  'Refund returned': row('refund_returned', 'payin:EUR 97.51 att', 'refund:EUR -97.51 ord'),
  'Written off': row('written_off', 'suspense:EUR 3.00 sus', 'writeoff:EUR -3.00 sus'),
  Frozen: row('frozen', 'liability:EUR 100.00 ord', 'frozen:EUR -100.00 ord'),
  'Suspense released': row('suspense_released', 'frozen:EUR 3.00 sus', 'suspense:EUR -3.00 sus'),
  Clawback: row(
    ...['clawback', 'liability:EUR 100.00 ord', 'payin:EUR -100.00 pay'],
    ...['payin:EUR 100.00 pay', 'bank:EUR:main -100.00 pay'],
  ),
  'Payment voided': row('payment_voided', 'liability:EUR 60.00 ord', 'payin:EUR -60.00 pay'),
  'Movement voided': row('movement_voided', 'payin:EUR 60.00 pay', 'bank:EUR:main -60.00 pay'),
  'Loss recovered': row('loss_recovered', 'liability:EUR 100.00 ord', 'writeoff:EUR -100.00 ord'),
  'Paid twice': row('paid_twice', 'writeoff:MXN 1952.04 ord', 'settlement:MXN:manual -1952.04 ord'),
  'Refund overpaid': row('refund_overpaid', 'writeoff:EUR 97.51 ord', 'bank:EUR:main -97.51 ord'),
  'Handed over': row('handed_over', 'payin:EUR 100.00 pay', 'intermerchant:EUR -100.00 pay'),
  'Suspense handed over': row(...['suspense_handed_over', 'suspense:EUR 100.00 sus', 'intermerchant:EUR -100.00 pay']),
  'Taken over': row('taken_over', 'intermerchant:EUR 100.00 pay', 'payin:EUR -100.00 pay'),
  Funding: row('funding', 'bank:EUR:main 1000.00', 'funding:EUR -1000.00'),
  'Bank fee': row('bank_fee', 'charges:EUR 7.50', 'bank:EUR:main -7.50'),
  Interest: row('interest', 'bank:EUR:main 3.20', 'interest:EUR -3.20'),
  'Own transfer': row('own_transfer', 'transit:EUR 250.00', 'bank:EUR:main -250.00'),
  'Cover trade': row(
    ...['cover_trade', 'fx:EUR 98.00', 'bank:EUR:main -98.00', 'bank:MXN:mexico 1980.00'],
    ...['fx:MXN -1971.76', 'fxresult:MXN -8.24'],
  ),
};
