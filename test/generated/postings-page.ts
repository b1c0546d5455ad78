/** Writes docs/postings.md from the functions that make the postings: for each event the accounts and an example. */
import { type Account, accountKinds, chartOfAccounts } from '../../src/ledger/account.js';
import { type JournalContent, minorText, negated } from '../../src/ledger/journal.js';
import { bankFee, coverTrade, funding, interest, ownTransfer } from '../../src/ledger/operator/treasury-postings.js';
import * as book from '../../src/ledger/postings.js';
import { amount } from '../../src/money/amount.js';

const eur = (minor: bigint) => amount('EUR', minor);
const mxn = (minor: bigint) => amount('MXN', minor);
/** 100.00 EUR with a fee of 2.00, mid-market rate 20.12, margin 1 %. */
const terms: book.OrderTerms = {
  amountIn: eur(10_000n),
  fee: eur(200n),
  midRate: { coefficient: 2_012n, scale: 2 },
  marginBasisPoints: 100,
  amountOut: mxn(195_204n),
};
const A = terms.amountIn;
const O = terms.amountOut;
const { converted: N, gross: G, margin: P, rounding: R } = book.conversionOf(terms);
const c = mxn(5_000n);
const k = book.chargeInPayinCurrency(c, terms);
const refund = eur(A.minor - k.minor);
const [order, suspense, movement] = ['ord_1', 'sus_1', 'pay_1'];
const places = { rail: 'manual', bank: 'mexico' };

/** A row of the table. */
export interface Example {
  readonly title: string;
  readonly text: string;
  readonly journal: JournalContent;
}

const conversion = book.converted(order, terms);
export const postingsTable: readonly Example[] = [
  {
    title: 'Movement in',
    text: 'Money arrives on a bank account.',
    journal: book.movementIn(movement, 'main', A),
  },
  {
    title: 'Payment, exact or short',
    text: 'The movement pays an order, or a part of it.',
    journal: book.paymentReceived(movement, order, A),
  },
  {
    title: 'Payment, over',
    text: 'The movement is 3.00 more than the order needs.',
    journal: book.paymentOver(movement, { reference: order, due: A }, { reference: suspense, excess: eur(300n) }),
  },
  {
    title: 'Payment that no order takes',
    text: 'Unmatched, in another currency, or for an order that was cancelled or has expired.',
    journal: book.paymentUnassigned(movement, suspense, A),
  },
  {
    title: 'Suspense matched',
    text: 'An operator assigns money in suspense to an order.',
    journal: book.suspenseMatched(suspense, order, A),
  },
  {
    title: 'Converted',
    text: 'The rate is fixed and income is recognised.',
    journal: conversion,
  },
  {
    title: 'Payout submitted',
    text: 'Booked before the rail is asked. `COMPLETED` books nothing.',
    journal: book.payoutSubmitted(order, places.rail, O),
  },
  {
    title: 'Payout withdrawn',
    text: 'The order is reviewed or frozen before anybody was instructed to pay.',
    journal: book.payoutWithdrawn(order, places.rail, O),
  },
  {
    title: 'Payout debited',
    text: 'The bank statement shows the debit, with a charge of 50.00 MXN.',
    journal: book.payoutDebited(order, places, O, c),
  },
  {
    title: 'Payout failed',
    text: 'The rail rejects a payout that was submitted.',
    journal: book.payoutFailed(order, places.rail, O),
  },
  {
    title: 'Payout charged',
    text: 'A bank keeps 50.00 MXN of a payout that it sends back before the beneficiary had it. The payout failed as above. If only the rail knows the debit, `settlement` takes the place of `bank`.',
    journal: book.payoutCharged(order, { bank: places.bank }, c),
  },
  {
    title: 'Payout returned',
    text: 'The money comes back as a movement, less a charge of 50.00 MXN. The movement has the id of the attempt. If the rail has it again, `settlement` takes the place of `payin`.',
    journal: book.payoutReturned(order, { movement: 'att_1' }, O, c),
  },
  {
    title: 'Conversion reversed',
    text: 'The exact reversal of Converted, before a refund or a freeze.',
    journal: { event: 'conversion_reversed', postings: negated(conversion.postings) },
  },
  { title: 'Refund due, in full', text: 'The order will be paid back.', journal: book.refundDue(order, A) },
  {
    title: 'Refund due, in part',
    text: 'The charge of the bank is kept: k = ⌈c ÷ M⌉. A kept fee is credited to `fee` instead.',
    journal: book.refundDue(order, A, { amount: k, as: 'charges' }),
  },
  {
    title: 'Refund of an excess',
    text: 'Money in suspense will be paid back.',
    journal: book.suspenseRefundDue(suspense, eur(300n)),
  },
  {
    title: 'Refund of an excess withdrawn',
    text: 'It is stopped before anybody was instructed to pay it.',
    journal: book.suspenseRefundWithdrawn(suspense, eur(300n)),
  },
  { title: 'Refunded', text: 'The bank paid the refund.', journal: book.refunded(order, 'main', refund) },
  {
    title: 'Refund returned',
    text: 'A refund that was debited comes back. Movement in is booked as well.',
    journal: book.refundReturned('att_2', order, refund),
  },
  {
    title: 'Written off',
    text: 'Nobody claims money in suspense. If money is missing there, the signs are the other way round.',
    journal: book.writtenOff(suspense, eur(300n), 'unclaimed'),
  },
  {
    title: 'Frozen',
    text: 'From `liability`, `refund` or `suspense`. The release of an order reverses it.',
    journal: book.frozen(order, 'liability', A),
  },
  {
    title: 'Suspense released',
    text: 'Frozen money in suspense is in suspense again.',
    journal: book.suspenseReleased(suspense, eur(300n)),
  },
  {
    title: 'Clawback',
    text: 'The bank takes a payment back. The debit is on the account that has the money: `liability`, `refund`, `suspense` or `frozen`; after the payout on `writeoff`.',
    journal: book.clawback('pay_4', order, 'liability', { taken: A, bank: 'main' }),
  },
  {
    title: 'Payment voided',
    text: 'A payment never arrived like this: its money is taken from its order, or from `suspense`.',
    journal: book.paymentVoided(movement, order, 'liability', eur(6_000n)),
  },
  {
    title: 'Movement voided',
    text: 'The same movement was not on the bank account.',
    journal: book.movementVoided(movement, 'main', eur(6_000n)),
  },
  {
    title: 'Loss recovered',
    text: 'A payment was clawed back after the payout, and then the payout failed: the money covers the loss. Conversion reversed is booked before.',
    journal: book.lossRecovered(order, A),
  },
  {
    title: 'Paid twice',
    text: 'A beneficiary was paid twice by mistake.',
    journal: book.paidTwice(order, places.rail, O),
  },
  {
    title: 'Refund overpaid',
    text: 'A payer was paid back twice, or more than is owed.',
    journal: book.refundOverpaid(order, 'main', refund),
  },
  {
    title: 'Handed over',
    text: 'Under the owner of a shared bank account: the movement belongs to an order of another merchant. Under that merchant: a payment that is voided goes back to the owner.',
    journal: book.handedOver(movement, A),
  },
  {
    title: 'Suspense handed over',
    text: 'The same for money in suspense, once an operator has found its order.',
    journal: book.suspenseHandedOver(suspense, movement, A),
  },
  {
    title: 'Taken over',
    text: 'The other side, under the merchant of the order, or under the owner of a payment that is voided. Together the two `intermerchant` accounts are zero.',
    journal: book.takenOver(movement, A),
  },
  {
    title: 'Funding',
    text: 'The operator’s own money enters a bank account. Leaving has the signs the other way round.',
    journal: funding('main', eur(100_000n), 'in'),
  },
  { title: 'Bank fee', text: 'A bank takes a fee.', journal: bankFee('main', eur(750n)) },
  {
    title: 'Interest',
    text: 'A bank pays interest. What it takes has the signs the other way round.',
    journal: interest('main', eur(320n), 'in'),
  },
  {
    title: 'Own transfer',
    text: 'Money leaves one of our bank accounts for another. Its arrival has the signs the other way round, and `transit` is zero again.',
    journal: ownTransfer('main', eur(25_000n), 'out'),
  },
  {
    title: 'Cover trade',
    text: 'N is sold for 1,980.00 MXN. The trade closes the position G that the conversion opened; the difference is the result.',
    journal: coverTrade({ sold: N, soldFrom: 'main', bought: mxn(198_000n), boughtTo: 'mexico', closed: G }),
  },
];

export function postingsPage(): string {
  return [
    '# Postings',
    '',
    'Which accounts each event touches. Generated by `npm run generate` from `src/ledger/postings.ts`. See also [the ledger](ledger.md).',
    '',
    'A debit is positive, a credit negative. Every journal sums to zero in each currency. Postings of zero are left out.',
    '',
    '## The example',
    '',
    'A customer sends 100.00 EUR to Mexico. Fee 2.00 EUR, mid-market rate 20.12, margin 1 %.',
    '',
    '| Letter | Meaning | Example |',
    '|---|---|---|',
    ...letters.map(([letter, meaning, value]) => `| ${letter} | ${meaning} | ${value} |`),
    '',
    '## Accounts',
    '',
    '| Kind | Meaning | One for each | Needs a reference |',
    '|---|---|---|---|',
    ...accountKinds.map(accountLine),
    '',
    '## Events',
    '',
    'In brackets: the movement (`pay_`), order, suspense record or attempt that the posting is about.',
    '',
    '| Event | When | Debit | Credit |',
    '|---|---|---|---|',
    ...postingsTable.map(exampleLine),
    '',
  ].join('\n');
}

const letters = [
  ['A', '`amountIn`', '100.00 EUR'],
  ['F', 'fee', '2.00 EUR'],
  ['N', 'A − F', text('EUR', N.minor)],
  ['M', 'the mid-market rate of the quote', '20.12'],
  ['G', '⌊N × M⌋', text('MXN', G.minor)],
  ['P', '⌊N × M × margin⌋', text('MXN', P.minor)],
  ['O', '`amountOut`', text('MXN', O.minor)],
  ['R', 'G − P − O, of either sign', text('MXN', R.minor)],
  ['X', 'a movement', '100.00 EUR'],
  ['E', 'the excess', '3.00 EUR'],
  ['c', 'a charge in the payout currency', text('MXN', c.minor)],
  ['k', '⌈c ÷ M⌉ in the pay-in currency', text('EUR', k.minor)],
] as const;

function accountLine(kind: (typeof accountKinds)[number]): string {
  const { meaning, ...rest } = chartOfAccounts[kind];
  const each = 'place' in rest ? `currency and ${rest.place}` : 'currency';
  return `| \`${kind}\` | ${meaning} | ${each} | ${'isCustomerMoney' in rest ? 'yes' : 'no'} |`;
}

function exampleLine({ title, text: about, journal }: Example): string {
  const side = (isDebit: boolean) =>
    journal.postings
      .filter(({ minor }) => minor > 0n === isDebit)
      .map(postingText)
      .join(', ');
  return `| **${title}** \`${journal.event}\` | ${about} | ${side(true)} | ${side(false)} |`;
}

function postingText({ account, minor, reference }: JournalContent['postings'][number]): string {
  const value = minorText(account, minor < 0n ? -minor : minor);
  return `\`${account}\` ${value}${reference ? ` (\`${reference}\`)` : ''}`;
}

function text(currency: 'EUR' | 'MXN', minor: bigint): string {
  return `${minorText(`fx:${currency}` as Account, minor)} ${currency}`;
}
