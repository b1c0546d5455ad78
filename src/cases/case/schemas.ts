/** The shapes of cases in the operator API. */
import Type from 'typebox';
import { pageLimit, pageStart, severalOf, textOrNull, time } from '../../http/shapes.js';
import { caseStates, itemKinds } from './case.js';

const text = (description: string, maxLength = 10_000) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description });

const caseFields = {
  caseId: Type.String({ description: 'The id of the case.' }),
  state: Type.Enum([...caseStates], {
    description: 'A filing makes a case `reported`. A closed case can be investigated again.',
  }),
  owner: textOrNull('The login of whoever works on it.'),
  dueAt: time('By when it is decided.'),
  openedBy: Type.String({ description: 'The login of whoever opened it.' }),
  openedAt: time('When it was opened.'),
  changedAt: time('When it last changed.'),
  version: Type.Integer({ description: 'Counts changes. Send it back with yours.' }),
};
const example = {
  caseId: 'cas_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
  state: 'investigating',
  owner: 'ana',
  dueAt: '2026-12-15T09:41:00.000Z',
  openedBy: 'ana',
  openedAt: '2026-11-15T09:41:00.000Z',
  changedAt: '2026-11-15T10:41:00.000Z',
  version: 2,
};
export const ComplianceCaseShape = Type.Object(caseFields, { title: 'ComplianceCase', examples: [example] });

const ItemShape = Type.Object(
  {
    number: Type.Integer({ description: 'Counts what was added.' }),
    kind: Type.Enum([...itemKinds], { description: 'What it is.' }),
    merchant: textOrNull('Of a user, an order or a hit: the client id of the merchant.'),
    reference: textOrNull('The id of what it names.'),
    text: textOrNull('What was written.'),
    addedBy: Type.String({ description: 'The login of the operator.' }),
    addedAt: time('When it was added.'),
    removed: Type.Union(
      [
        Type.Object(
          {
            by: Type.String({ description: 'The login of the operator.' }),
            at: time('When it was removed.'),
            why: Type.String({ description: 'Why.' }),
          },
          { title: 'CaseItemRemoval' },
        ),
        Type.Null(),
      ],
      { description: 'Of a reference that was added by mistake: it belongs to the case no more. Else null.' },
    ),
  },
  { title: 'ComplianceCaseItem' },
);
export const CaseFileShape = Type.Object(
  {
    ...caseFields,
    title: Type.String({ description: 'What the case is about.' }),
    items: Type.Array(ItemShape, { description: 'What the case holds, in the order in which it was added.' }),
  },
  {
    title: 'ComplianceCaseFile',
    examples: [
      {
        ...example,
        title: 'Structured transfers to one account',
        items: [
          {
            number: 1,
            kind: 'user',
            merchant: 'acme',
            reference: '241958564297829',
            text: null,
            addedBy: 'ana',
            addedAt: '2026-11-15T09:41:00.000Z',
            removed: null,
          },
        ],
      },
    ],
  },
);

export const NewCaseShape = Type.Object(
  {
    title: text('What the case is about. It is stored encrypted.', 200),
    alertIds: Type.Optional(
      Type.Array(Type.String({ maxLength: 40 }), {
        maxItems: 50,
        description: 'Open alerts with which it begins: their users and orders belong to it.',
      }),
    ),
  },
  {
    title: 'NewComplianceCase',
    additionalProperties: false,
    examples: [{ title: 'Structured transfers to one account', alertIds: ['alr_7ZQ4M1K8V2T9X5B3N6H0C7D2FW'] }],
  },
);
export const NewItemShape = Type.Object(
  {
    kind: Type.Enum(
      itemKinds.filter((kind) => kind !== 'filing'),
      { description: 'What is added. `narrative`: the text of a report; the newest one counts.' },
    ),
    merchant: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Of a user.' })),
    reference: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The id of what is named.' })),
    text: Type.Optional(text('For a note, a decision or a narrative. It is stored encrypted.')),
  },
  {
    title: 'NewComplianceCaseItem',
    additionalProperties: false,
    examples: [{ kind: 'narrative', text: 'Between 1 and 7 November, four transfers of 930 dollars …' }],
  },
);
export const ChangedCaseShape = Type.Object(
  {
    state: Type.Enum([...caseStates], {
      description: 'The state, or the next one. Only a filing makes it `reported`.',
    }),
    owner: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The login of the new owner.' })),
    dueAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'By when it is decided: within 90 days from now.' }),
    ),
    note: text('Why.'),
    version: Type.Integer({ minimum: 1, description: 'The version that you read.' }),
  },
  {
    title: 'ChangedComplianceCase',
    additionalProperties: false,
    examples: [{ state: 'investigating', note: 'The senders live at one address.', version: 1 }],
  },
);
export const FilingShape = Type.Object(
  {
    format: Type.Enum(['goaml', 'fincen', 'other'], { description: 'What was filed.' }),
    authority: text('With whom.', 200),
    reference: text('What the authority answered: a number or a receipt.', 200),
  },
  {
    title: 'Filing',
    additionalProperties: false,
    examples: [{ format: 'goaml', authority: 'SEPBLAC', reference: 'STR-2026-004711' }],
  },
);
export const CaseQueryShape = Type.Object({
  state: Type.Optional(severalOf(caseStates, 'Only cases in this state; all that are not closed by default.')),
  after: pageStart('^cas_[0-9A-HJKMNP-TV-Z]{26}$'),
  limit: pageLimit(),
});
export const RemovalShape = Type.Object(
  { note: text('Why. It is stored encrypted.', 1000) },
  { title: 'CaseItemRemovalReason', additionalProperties: false, examples: [{ note: 'Another order was meant.' }] },
);
export const CaseItemPath = Type.Object({
  caseId: Type.String({ description: 'The id of the case.' }),
  number: Type.Integer({ minimum: 1, description: 'The number of what was added.' }),
});
export const CasePath = Type.Object({ caseId: Type.String({ description: 'The id of the case.' }) });
export const ReportQueryShape = Type.Object({
  format: Type.Enum(['goaml', 'fincen', 'html'], {
    description: 'goAML XML, the fields of a FinCEN SAR as JSON, or a page to print.',
  }),
});
export const ReportShape = Type.Object(
  {
    format: Type.String({ description: 'The format.' }),
    mediaType: Type.String({ description: 'The media type of the content.' }),
    content: Type.String({ description: 'The report. Check it, and file it yourself.' }),
    missing: Type.Array(Type.String(), { description: 'What the authority asks for and the service does not know.' }),
  },
  {
    title: 'ComplianceReport',
    examples: [
      { format: 'goaml', mediaType: 'application/xml', content: '<report>…</report>', missing: ['rentity_id'] },
    ],
  },
);
