/** The shapes of complaints: as merchants and their users see them, and as operators do. */
import Type from 'typebox';
import { pageLimit, pageStart, textOrNull, time, timeOrNull } from '../http/shapes.js';
import {
  complaintChannels,
  complaintKinds,
  complaintOutcomes,
  complaintStates,
  complaintTopics,
  remedies,
} from './complaint.js';

const text = (description: string, maxLength = 5000) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description });

const claimFields = {
  kind: Type.Enum([...complaintKinds], {
    description: '`error`: something went wrong with this transfer. `complaint`: anything else.',
  }),
  topic: Type.Enum([...complaintTopics], { description: 'What it is about.' }),
  text: text('What the customer says. It is stored encrypted.'),
};
const claimExample = { kind: 'error', topic: 'not_received', text: 'My mother has not got the money.' };

export const NewComplaintShape = Type.Object(claimFields, {
  title: 'NewComplaint',
  additionalProperties: false,
  examples: [claimExample],
});

export const FiledComplaintShape = Type.Object(
  {
    merchant: Type.String({ minLength: 1, maxLength: 64, description: 'The client id of the merchant of the user.' }),
    userId: Type.Integer({ minimum: 1, description: 'Who complains.' }),
    orderId: Type.Optional(
      Type.String({ maxLength: 64, description: 'The order that it is about. An error needs one.' }),
    ),
    ...claimFields,
    channel: Type.Enum([...complaintChannels], { description: 'How it came.' }),
    receivedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When it came; now by default.' })),
  },
  {
    title: 'FiledComplaint',
    additionalProperties: false,
    examples: [{ merchant: 'acme', userId: 241_958_564_297_829, ...claimExample, kind: 'complaint', channel: 'phone' }],
  },
);

const seenFields = {
  id: Type.String({ description: 'The id of the complaint.' }),
  orderId: textOrNull('The order that it is about.'),
  kind: Type.Enum([...complaintKinds], { description: 'A complaint or an error.' }),
  topic: Type.Enum([...complaintTopics], { description: 'What it is about.' }),
  status: Type.Enum([...complaintStates], {
    description: '`held`: an answer says why it takes longer. `answered`: the last answer has the result.',
  }),
  receivedAt: time('When it came.'),
  answerBy: time('By when there is an answer: the end of a day in the sender’s country.'),
  outcome: Type.Union([Type.Enum([...complaintOutcomes]), Type.Null()], { description: 'Null before the answer.' }),
  remedy: Type.Union([Type.Enum([...remedies]), Type.Null()], { description: 'How it is put right.' }),
};
const seenExample = {
  id: 'cmp_0000013J8V2T9X5B3N6H0C7D2F',
  orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
  kind: 'error',
  topic: 'not_received',
  status: 'open',
  receivedAt: '2026-11-15T09:41:00.000Z',
  answerBy: '2026-12-04T22:59:59.999Z',
  outcome: null,
  remedy: null,
};

export const ComplaintShape = Type.Object(
  {
    ...seenFields,
    answers: Type.Array(
      Type.Object({ text: Type.String({ description: 'What was answered.' }), at: time('When.') }, { title: 'Reply' }),
      { description: 'The oldest first.' },
    ),
  },
  { title: 'Complaint', examples: [{ ...seenExample, answers: [] }] },
);

const listedFields = {
  ...seenFields,
  merchant: Type.String({ description: 'The client id of the merchant.' }),
  userId: Type.Integer({ description: 'Who complains.' }),
  channel: Type.Enum([...complaintChannels], { description: 'How it came.' }),
  country: Type.String({ description: 'Where the sender lived then. Its law has the clocks.' }),
  article: Type.String({ description: 'Where the clocks come from.' }),
  isInTime: Type.Boolean({ description: 'Whether it came within the time in which the law asks for an answer.' }),
  latestBy: timeOrNull('Until when a holding reply by `answerBy` puts the answer off. Null: it may not be put off.'),
  dueAt: time('By when it must be answered as it stands.'),
  answeredAt: timeOrNull('When it was answered.'),
  remedyDueBy: timeOrNull('By when it is put right.'),
  remedyReference: textOrNull('The refund or the order that put it right.'),
  version: Type.Integer({ description: 'Send it with each command.' }),
};
const listedExample = {
  ...seenExample,
  merchant: 'acme',
  userId: 241_958_564_297_829,
  channel: 'api',
  country: 'ES',
  article: 'Directive (EU) 2015/2366 art. 101(2)',
  isInTime: true,
  latestBy: '2027-01-05T22:59:59.999Z',
  dueAt: '2026-12-04T22:59:59.999Z',
  answeredAt: null,
  remedyDueBy: null,
  remedyReference: null,
  version: 1,
};
export const ListedComplaintShape = Type.Object(listedFields, { title: 'ListedComplaint', examples: [listedExample] });

export const ComplaintFileShape = Type.Object(
  {
    ...listedFields,
    texts: Type.Array(
      Type.Object(
        {
          kind: Type.String({ description: '`claim`, `holding_reply` or `answer`.' }),
          text: Type.String({ description: 'What was written.' }),
          by: textOrNull('The login of the operator; null for the customer.'),
          at: time('When.'),
        },
        { title: 'ComplaintText' },
      ),
      { description: 'The oldest first. Empty once nothing is kept of the user.' },
    ),
  },
  {
    title: 'ComplaintFile',
    examples: [
      {
        ...listedExample,
        texts: [{ kind: 'claim', text: claimExample.text, by: null, at: '2026-11-15T09:41:00.000Z' }],
      },
    ],
  },
);

const version = Type.Integer({ minimum: 1, description: 'Of the complaint that you read.' });

export const HoldingReplyShape = Type.Object(
  { text: text('Why it takes longer. The customer reads it.'), version },
  {
    title: 'HoldingReply',
    additionalProperties: false,
    examples: [{ text: 'The bank in Mexico looks for the payment. We answer by 5 January.', version: 1 }],
  },
);

export const ComplaintAnswerShape = Type.Object(
  {
    outcome: Type.Enum([...complaintOutcomes], { description: 'What was found.' }),
    remedy: Type.Enum([...remedies], {
      description:
        'How it is put right. `resend`: without another charge. `refund` and `resend` only where it is about an order.',
    }),
    text: text('What was found, and the rights of the customer. The customer reads it.'),
    version,
  },
  {
    title: 'ComplaintAnswer',
    additionalProperties: false,
    examples: [{ outcome: 'upheld', remedy: 'refund', text: 'You get the money back, with the fee.', version: 1 }],
  },
);

export const RemedyShape = Type.Object(
  { reference: Type.String({ minLength: 1, maxLength: 64, description: 'The refund, or the later order.' }), version },
  {
    title: 'ComplaintRemedy',
    additionalProperties: false,
    examples: [{ reference: 'rfd_0000013J8V2T9X5B3N6H0C7D2F', version: 2 }],
  },
);

export const ComplaintPath = Type.Object({ complaintId: Type.String({ description: 'The id of the complaint.' }) });
export const ComplaintQuery = Type.Object(
  {
    state: Type.Optional(
      Type.Enum([...complaintStates, 'all'], { description: 'Only these; those without an answer by default.' }),
    ),
    merchant: Type.Optional(Type.String({ maxLength: 64, description: 'Only of this merchant, by client id.' })),
    after: pageStart('^cmp_[0-9A-HJKMNP-TV-Z]{26}$'),
    limit: pageLimit(),
  },
  { additionalProperties: false },
);

export const StatisticsQuery = Type.Object(
  {
    from: Type.String({ format: 'date', description: 'The first day (UTC) on which it came.' }),
    until: Type.String({ format: 'date', description: 'The day after the last one.' }),
  },
  { additionalProperties: false, examples: [{ from: '2026-01-01', until: '2027-01-01' }] },
);

export const StatisticsShape = Type.Array(
  Type.Object(
    {
      kind: Type.Enum([...complaintKinds], { description: 'A complaint or an error.' }),
      topic: Type.Enum([...complaintTopics], { description: 'What it is about.' }),
      country: Type.String({ description: 'Where the sender lived.' }),
      outcome: Type.Enum([...complaintOutcomes, 'unanswered'], { description: 'How it ended.' }),
      complaints: Type.Integer({ description: 'How many.' }),
      inTime: Type.Integer({ description: 'How many of them were answered in time, or still can be.' }),
      held: Type.Integer({ description: 'How many of them were put off with a holding reply.' }),
    },
    {
      title: 'ComplaintCount',
      examples: [
        {
          kind: 'complaint',
          topic: 'late',
          country: 'ES',
          outcome: 'upheld',
          complaints: 4,
          inTime: 4,
          held: 1,
        },
      ],
    },
  ),
);
