/** The shapes of identification on the wire. */
import Type from 'typebox';
import { caseStates, kycLevels, parts, publicReasons, zones } from './case.js';
import { locales } from './form-view.js';
import { checkNames, checkOutcomes } from './review.js';

const LevelShape = Type.Enum([...kycLevels], { description: 'Each level implies those before it.' });
const ZoneShape = Type.Enum([...zones], {
  description: 'The regulatory perimeter of the user’s country.',
});
const StateShape = Type.Enum([...caseStates]);
const ReasonShape = Type.Enum([...publicReasons]);
const PartShape = Type.Enum([...parts]);
const Time = Type.String({ format: 'date-time' });
const TimeOrNull = Type.Union([Time, Type.Null()]);

export const LevelsShape = Type.Object(
  {
    userId: Type.Integer({ description: 'Identifier of the user.' }),
    kycLevels: Type.Array(LevelShape, { description: 'The levels that the user holds now.' }),
  },
  { title: 'KycLevels', examples: [{ userId: 241958564297829, kycLevels: ['LEVEL_1', 'LEVEL_2'] }] },
);

export const RegisterPath = Type.Object({ kycLevel: LevelShape, zone: ZoneShape });

const caseFields = {
  id: Type.String(),
  userId: Type.Integer(),
  kycLevel: LevelShape,
  zone: ZoneShape,
  status: StateShape,
  reasons: Type.Array(ReasonShape, { description: 'Why it was rejected, revoked, or came back.' }),
  requestedParts: Type.Array(PartShape, { description: 'What is asked for again, while `ACTION_REQUIRED`.' }),
  createdAt: Time,
  updatedAt: Time,
  submittedAt: TimeOrNull,
  decidedAt: TimeOrNull,
  expiresAt: TimeOrNull,
};

const caseExample = {
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
};

export const CaseShape = Type.Object(caseFields, { title: 'KycCase', examples: [caseExample] });

export const StatesShape = Type.Object(
  {
    states: Type.Array(StateShape),
    transitions: Type.Array(
      Type.Object({
        move: Type.String(),
        from: Type.Union([StateShape, Type.Null()], { description: 'Null: the case begins.' }),
        to: StateShape,
      }),
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
        description: 'Where the form leads back to: one of those that were registered for the merchant.',
      }),
    ),
    locale: Type.Optional(
      Type.Enum([...locales], { description: 'Absent: the language of the person’s browser.' }),
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
    url: Type.String({ description: 'For the person’s browser. Who has it can write in the case.' }),
    expiresAt: Type.String({ format: 'date-time', description: 'Later, while the person works on it.' }),
  },
  {
    title: 'KycLink',
    examples: [{ url: 'https://remesa.example/kyc/form/q8Zb…', expiresAt: '2026-11-15T10:30:00.000Z' }],
  },
);

export const DecisionShape = Type.Object(
  {
    decision: Type.Enum(['approve', 'reject', 'request', 'revoke']),
    final: Type.Optional(Type.Boolean({ description: 'Of a rejection: the user can not try again.' })),
    publicReason: Type.Optional(ReasonShape),
    publicReasons: Type.Optional(Type.Array(ReasonShape, { minItems: 1, maxItems: 5, uniqueItems: true })),
    parts: Type.Optional(Type.Array(PartShape, { minItems: 1, maxItems: 9, uniqueItems: true })),
    internalReason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2000, description: 'For operators only.' }),
    ),
  },
  {
    title: 'KycDecision',
    additionalProperties: false,
    description:
      '`approve`; `reject` and `revoke` with a `publicReason`; `request` with `parts` and `publicReasons`. All but `approve` need an `internalReason` from operators.',
    examples: [
      {
        decision: 'request',
        parts: ['documentFront'],
        publicReasons: ['blurry'],
        internalReason: 'The number can not be read.',
      },
    ],
  },
);

export const QueueQuery = Type.Object(
  {
    status: Type.Optional(StateShape),
    level: Type.Optional(LevelShape),
    zone: Type.Optional(ZoneShape),
    merchant: Type.Optional(Type.String({ description: 'The client id of a merchant.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Absent: 50.' })),
    after: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,17}\\.kyc_[0-9A-Z]{26}$', description: 'From the header `Link`.' }),
    ),
  },
  { additionalProperties: false },
);

export const QueuedCaseShape = Type.Object(
  { ...caseFields, merchant: Type.String({ description: 'Its client id.' }) },
  { title: 'QueuedKycCase', examples: [{ ...caseExample, merchant: 'acme' }] },
);

const CheckShape = Type.Object({
  check: Type.Enum([...checkNames]),
  outcome: Type.Enum([...checkOutcomes]),
  about: Type.Optional(Type.Array(Type.String())),
});

const DocumentShape = Type.Object({
  documentId: Type.String(),
  question: Type.String(),
  mediaType: Type.String(),
  bytes: Type.Integer(),
  storedAt: Time,
  isCurrent: Type.Boolean({ description: 'Part of what was submitted last.' }),
});

const HistoryShape = Type.Object({
  from: Type.Union([StateShape, Type.Null()]),
  to: StateShape,
  at: Time,
  actorKind: Type.String(),
  actorId: Type.String(),
  reasons: Type.Array(ReasonShape),
  requestedParts: Type.Array(PartShape),
  internalReason: Type.Union([Type.String(), Type.Null()]),
});

export const CaseFileShape = Type.Object(
  {
    ...caseFields,
    merchant: Type.String({ description: 'Its client id.' }),
    isUserDeleted: Type.Boolean(),
    answers: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
      description: 'What was submitted last, by question.',
    }),
    consent: Type.Union([
      Type.Object({ version: Type.String(), locale: Type.String(), givenAt: Time }),
      Type.Null(),
    ]),
    checks: Type.Array(CheckShape),
    documents: Type.Array(DocumentShape),
    history: Type.Array(HistoryShape),
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
            from: 'SUBMITTED',
            to: 'IN_REVIEW',
            at: '2026-11-15T09:41:00.000Z',
            actorKind: 'system',
            actorId: 'automatic checks',
            reasons: [],
            requestedParts: [],
            internalReason: null,
          },
        ],
      },
    ],
  },
);
