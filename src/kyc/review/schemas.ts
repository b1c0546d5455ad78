/** The shapes of reviews in requests and answers. */
import Type from 'typebox';
import { caseStates, kycLevels, publicReasons, zones } from '../cases/case.js';
import { caseExample, caseFields, PartShape, ReasonShape, StateShape, time } from '../cases/schemas.js';
import { checkNames, checkOutcomes } from '../checks/check.js';
import { HitFileShape } from '../hits/schemas.js';
import { decisions } from './case-file.js';
import { comparedFields } from './comparison.js';

const decisionFields = {
  decision: Type.Enum([...decisions], {
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
};
const decisionExample = {
  decision: 'request',
  parts: ['documentFront'],
  publicReasons: ['blurry'],
  internalReason: 'The number cannot be read.',
};
const decisionDescription =
  '`reject` and `revoke` need a `publicReason`; `request` needs `parts` and `publicReasons`. From operators, all but `approve` also need an `internalReason`, and so does `approve` when a check of the case failed.';

export const DecisionShape = Type.Object(decisionFields, {
  title: 'KycDecision',
  additionalProperties: false,
  description: decisionDescription,
  examples: [decisionExample],
});

export const OperatorDecisionShape = Type.Object(
  {
    ...decisionFields,
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The `version` of the case that you have read. A case that has changed since, as when the user sent other documents, is then not decided (`version_conflict`).',
      }),
    ),
  },
  {
    title: 'OperatorKycDecision',
    additionalProperties: false,
    description: decisionDescription,
    examples: [{ ...decisionExample, version: 3 }],
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
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'The size of a page; 50 by default.' })),
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
    Type.Array(Type.String(), {
      description:
        'The questions it is about, the ids of other cases or of screening hits, or what is wrong with the screening lists.',
    }),
  ),
  listsVersion: Type.Optional(Type.String({ description: 'With `screening`: the version of all lists together.' })),
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

const valueOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const ComparedShape = Type.Object(
  {
    field: Type.Enum([...comparedFields], { description: 'What is compared.' }),
    declared: valueOrNull('What the person entered in the form.'),
    machineReadable: valueOrNull('What the machine-readable zone says. Of a year it has two digits.'),
    registered: valueOrNull('What the merchant registered.'),
    differs: Type.Array(Type.Enum(['machineReadable', 'registered']), {
      description: 'Which of the two others is not what was declared. Case, accents and spaces make no difference.',
    }),
  },
  { title: 'KycComparison' },
);

export const CaseFileShape = Type.Object(
  {
    ...caseFields,
    version: Type.Integer({ description: 'Rises with every change. Send it with your decision.' }),
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
    comparison: Type.Array(ComparedShape, {
      description:
        'What the person declared beside what the document and the merchant say; empty before the first submission.',
    }),
    hits: Type.Array(HitFileShape, { description: 'The screening hits of the user that are open or confirmed.' }),
    decisions: Type.Array(Type.Enum([...decisions], { description: 'A decision.' }), {
      description:
        'What the state of the case allows to decide. An open or confirmed hit forbids `approve` all the same.',
    }),
    parts: Type.Array(PartShape, { description: 'What can be requested again at this level in this zone.' }),
  },
  {
    title: 'KycCaseFile',
    examples: [
      {
        ...caseExample,
        version: 3,
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
        comparison: [
          {
            field: 'name',
            declared: 'Ana Reyes Núñez',
            machineReadable: 'ANA REYES NUNEZ',
            registered: 'Ana Reyes',
            differs: [],
          },
        ],
        hits: [],
        decisions: ['approve', 'reject', 'request'],
        parts: ['person', 'address', 'document', 'documentFront', 'documentBack', 'selfie'],
      },
    ],
  },
);
