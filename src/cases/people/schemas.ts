/** The shapes of what operators see of a person. */
import Type from 'typebox';
import { time, timeOrNull } from '../../http/shapes.js';
import { hitKinds } from '../../kyc/hits/hit.js';
import { kycLevels } from '../../kyc-level.js';
import { userLimits, userLimitsExample } from '../../orders/limits/schemas.js';
import { RatingShape } from '../../risk/schemas.js';

const text = (description: string, maxLength = 200) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, pattern: '\\S', description }));
const country = (description: string) => Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description }));

export const PersonSearchShape = Type.Object(
  {
    name: text('First and last name, in any order, with or without accents. Every word counts.'),
    birthDate: Type.Optional(Type.String({ format: 'date', description: 'As it was entered in a form.' })),
    email: text('The whole address.'),
    phone: text('With the country code.', 30),
    documentCountry: country('The country that issued the document.'),
    documentNumber: text('The number of a document that was shown; with `documentCountry`.', 30),
    nationalIdCountry: country('The country of the national number.'),
    nationalIdNumber: text('A national or tax number; with `nationalIdCountry`.', 30),
    account: text('An account that money was sent to, as for a block.'),
  },
  {
    title: 'PersonSearch',
    additionalProperties: false,
    minProperties: 1,
    description: 'Whatever is given must fit. Values are compared whole: the index knows no parts of them.',
    examples: [{ name: 'Ana Reyes Núñez', birthDate: '1990-04-01' }],
  },
);

const userRef = {
  merchant: Type.String({ description: 'The client id of the merchant.' }),
  userId: Type.Integer({ description: 'The id of the user.' }),
};
const refExample = { merchant: 'acme', userId: 241_958_564_297_829 };
export const FoundUserShape = Type.Object(userRef, { title: 'FoundUser', examples: [refExample] });

const ProfileShape = Type.Object(
  {
    firstName: Type.String({ description: 'The first name.' }),
    lastName: Type.String({ description: 'The last name.' }),
    email: Type.String({ description: 'The email address.' }),
    address: Type.String({ description: 'Street and number.' }),
    city: Type.String({ description: 'The town.' }),
    stateProvince: Type.String({ description: 'The state or province.' }),
    countryCode: Type.String({ description: 'The country.' }),
    postalCode: Type.String({ description: 'The postal code.' }),
  },
  { title: 'PersonProfile', description: 'As the merchant registered the user.' },
);
const CaseShape = Type.Object(
  {
    id: Type.String({ description: 'The KYC case: `GET /operator/kyc/{caseId}` has its answers and documents.' }),
    kycLevel: Type.Enum([...kycLevels], { description: 'The level.' }),
    zone: Type.String({ description: 'The zone.' }),
    status: Type.String({ description: 'The state of the case.' }),
    submittedAt: timeOrNull('When the form was last sent.'),
    expiresAt: timeOrNull('When the approval ends.'),
  },
  { title: 'PersonKycCase' },
);
const OrderShape = Type.Object(
  {
    id: Type.String({ description: 'The order: `GET /operator/orders/{id}`.' }),
    state: Type.String({ description: 'The real state, which merchants may see otherwise.' }),
    amountIn: Type.String({ description: 'What the sender pays, such as `100 USD`.' }),
    amountOut: Type.String({ description: 'What the recipient gets.' }),
    payoutCountry: Type.String({ description: 'Where it is paid out.' }),
    createdAt: time('When it was placed.'),
  },
  { title: 'PersonOrder' },
);
const HitShape = Type.Object(
  {
    id: Type.String({ description: 'The hit: `GET /operator/screening/hits/{hitId}`.' }),
    kind: Type.Enum([...hitKinds], { description: 'Under sanctions, or politically exposed.' }),
    list: Type.String({ description: 'The list.' }),
    state: Type.String({ description: 'Open, dismissed or confirmed.' }),
    foundAt: time('When it was found.'),
  },
  { title: 'PersonHit' },
);

const NoteShape = Type.Object(
  {
    note: Type.String({ description: 'What was noted.' }),
    by: Type.String({ description: 'The login of the operator.' }),
    at: time('When.'),
  },
  { title: 'UserNote' },
);
const AlertShape = Type.Object(
  {
    id: Type.String({ description: 'The alert.' }),
    kind: Type.String({ description: 'What a monitoring rule found.' }),
    state: Type.String({ description: 'Open, dismissed or in a case.' }),
    raisedAt: time('When it was raised.'),
  },
  { title: 'PersonAlert' },
);
export const UserNoteShape = Type.Object(
  {
    merchant: Type.String({ minLength: 1, maxLength: 64, description: 'The client id of the merchant of the user.' }),
    note: Type.String({ minLength: 1, maxLength: 5000, pattern: '\\S', description: 'It is stored encrypted.' }),
  },
  {
    title: 'NewUserNote',
    additionalProperties: false,
    examples: [{ merchant: 'acme', note: 'Called on 14 November: the salary comes in parts.' }],
  },
);

export const PersonFileShape = Type.Object(
  {
    ...userRef,
    externalClientId: Type.String({ description: 'The other id of the user.' }),
    isDeleted: Type.Boolean({ description: 'Whether the user was deleted. The law may keep a part.' }),
    profile: Type.Union([ProfileShape, Type.Null()], {
      description: 'Of a deleted user what the law wants kept. Null when nothing is kept.',
    }),
    limits: Type.Union([Type.Object({ ...userLimits }, { title: 'PersonLimits' }), Type.Null()], {
      description: 'What the user may send at this merchant. Null for a deleted user.',
    }),
    cases: Type.Array(CaseShape, { description: 'The KYC cases, with their documents.' }),
    hits: Type.Array(HitShape, { description: 'The screening hits.' }),
    orders: Type.Array(OrderShape, { description: 'The newest 100 orders.' }),
    samePerson: Type.Array(FoundUserShape, {
      description: 'Other users by whom the service recognises the same person.',
    }),
    blocks: Type.Array(Type.String(), { description: 'The active blocks that name the user.' }),
    notes: Type.Array(NoteShape, { description: 'What operators noted, the oldest first.' }),
    alerts: Type.Array(AlertShape, {
      description: 'The newest 100 alerts at payments of this user and of the other users of the same person.',
    }),
    risk: Type.Union([RatingShape, Type.Null()], {
      description: 'How risky the user is as a customer, as it was rated last. Null for a user who was never rated.',
    }),
    complianceCases: Type.Array(Type.String(), {
      description: 'The compliance cases that name the user: `GET /operator/cases/{caseId}`.',
    }),
  },
  {
    title: 'PersonFile',
    examples: [
      {
        ...refExample,
        externalClientId: 'cli_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
        isDeleted: false,
        profile: {
          firstName: 'Ana',
          lastName: 'Reyes Núñez',
          email: 'ana.reyes@example.com',
          address: '12 Calle del Sol',
          city: 'Valencia',
          stateProvince: 'Comunitat Valenciana',
          countryCode: 'ES',
          postalCode: '46001',
        },
        limits: userLimitsExample,
        cases: [],
        hits: [],
        orders: [],
        samePerson: [],
        blocks: [],
        notes: [
          { note: 'Called on 14 November: the salary comes in parts.', by: 'ana', at: '2026-11-15T09:41:00.000Z' },
        ],
        alerts: [],
        risk: null,
        complianceCases: [],
      },
    ],
  },
);

export const PersonPath = Type.Object({ userId: Type.Integer({ minimum: 1, description: 'The id of the user.' }) });
export const PersonQuery = Type.Object({
  merchant: Type.String({ minLength: 1, maxLength: 64, description: 'The client id of the merchant of the user.' }),
});
