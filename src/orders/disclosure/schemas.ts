/** The shapes of disclosures on the wire. */
import Type, { type Static } from 'typebox';
import { viewOfLicensee } from '../../licensee/licensee.js';
import { NamedLicensee, namedLicenseeExample } from '../../licensee/schemas.js';
import { locales } from '../../locale.js';
import type { Amount } from '../../money/amount.js';
import { amountToLiteral } from '../../money/literal.js';
import { rateToLiteral } from '../../money/rate.js';
import type { Disclosure } from './disclosure.js';
import type { Wording } from './wording.js';

const SectionShape = Type.Object({
  heading: Type.String({ description: 'The heading of the section.' }),
  rows: Type.Array(
    Type.Object({
      label: Type.String({ description: 'What it is.' }),
      text: Type.String({ description: 'How much, when or who.' }),
    }),
    { description: 'The figures, in the order in which they must be shown.' },
  ),
  notes: Type.Array(Type.String(), { description: 'Sentences that belong to the section.' }),
});

export const DisclosureShape = Type.Object(
  {
    regime: Type.Enum(['us', 'eu', 'other'], {
      description:
        'Whose rules decide what it says, by the sender’s country: `us` is 12 CFR 1005.31(b)(1), `eu` is PSD2 art. 45 to 48.',
    }),
    fiatIn: Type.String({ description: 'The currency that is paid.' }),
    fiatOut: Type.String({ description: 'The currency that arrives.' }),
    transferAmount: Type.Number({ description: 'What is converted.' }),
    fee: Type.Number({ description: 'Our fee.' }),
    taxes: Type.Number({ description: 'Taxes that we collect. There are none.' }),
    total: Type.Number({ description: 'What the sender pays: `transferAmount`, `fee` and `taxes`.' }),
    exchangeRate: Type.Number({ description: 'What one unit of `transferAmount` buys, to six digits.' }),
    referenceSource: Type.String({
      description:
        'Whose reference rate the rate is compared with: `ecb` where the European Central Bank publishes one, else the source of the quote.',
    }),
    markupPercent: Type.Number({ description: 'How much the rate is worse than the reference rate, rounded up.' }),
    conversionCost: Type.Number({ description: 'The same as an amount of `fiatIn`, rounded up.' }),
    totalCost: Type.Number({ description: '`fee` and `conversionCost`.' }),
    amountReceived: Type.Number({
      description: 'What arrives, before fees of the recipient’s bank and foreign taxes.',
    }),
    availableOn: Type.String({
      format: 'date',
      description:
        'When the recipient can have the money if the payment arrives today, by the bank holidays of the country.',
    }),
    cancellationRightMinutes: Type.Union([Type.Integer(), Type.Null()], {
      description: 'How long after paying the sender can always cancel. Null: until the payout is on its way.',
    }),
    licensee: NamedLicensee,
    language: Type.Enum([...locales], { description: 'The language of the text.' }),
    title: Type.String({ description: 'The title of the text.' }),
    sections: Type.Array(SectionShape, { description: 'The exact text to show before payment.' }),
    textHash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 of language, title and sections. Send it with the order, as `acceptedDisclosure`, to have its acceptance recorded.',
    }),
    acceptedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the sender accepted exactly this text, with the order. Null where no acceptance was sent.',
    }),
  },
  {
    title: 'Disclosure',
    examples: [
      {
        regime: 'eu',
        fiatIn: 'EUR',
        fiatOut: 'MXN',
        transferAmount: 98,
        fee: 2,
        taxes: 0,
        total: 100,
        exchangeRate: 19.9187,
        referenceSource: 'ecb',
        markupPercent: 1.01,
        conversionCost: 0.98,
        totalCost: 2.98,
        amountReceived: 1952.04,
        availableOn: '2026-11-17',
        cancellationRightMinutes: null,
        licensee: namedLicenseeExample,
        language: 'en',
        title: 'Before you pay',
        sections: [{ heading: 'What it costs', rows: [{ label: 'Transfer fees', text: 'EUR 2.00' }], notes: [] }],
        textHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        acceptedAt: null,
      },
    ],
  },
);

export type DisclosureView = Static<typeof DisclosureShape>;

export function viewOfDisclosure(disclosure: Disclosure, wording: Wording): DisclosureView {
  const { terms, regime, licensee, supervisor, availableOn } = disclosure;
  return {
    regime,
    fiatIn: terms.amountIn.currency,
    fiatOut: terms.amountOut.currency,
    transferAmount: numberOf(disclosure.transferAmount),
    fee: numberOf(terms.fee),
    taxes: 0,
    total: numberOf(terms.amountIn),
    exchangeRate: Number(rateToLiteral(disclosure.exchangeRate)),
    referenceSource: disclosure.reference.source,
    markupPercent: Number(disclosure.markupBasisPoints) / 100,
    conversionCost: numberOf(disclosure.conversionCost),
    totalCost: numberOf(disclosure.totalCost),
    amountReceived: numberOf(terms.amountOut),
    availableOn,
    cancellationRightMinutes: disclosure.cancellationRightMinutes ?? null,
    licensee: viewOfLicensee(licensee, supervisor),
    language: wording.locale,
    title: wording.title,
    sections: wording.sections.map(({ heading, rows, notes }) => ({
      heading,
      rows: rows.map(([label, text]) => ({ label, text })),
      notes: [...notes],
    })),
    textHash: wording.textHash,
    acceptedAt: null,
  };
}

export function wordingOfView({ language, title, sections, textHash }: DisclosureView): Wording {
  return {
    locale: language,
    title,
    sections: sections.map(({ heading, rows, notes }) => ({
      heading,
      rows: rows.map(({ label, text }) => [label, text] as const),
      notes,
    })),
    textHash,
  };
}

/** Exact, because amounts have at most fifteen digits. */
function numberOf(value: Amount): number {
  return Number(amountToLiteral(value));
}
