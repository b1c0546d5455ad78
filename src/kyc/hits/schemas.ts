/** The shapes of hits in the operator API. */
import Type from 'typebox';
import { PendingApprovalShape } from '../../http/four-eyes.js';
import { time } from '../cases/schemas.js';
import { hitKinds, hitStates } from './hit.js';

const hitFields = {
  id: Type.String({ description: 'The id of the hit.' }),
  merchant: Type.String({ description: 'The client id of the merchant.' }),
  userId: Type.Integer({ description: 'The id of the user.' }),
  kind: Type.Enum([...hitKinds], {
    description:
      '`sanction`: a sanctions list. `exposure`: a list of politically exposed people; such a hit freezes nothing.',
  }),
  list: Type.String({ description: 'The name of the list.' }),
  listVersion: Type.String({ description: 'The version of the list in which the entry was found.' }),
  entryId: Type.String({ description: 'The id of the entry in the list.' }),
  score: Type.Integer({ description: 'How well the two match, from 0 to 100.' }),
  isStrong: Type.Boolean({ description: 'Whether the score reaches `SCREENING_STRONG_SCORE`.' }),
  state: Type.Enum([...hitStates], {
    description:
      '`open`: waits for a decision. `dismissed`: the user is not the listed person. `confirmed`: the user is.',
  }),
  foundAt: time('When it was found.'),
  decidedAt: Type.Optional(time('When it was decided.')),
  decidedBy: Type.Optional(
    Type.String({ description: 'The login of the operator who decided it; under four eyes, of the one who asked.' }),
  ),
  pendingApproval: Type.Optional(PendingApprovalShape),
};

const hitExample = {
  id: 'hit_0000013J8V2T9X5B3N6H0C7D2F',
  merchant: 'acme',
  userId: 241958564297829,
  kind: 'sanction',
  list: 'ofac',
  listVersion: '5d41402abc4b2a76b9719d911017c592',
  entryId: '36216',
  score: 93,
  isStrong: false,
  state: 'open',
  foundAt: '2026-11-15T09:41:00.000Z',
};

export const HitShape = Type.Object(hitFields, { title: 'ScreeningHit', examples: [hitExample] });

export const HitFileShape = Type.Object(
  {
    ...hitFields,
    explanation: Type.Union(
      [
        Type.Object({
          entryName: Type.String({
            description: 'The main name of the entry: the first that the list gives.',
          }),
          matchedName: Type.String({ description: 'The name of the entry that matches best.' }),
          subjectName: Type.String({ description: 'The name of the user that matches best.' }),
          reasons: Type.Array(
            Type.Object({
              code: Type.String({ description: 'What was compared.' }),
              effect: Type.Number({ description: 'What it adds to or subtracts from 100.' }),
              text: Type.String({ description: 'The same in words.' }),
            }),
            { description: 'Why the score is what it is.' },
          ),
        }),
        Type.Null(),
      ],
      { description: 'Why the user and the entry match; null after the data of the user was erased.' },
    ),
    note: Type.Union([Type.String(), Type.Null()], { description: 'Why it was decided so.' }),
  },
  {
    title: 'ScreeningHitFile',
    examples: [
      {
        ...hitExample,
        explanation: {
          entryName: 'BLOCKWELL, Iris Sanctia',
          matchedName: 'BLOCKWELL, Iris Sanctia',
          subjectName: 'Iris Blokwell',
          reasons: [{ code: 'typing_error', effect: -7, text: 'blokwell is one letter away from blockwell.' }],
        },
        note: null,
      },
    ],
  },
);

export const HitQueryShape = Type.Object(
  {
    state: Type.Optional(Type.Enum([...hitStates], { description: 'Only hits in this state; `open` by default.' })),
    merchant: Type.Optional(Type.String({ maxLength: 100, description: 'Only hits of this merchant, by client id.' })),
    userId: Type.Optional(Type.Integer({ minimum: 1, description: 'Only hits of this user.' })),
    after: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,18}\\.hit_[0-9A-Z]{26}$',
        description: 'Where the page begins. Take it from the header `Link` of the page before.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'The size of a page; 50 by default.' })),
  },
  { additionalProperties: false },
);

export const NoteShape = Type.Object(
  {
    note: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '\\S',
      description: 'Why you decide so. Only operators see it.',
    }),
  },
  {
    title: 'HitDecision',
    additionalProperties: false,
    examples: [{ note: 'Another birth date and country.' }],
  },
);
