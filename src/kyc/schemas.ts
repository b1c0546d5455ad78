/** The shapes of KYC in requests and answers. */
import Type from 'typebox';
import { caseStates, kycLevels, parts, publicReasons, renewalStates, zones } from './case.js';
import { locales } from './form/view.js';
import { checkNames, checkOutcomes } from './review/checks.js';

const LevelShape = Type.Enum([...kycLevels], {
  description: 'The level of identification. A higher level includes the lower ones.',
});
const ZoneShape = Type.Enum([...zones], {
  description: 'The regulatory zone of the user’s country.',
});
export const StateShape = Type.Enum([...caseStates], { description: 'The state of the case.' });
const ReasonShape = Type.Enum([...publicReasons], { description: 'A reason that the user may be told.' });
const PartShape = Type.Enum([...parts], { description: 'A step of the form, or one document of it.' });
const time = (description: string) => Type.String({ format: 'date-time', description });
const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const LevelsShape = Type.Object(
  {
    userId: Type.Integer({ description: 'The id of the user.' }),
    kycLevels: Type.Array(LevelShape, { description: 'The levels that the user holds now.' }),
  },
  { title: 'KycLevels', examples: [{ userId: 241958564297829, kycLevels: ['LEVEL_1', 'LEVEL_2'] }] },
);

export const RegisterPath = Type.Object({ kycLevel: LevelShape, zone: ZoneShape });

const caseFields = {
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
    examples: [
      { states: [...caseStates], transitions: [{ move: 'submit', from: 'PENDING', to: 'SUBMITTED' }] },
    ],
  },
);

export const NewLinkShape = Type.Object(
  {
    kycLevel: LevelShape,
    zone: ZoneShape,
    redirectUrl: Type.Optional(
      Type.String({
        maxLength: 2000,
        description:
          'Where the last page of the form leads: a redirect url that is registered for you, to the letter.',
      }),
    ),
    locale: Type.Optional(
      Type.Enum([...locales], {
        description: 'The language of the form. Absent: the language of the user’s browser.',
      }),
    ),
  },
  {
    title: 'NewKycLink',
    additionalProperties: false,
    examples: [{ kycLevel: 'LEVEL_2', zone: 'EEA', redirectUrl: 'https://acme.example/done', locale: 'es' }],
  },
);

export const LinkShape = Type.Object(
  {
    url: Type.String({
      description:
        'The address of the form, for the user’s browser. Whoever has it can fill in the form: treat it as a secret.',
    }),
    expiresAt: time('When the link ends. It is extended while the user fills in the form, up to 24 hours.'),
  },
  {
    title: 'KycLink',
    examples: [{ url: 'https://remesa.example/kyc/form/q8Zb…', expiresAt: '2026-11-15T10:30:00.000Z' }],
  },
);

export const DecisionShape = Type.Object(
  {
    decision: Type.Enum(['approve', 'reject', 'request', 'revoke'], {
      description: '`request` sends the case back to the user; `revoke` ends an approval.',
    }),
    final: Type.Optional(Type.Boolean({ description: 'With `reject`: the user cannot try again.' })),
    publicReason: Type.Optional(
      Type.Enum([...publicReasons], {
        description: 'With `reject` and `revoke`: what the user may be told.',
      }),
    ),
    publicReasons: Type.Optional(
      Type.Array(ReasonShape, {
        minItems: 1,
        maxItems: 5,
        uniqueItems: true,
        description: 'With `request`: what the user may be told.',
      }),
    ),
    parts: Type.Optional(
      Type.Array(PartShape, {
        minItems: 1,
        maxItems: 9,
        uniqueItems: true,
        description: 'With `request`: what the user must send again.',
      }),
    ),
    internalReason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2000, description: 'Why, for operators only.' }),
    ),
  },
  {
    title: 'KycDecision',
    additionalProperties: false,
    description:
      '`reject` and `revoke` need a `publicReason`; `request` needs `parts` and `publicReasons`. From operators, all but `approve` also need an `internalReason`, and so does `approve` when a check of the case failed.',
    examples: [
      {
        decision: 'request',
        parts: ['documentFront'],
        publicReasons: ['blurry'],
        internalReason: 'The number cannot be read.',
      },
    ],
  },
);

export const QueueQuery = Type.Object(
  {
    status: Type.Optional(
      Type.Enum([...caseStates], {
        description: 'Only cases in this state, and cases with a renewal in this state.',
      }),
    ),
    level: Type.Optional(Type.Enum([...kycLevels], { description: 'Only cases of this level.' })),
    zone: Type.Optional(Type.Enum([...zones], { description: 'Only cases of this zone.' })),
    merchant: Type.Optional(Type.String({ description: 'Only cases of the merchant with this client id.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, description: 'The size of a page; 50 by default.' }),
    ),
    after: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,17}\\.kyc_[0-9A-Z]{26}$',
        description: 'Where the page begins. Take it from the header `Link` of the page before.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const QueuedCaseShape = Type.Object(
  { ...caseFields, merchant: Type.String({ description: 'The client id of the merchant.' }) },
  { title: 'QueuedKycCase', examples: [{ ...caseExample, merchant: 'acme' }] },
);

const CheckShape = Type.Object({
  check: Type.Enum([...checkNames], { description: 'The automatic check.' }),
  outcome: Type.Enum([...checkOutcomes], {
    description:
      '`failed` sends the case to a reviewer; `noted` is for the reviewer to know; `skipped`: there was nothing to check.',
  }),
  about: Type.Optional(
    Type.Array(Type.String(), { description: 'The questions it is about, or the ids of other cases.' }),
  ),
});

const DocumentShape = Type.Object({
  documentId: Type.String({ description: 'The id of the document within the case.' }),
  question: Type.String({ description: 'The question that it answers: `documentFront`, `selfie` …' }),
  mediaType: Type.String({ description: 'JPEG, PNG or PDF, as a media type.' }),
  bytes: Type.Integer({ description: 'The size in bytes.' }),
  storedAt: time('When it was received.'),
  isCurrent: Type.Boolean({ description: 'Whether it belongs to the last submission.' }),
});

const HistoryShape = Type.Object({
  isRenewal: Type.Boolean({ description: 'Whether the states are those of the renewal of an approval.' }),
  from: Type.Union([StateShape, Type.Null()], { description: 'The state before; null at the beginning.' }),
  to: Type.Enum([...caseStates], { description: 'The state after.' }),
  at: time('When the state changed.'),
  actorKind: Type.String({ description: 'Who changed it: `operator`, `merchant`, `user` or `system`.' }),
  actorId: Type.String({ description: 'The id of the operator, merchant or user, or the name of a job.' }),
  actor: Type.String({
    description:
      'Who changed it, by name: `operator:` with the login, `merchant:` with the client id, `user:`, `system:`.',
  }),
  reasons: Type.Array(ReasonShape, { description: 'The public reasons of the decision.' }),
  requestedParts: Type.Array(PartShape, { description: 'What the user was asked to send again.' }),
  internalReason: Type.Union([Type.String(), Type.Null()], {
    description: 'The reason that only operators see.',
  }),
});

export const CaseFileShape = Type.Object(
  {
    ...caseFields,
    merchant: Type.String({ description: 'The client id of the merchant.' }),
    isUserDeleted: Type.Boolean({ description: 'Whether the user was deleted since.' }),
    answers: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
      description: 'The last submission, by question; null before the first.',
    }),
    consent: Type.Union(
      [
        Type.Object({
          version: Type.String({ description: 'The version of the consent text.' }),
          locale: Type.String({ description: 'The language in which the user read it.' }),
          givenAt: time('When the user gave consent.'),
        }),
        Type.Null(),
      ],
      { description: 'The user’s consent; null before the first submission.' },
    ),
    checks: Type.Array(CheckShape, { description: 'The automatic checks of the last submission.' }),
    documents: Type.Array(DocumentShape, { description: 'Every document of the case.' }),
    history: Type.Array(HistoryShape, { description: 'Every change of state, the oldest first.' }),
  },
  {
    title: 'KycCaseFile',
    examples: [
      {
        ...caseExample,
        merchant: 'acme',
        isUserDeleted: false,
        answers: { firstName: 'Ana', lastName: 'Reyes Núñez', dateOfBirth: '1990-04-12' },
        consent: { version: '1', locale: 'es', givenAt: '2026-11-15T09:41:00.000Z' },
        checks: [{ check: 'age', outcome: 'passed' }],
        documents: [
          {
            documentId: '6f1c0a…',
            question: 'documentFront',
            mediaType: 'image/jpeg',
            bytes: 183420,
            storedAt: '2026-11-15T09:38:00.000Z',
            isCurrent: true,
          },
        ],
        history: [
          {
            isRenewal: false,
            from: 'SUBMITTED',
            to: 'IN_REVIEW',
            at: '2026-11-15T09:41:00.000Z',
            actorKind: 'system',
            actorId: 'automatic checks',
            actor: 'system:automatic checks',
            reasons: [],
            requestedParts: [],
            internalReason: null,
          },
        ],
      },
    ],
  },
);
