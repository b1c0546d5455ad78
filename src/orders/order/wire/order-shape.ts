/** The order on the wire: as its GET, its lists and its events show it. */
import Type from 'typebox';
import { purposes, refundStates, relationships, sourcesOfFunds, statusReasons } from '../order.js';
import { pendingReasons } from '../pending.js';
import { requirementCodes, requirementNeeds } from '../requirement.js';
import { publicStates } from '../transitions.js';

export const OrderPath = Type.Object({
  id: Type.String({ description: 'The id of the order, or `ext-` and your own id of it.' }),
});

export const time = (description: string) => Type.String({ format: 'date-time', description });
const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
export const enumOrNull = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Union([Type.Enum([...values]), Type.Null()], { description });

export const StatusShape = Type.Enum([...publicStates], { description: 'The state of the order.' });
export const purpose = Type.Enum([...purposes], { description: 'What the money is for.' });
export const metadata = Type.Record(
  Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,39}$' }),
  Type.String({ maxLength: 200 }),
  {
    maxProperties: 20,
    description:
      'Your own notes: at most 20 texts. Do not put personal data into them. Removed when the user is deleted.',
  },
);

export const orderExample = {
  id: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
  externalOrderId: 'invoice-1001',
  userId: 241958564297829,
  status: 'AWAITING_PAYMENT',
  statusReason: null,
  pendingReason: 'payment',
  requirements: [],
  cancellable: 'yes',
  rateCode: 'rt_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
  fiatIn: 'EUR',
  fiatOut: 'MXN',
  amountIn: 100,
  amountOut: 1952.04,
  rate: 19.5204,
  fee: 2,
  amountReceived: 0,
  amountMissing: 100,
  amountRefunded: 0,
  amountKept: 0,
  amountReversed: 0,
  refunds: [],
  requotes: [],
  beneficiaryId: 'ben_0000013J8V2T9X5B3N6H0C7D2F',
  payoutCountry: 'MX',
  payoutMethod: 'bank_account',
  payoutAccount: '****9719',
  purpose: 'family_support',
  sourceOfFunds: 'salary',
  relationship: 'parent',
  metadata: { campaign: 'spring' },
  payIn: {
    reference: 'RF310000013J8V2T9X5B3N6H0',
    account: {
      accountId: 'main-eur',
      holder: 'Remesa Payments S.L.',
      bankName: 'Banco de Ejemplo',
      country: 'ES',
      details: { iban: 'ES9121000418450200051332' },
      isSimulated: false,
    },
  },
  rateGuaranteedUntil: '2026-11-16T09:30:00.000Z',
  paymentDueAt: '2026-11-18T09:30:00.000Z',
  cancellableUntil: null,
  actionRequiredBy: null,
  refundDueBy: null,
  estimatedArrivalAt: '2026-11-17T15:00:00.000Z',
  cancellationRequestedAt: null,
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
  version: 1,
};

const RefundShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the refund. A retry is the same refund.' }),
    amount: Type.Number({ description: 'What goes back, in `fiatIn`.' }),
    state: Type.Enum([...refundStates], {
      description:
        '`pending`: decided. `submitted`: a bank has the instruction. `paid`: the payer has the money. `failed`: the bank of the payer refused it or sent it back, and the operator tries again. `cancelled`: the bank of the payer has taken the payment back.',
    }),
    reason: enumOrNull(statusReasons, 'Why the money goes back.'),
    createdAt: time('When it was decided.'),
    updatedAt: time('When it last changed.'),
  },
  { title: 'Refund' },
);
const RequotedTermsShape = (description: string) =>
  Type.Object(
    {
      rateCode: Type.String({ description: 'The code of the quote.' }),
      amountIn: Type.Number({ description: 'What the user pays.' }),
      amountOut: Type.Number({ description: 'What arrives.' }),
      rate: Type.Number({ description: 'The rate, with all fees.' }),
      fee: Type.Number({ description: 'The fee in `fiatIn`.' }),
    },
    { description },
  );

const RequoteShape = Type.Object({
  requotedAt: time('When the order got its new terms.'),
  needsAcceptance: Type.Boolean({
    description:
      'Whether the terms were more than 1 % worse, so that the sender had to accept them with `POST /orders/{id}/information`.',
  }),
  before: RequotedTermsShape('What was agreed until then.'),
  after: RequotedTermsShape('What holds from then on.'),
});

const RequirementShape = Type.Object({
  code: Type.Enum([...requirementCodes], { description: 'What is needed.' }),
  needs: Type.Enum([...requirementNeeds], {
    description:
      '`answer`: a text. `document`: a document from `POST /orders/{id}/documents`. `choice`: one of `options` as the answer. Send these with `POST /orders/{id}/information`. `beneficiary`: the corrected details, with `POST /orders/{id}/beneficiary`, and no other answer; or a text, if the details are right.',
  }),
  options: Type.Optional(
    Type.Array(Type.String(), { description: 'What there is to choose from. Only with `needs` `choice`.' }),
  ),
  text: Type.String({ description: 'The same as a sentence for the sender, in English.' }),
});

/** What an order costs, as the quote has it. */
export const priceFields = {
  fiatIn: Type.String({ description: 'The currency that the user pays.' }),
  fiatOut: Type.String({ description: 'The currency that arrives.' }),
  amountIn: Type.Number({ description: 'What the user pays.' }),
  amountOut: Type.Number({ description: 'What arrives.' }),
  rate: Type.Number({ description: 'The rate of the quote, with all fees.' }),
  fee: Type.Number({ description: 'The fee in `fiatIn`, which `amountIn` includes.' }),
};

const PayinAccountShape = Type.Object(
  {
    accountId: Type.String({ description: 'The name of the account.' }),
    holder: Type.String({ description: 'Who holds the account.' }),
    bankName: Type.String({ description: 'The bank.' }),
    country: Type.String({ description: 'The country of the bank: an ISO 3166-1 code of two letters.' }),
    details: Type.Record(Type.String(), Type.String(), {
      description: 'The numbers of the account, such as `iban` and `bic`.',
    }),
    isSimulated: Type.Boolean({
      description: 'Sandbox only: there is no such account. Pay with `POST /sandbox/payments`.',
    }),
  },
  { title: 'PayinAccount', description: 'The account to pay to.' },
);

export const OrderShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the order.' }),
    externalOrderId: textOrNull('Your own id of the order.'),
    userId: Type.Integer({ description: 'The id of the user who sends the money.' }),
    status: StatusShape,
    statusReason: enumOrNull(statusReasons, 'Why the order is in this state, where that is not obvious.'),
    pendingReason: enumOrNull(
      pendingReasons,
      'What the order waits for now. It can change without a new `version`; null when it waits for nothing.',
    ),
    requirements: Type.Array(RequirementShape, {
      description: 'What the sender must still answer with `POST /orders/{id}/information`; empty otherwise.',
    }),
    cancellable: Type.Enum(['yes', 'on_request', 'no'], {
      description: 'Whether the order can be cancelled now, once its review is over, or not.',
    }),
    rateCode: Type.String({ description: 'The code of the quote.' }),
    ...priceFields,
    amountReceived: Type.Number({ description: 'What has been paid so far, in `fiatIn`.' }),
    amountMissing: Type.Number({
      description: 'What is still to be paid, in `fiatIn`; 0 once the order does not wait for money.',
    }),
    amountRefunded: Type.Number({ description: 'What has been paid back so far, in `fiatIn`.' }),
    amountKept: Type.Number({
      description: 'What was kept of a refund, in `fiatIn`: the charges of banks for a payout to a wrong beneficiary.',
    }),
    amountReversed: Type.Number({
      description: 'What the bank of the payer has taken back, in `fiatIn`, such as a recalled direct debit.',
    }),
    refunds: Type.Array(RefundShape, { description: 'What goes back to the payer, the oldest first.' }),
    requotes: Type.Array(RequoteShape, {
      description:
        'Each time the order got the rate of the day because it was paid after `rateGuaranteedUntil`; empty otherwise.',
    }),
    beneficiaryId: textOrNull('The beneficiary that was copied; null if it was sent with the order.'),
    payoutCountry: Type.String({ description: 'The country that the money is paid out in.' }),
    payoutMethod: Type.String({ description: 'How the money is paid out.' }),
    payoutAccount: textOrNull('The end of the account number; null for cash.'),
    purpose,
    sourceOfFunds: enumOrNull(sourcesOfFunds, 'Where the money comes from.'),
    relationship: enumOrNull(relationships, 'What the beneficiary is to the sender.'),
    metadata,
    payIn: Type.Object(
      {
        reference: Type.String({
          description: 'What the payer must write on the transfer: an ISO 11649 creditor reference.',
        }),
        account: PayinAccountShape,
      },
      { description: 'How to pay the order.' },
    ),
    rateGuaranteedUntil: time('Until when a payment keeps the rate.'),
    paymentDueAt: time('When the payment is due.'),
    cancellableUntil: timeOrNull('Until when the sender has a right to cancel after paying.'),
    actionRequiredBy: timeOrNull('When the information that the order waits for is due.'),
    refundDueBy: timeOrNull('When a refund is due.'),
    estimatedArrivalAt: timeOrNull(
      'When the money should arrive: planned at the creation of the order, again when it is paid, and when the payout is submitted. Null once no money will arrive, and while payouts are paused.',
    ),
    cancellationRequestedAt: timeOrNull('When the order was cancelled, or its cancellation was requested.'),
    createdAt: time('When the order was created.'),
    updatedAt: time('When the order last changed.'),
    version: Type.Integer({ minimum: 1, description: 'Counts the changes of the order.' }),
  },
  { title: 'Order', examples: [orderExample] },
);
