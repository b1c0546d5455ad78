/** The shapes of the report of safeguarding on the wire. */
import Type, { type Static } from 'typebox';
import { csvLine } from '../../http/answers/csv.js';
import { amount } from '../../money/amount.js';
import { amountToText } from '../../money/literal.js';
import { isShort, owedKinds, type SafeguardedFunds } from './safeguarding.js';

export const SafeguardingQuery = Type.Object(
  { day: Type.String({ format: 'date', description: 'The day, in UTC.' }) },
  { additionalProperties: false, examples: [{ day: '2026-11-15' }] },
);

const amountText = (description: string) =>
  Type.String({ description: `${description}, with all decimals of the currency.` });

const FundsShape = Type.Object({
  currency: Type.String({ description: 'The currency.' }),
  liability: amountText('What customers paid in for their orders'),
  payin: amountText('What arrived and is not assigned yet'),
  payout: amountText('What is converted and to be paid out'),
  settlement: amountText('Payouts in flight: a rail has them, and the bank has not debited them'),
  refund: amountText('What is to be paid back'),
  suspense: amountText('Money whose owner or order is not known'),
  frozen: amountText('Money that must not move'),
  owed: amountText('All of it'),
  held: amountText('What the books say is on the bank accounts that are kept apart'),
  difference: amountText('`held` less `owed`; negative for a shortage'),
  isShort: Type.Boolean({ description: 'Whether less is held than owed.' }),
});

export const SafeguardingReportShape = Type.Object(
  {
    day: Type.String({ format: 'date', description: 'The day. The figures are those of its end.' }),
    funds: Type.Array(FundsShape, { description: 'One entry for each currency in which something is owed or held.' }),
    recordedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the figures were recorded. Null for a day that has not ended, or was never recorded.',
    }),
    proof: Type.Union([Type.String(), Type.Null()], {
      description:
        'A signature (compact JWS, `typ` `remesa-safeguarding+json`) over `day` and `funds`. Its key is at `/.well-known/quote-keys.json`. Null while nothing is recorded.',
    }),
  },
  {
    title: 'SafeguardingReport',
    examples: [
      {
        day: '2026-11-15',
        funds: [
          {
            currency: 'EUR',
            liability: '1200.00',
            payin: '0.00',
            payout: '0.00',
            settlement: '0.00',
            refund: '100.00',
            suspense: '20.00',
            frozen: '0.00',
            owed: '1320.00',
            held: '1400.00',
            difference: '80.00',
            isShort: false,
          },
        ],
        recordedAt: '2026-11-16T00:40:00.000Z',
        proof: 'eyJhbGciOiJFZERTQSJ9.eyJkYXkiOiIyMDI2LTExLTE1…',
      },
    ],
  },
);
export type SafeguardingReport = Static<typeof SafeguardingReportShape>;

/** What is signed. */
export function signedReport(
  day: string,
  funds: readonly SafeguardedFunds[],
): Pick<SafeguardingReport, 'day' | 'funds'> {
  return { day, funds: funds.map(viewOfFunds) };
}

export function csvOfFunds({ day, funds }: Pick<SafeguardingReport, 'day' | 'funds'>): string {
  const figures = [...owedKinds, 'owed', 'held', 'difference'] as const;
  const lines = funds.map((each) => csvLine([day, each.currency, ...figures.map((name) => each[name])]));
  return csvLine(['day', 'currency', ...figures]) + lines.join('');
}

function viewOfFunds(funds: SafeguardedFunds): SafeguardingReport['funds'][number] {
  const { currency, owed, owedMinor, heldMinor } = funds;
  const text = (minor: bigint) => amountToText(amount(currency, minor));
  return {
    currency,
    liability: text(owed.liability),
    payin: text(owed.payin),
    payout: text(owed.payout),
    settlement: text(owed.settlement),
    refund: text(owed.refund),
    suspense: text(owed.suspense),
    frozen: text(owed.frozen),
    owed: text(owedMinor),
    held: text(heldMinor),
    difference: text(heldMinor - owedMinor),
    isShort: isShort(funds),
  };
}
