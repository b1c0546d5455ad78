/** The shapes of the block list in the operator API. */
import Type from 'typebox';
import { PendingApprovalShape } from '../../http/four-eyes.js';
import { pageLimit, pageStart, severalOf, textOrNull, time, timeOrNull } from '../../http/shapes.js';
import { blockKinds, blockStates } from './block.js';

const kind = Type.Enum([...blockKinds], {
  description:
    'What is blocked: `person` (the person behind a user, at every merchant), `account` (an account that money goes to or came from), `phone` (of a user, a wallet or whoever collects cash), `document` (that a user showed).',
});
const reason = (description: string) => Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', description });

const blockFields = {
  blockId: Type.String({ description: 'The id of the block.' }),
  kind,
  merchant: textOrNull('The client id of the merchant of the user; null unless a person is blocked.'),
  userId: Type.Union([Type.Integer(), Type.Null()], { description: 'The user; null unless a person is blocked.' }),
  state: Type.Enum([...blockStates], { description: 'A lifted block stops nothing any more.' }),
  version: Type.Integer({ description: 'Counts changes.' }),
  blockedBy: Type.String({ description: 'The login of the operator.' }),
  blockedAt: time('Since when it stops money.'),
  liftedAt: timeOrNull('When it was lifted; null while it is active.'),
  pendingApproval: Type.Optional(PendingApprovalShape),
};
const example = {
  blockId: 'blk_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
  kind: 'person',
  merchant: 'acme',
  userId: 241_958_564_297_829,
  state: 'active',
  version: 1,
  blockedBy: 'ana',
  blockedAt: '2026-11-15T09:41:00.000Z',
  liftedAt: null,
};

export const BlockShape = Type.Object(blockFields, { title: 'Block', examples: [example] });

export const BlockFileShape = Type.Object(
  {
    ...blockFields,
    value: textOrNull('What was entered; null for a person.'),
    country: textOrNull('Of the document.'),
    reason: Type.String({ description: 'Why it is blocked.' }),
    liftedBecause: textOrNull('Why it was lifted.'),
  },
  {
    title: 'BlockFile',
    examples: [{ ...example, value: null, country: null, reason: 'Request of the police.', liftedBecause: null }],
  },
);

export const NewBlockShape = Type.Object(
  {
    kind,
    merchant: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: '`person`: the client id of the merchant of the user.' }),
    ),
    userId: Type.Optional(Type.Integer({ minimum: 1, description: '`person`: the user.' })),
    value: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The account, the phone with its country code, or the number of the document. Of an account that several numbers identify, such as a routing number and an account number, all of them in the order of `GET /beneficiaries/requirements`.',
      }),
    ),
    country: Type.Optional(
      Type.String({ pattern: '^[A-Z]{2}$', description: '`document`: the country that issued it.' }),
    ),
    reason: reason('Why. It is stored encrypted.'),
  },
  {
    title: 'NewBlock',
    additionalProperties: false,
    examples: [{ kind: 'person', merchant: 'acme', userId: 241_958_564_297_829, reason: 'Request of the police.' }],
  },
);

export const LiftShape = Type.Object(
  { note: reason('Why it is lifted. It is stored encrypted.') },
  { title: 'Lift', additionalProperties: false, examples: [{ note: 'The police withdrew its request.' }] },
);

export const BlockQueryShape = Type.Object({
  state: Type.Optional(severalOf(blockStates, 'Only blocks in this state; `active` by default.')),
  after: pageStart('^blk_[0-9A-HJKMNP-TV-Z]{26}$'),
  limit: pageLimit(),
});

export const BlockPath = Type.Object({ blockId: Type.String({ description: 'The id of the block.' }) });
