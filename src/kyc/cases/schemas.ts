/** The shapes of KYC in requests and answers. */
import Type from 'typebox';
import { caseStates, kycLevels, parts, publicReasons, renewalStates, zones } from './case.js';

export const LevelShape = Type.Enum([...kycLevels], {
  description: 'The level of identification. A higher level includes the lower ones.',
});
export const ZoneShape = Type.Enum([...zones], {
  description: 'The regulatory zone of the user’s country.',
});
export const StateShape = Type.Enum([...caseStates], { description: 'The state of the case.' });
export const ReasonShape = Type.Enum([...publicReasons], {
  description: 'A reason that the user may be told.',
});
export const PartShape = Type.Enum([...parts], { description: 'A step of the form, or one document of it.' });
export const time = (description: string) => Type.String({ format: 'date-time', description });
const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const LevelsShape = Type.Object(
  {
    userId: Type.Integer({ description: 'The id of the user.' }),
    kycLevels: Type.Array(LevelShape, { description: 'The levels that the user holds now.' }),
  },
  { title: 'KycLevels', examples: [{ userId: 241958564297829, kycLevels: ['LEVEL_1', 'LEVEL_2'] }] },
);

export const caseFields = {
  id: Type.String({ description: 'The id of the case.' }),
  userId: Type.Integer({ description: 'The id of the user.' }),
  kycLevel: LevelShape,
  zone: ZoneShape,
  status: StateShape,
  reasons: Type.Array(ReasonShape, {
    description: 'Why the case was rejected, revoked, or sent back to the user.',
  }),
  requestedParts: Type.Array(PartShape, {
    description: 'What the user must send again, while the case is `ACTION_REQUIRED`.',
  }),
  createdAt: time('When the case was opened.'),
  updatedAt: time('When the case, or its renewal, last changed its state.'),
  submittedAt: timeOrNull('When the user last sent the form.'),
  decidedAt: timeOrNull('When the case was last decided.'),
  expiresAt: timeOrNull('When the approval ends.'),
  renewal: Type.Union(
    [
      Type.Object({
        status: Type.Enum([...renewalStates], {
          description: 'How far the renewal has got. An approved renewal is over.',
        }),
        reasons: Type.Array(ReasonShape, {
          description: 'Why the renewal was rejected or sent back to the user.',
        }),
        requestedParts: Type.Array(PartShape, {
          description: 'What the user must send again, while the renewal is `ACTION_REQUIRED`.',
        }),
      }),
      Type.Null(),
    ],
    {
      description:
        'The renewal of an approval that ends soon; null when there is none. `status` and `expiresAt` stay those of the approval until the renewal is approved.',
    },
  ),
};

export const caseExample = {
  id: 'kyc_3J8V2T9X5B3N6H0C7D2FW7ZQ4M',
  userId: 241958564297829,
  kycLevel: 'LEVEL_2',
  zone: 'EEA',
  status: 'ACTION_REQUIRED',
  reasons: ['blurry'],
  requestedParts: ['documentFront'],
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T11:02:10.000Z',
  submittedAt: '2026-11-15T09:41:00.000Z',
  decidedAt: '2026-11-15T11:02:10.000Z',
  expiresAt: null,
  renewal: null,
};

export const CaseShape = Type.Object(caseFields, {
  title: 'KycCase',
  description: 'One identity check of one user: a level in a zone.',
  examples: [caseExample],
});

export const StatesShape = Type.Object(
  {
    states: Type.Array(StateShape, { description: 'Every state that a case can be in.' }),
    transitions: Type.Array(
      Type.Object({
        move: Type.String({ description: 'The name of the transition.' }),
        from: Type.Union([StateShape, Type.Null()], {
          description: 'The state before; null when the case is opened.',
        }),
        to: Type.Enum([...caseStates], { description: 'The state after.' }),
      }),
      { description: 'Every transition that a case can make.' },
    ),
  },
  {
    title: 'KycStates',
    examples: [{ states: [...caseStates], transitions: [{ move: 'submit', from: 'PENDING', to: 'SUBMITTED' }] }],
  },
);
