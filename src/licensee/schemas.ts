/** The shape of the licensee in the operator API. */
import Type from 'typebox';
import { PendingApprovalShape } from '../http/four-eyes.js';
import { locales } from '../locale.js';

const line = (description: string, maxLength = 200) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description });
const email = (description: string) => Type.String({ maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$', description });
const phone = (description: string) => Type.String({ pattern: '^\\+?[0-9][0-9 ().-]{3,38}$', description });
const url = (description: string) => Type.String({ maxLength: 300, pattern: '^https://[^\\s"<>]+$', description });
const country = (description: string) => Type.String({ pattern: '^[A-Z]{2}$', description });

const SupervisorShape = Type.Object(
  {
    name: line('The name of the authority.'),
    address: line('Its postal address.', 400),
    phone: phone('Its telephone number.'),
    url: Type.Optional(url('Its web page for customers.')),
    country: country('Whose authority it is.'),
    region: Type.Optional(
      Type.String({ pattern: '^[A-Z0-9]{1,3}$', description: 'The state of a federal country, such as `NY`.' }),
    ),
  },
  { additionalProperties: false },
);

const ComplaintsShape = Type.Object(
  {
    email: email('Where complaints are sent.'),
    address: line('Where complaints are sent by post.', 400),
    phone: Type.Optional(phone('Where complaints are made by telephone.')),
    disputeBody: Type.Optional(
      Type.Object(
        { name: line('The name of the body.'), url: url('Its web page.') },
        { additionalProperties: false, description: 'Who settles disputes out of court (PSD2 art. 102).' },
      ),
    ),
  },
  { additionalProperties: false, description: 'How customers complain (PSD2 art. 101).' },
);

const SupportShape = Type.Object(
  {
    language: Type.Enum([...locales], { description: 'The language that is spoken.' }),
    phone: Type.Optional(phone('The telephone number.')),
    email: Type.Optional(email('The e-mail address.')),
  },
  { additionalProperties: false },
);

const LicenseeShape = Type.Object(
  {
    legalName: line('The name of the company as it is registered.'),
    address: line('The address of the head office (PSD2 art. 45(1)).', 400),
    country: country('The country of the head office.'),
    licence: line('What kind of licence it is, such as `Payment institution`.'),
    licenceNumber: line('The number of the licence or registration.', 80),
    registerUrl: Type.Optional(url('The public register that lists the licence.')),
    url: Type.Optional(url('The web page of the company.')),
    supervisors: Type.Array(SupervisorShape, {
      minItems: 1,
      maxItems: 60,
      description:
        'Who supervises, the authority of the home country first. Senders are told the authority of their state or country (12 CFR 1005.31(b)(2)(vi)).',
    }),
    complaints: ComplaintsShape,
    support: Type.Array(SupportShape, {
      minItems: 1,
      maxItems: locales.length,
      description: 'Contacts by language. The first one serves languages that have none.',
    }),
    safeguardingBank: line('The bank where money of customers is kept apart (PSD2 art. 10).'),
    acceptedDisclosure: Type.Optional(
      Type.Enum(['optional', 'required'], {
        description:
          'Whether `POST /orders` must carry `acceptedDisclosure`, the sender’s acceptance of the text before payment. Optional by default.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Who moves the money by law, and who supervises it.' },
);

const licenseeExample = {
  legalName: 'Remesa Payments S.L.',
  address: 'Calle de Alcalá 1, 28014 Madrid',
  country: 'ES',
  licence: 'Payment institution',
  licenceNumber: '6900',
  registerUrl: 'https://www.bde.es/',
  supervisors: [
    { name: 'Banco de España', address: 'Calle de Alcalá 48, 28014 Madrid', phone: '+34 913 385 000', country: 'ES' },
  ],
  complaints: { email: 'complaints@remesa.example', address: 'Calle de Alcalá 1, 28014 Madrid' },
  support: [{ language: 'es', phone: '+34 910 000 000', email: 'help@remesa.example' }],
  safeguardingBank: 'Banco de Ejemplo',
};

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** The licensee as customers are told. */
export const NamedLicensee = Type.Object(
  {
    legalName: Type.String({ description: 'The name of the company.' }),
    address: Type.String({ description: 'The address of its head office.' }),
    licence: Type.String({ description: 'What kind of licence it has.' }),
    licenceNumber: Type.String({ description: 'The number of the licence.' }),
    registerUrl: textOrNull('The public register that lists it.'),
    url: textOrNull('Its web page.'),
    supervisor: Type.Union(
      [
        Type.Object({
          name: Type.String({ description: 'The name of the authority.' }),
          address: Type.String({ description: 'Its postal address.' }),
          phone: Type.String({ description: 'Its telephone number.' }),
          url: textOrNull('Its web page.'),
        }),
        Type.Null(),
      ],
      { description: 'The authority of the sender’s country or state.' },
    ),
    complaints: Type.Object(
      {
        email: Type.String({ description: 'Where complaints are sent.' }),
        address: Type.String({ description: 'Where complaints are sent by post.' }),
        phone: textOrNull('Where complaints are made by telephone.'),
        disputeBody: Type.Union(
          [
            Type.Object({
              name: Type.String({ description: 'Who settles disputes out of court.' }),
              url: Type.String({ description: 'Its web page.' }),
            }),
            Type.Null(),
          ],
          { description: 'Null where there is none.' },
        ),
      },
      { description: 'How customers complain.' },
    ),
    support: Type.Array(
      Type.Object({
        language: Type.Enum([...locales], { description: 'The language that is spoken.' }),
        phone: textOrNull('The telephone number.'),
        email: textOrNull('The e-mail address.'),
      }),
      { description: 'Whom customers ask, by language.' },
    ),
  },
  { description: 'Who moves the money by law, who supervises it, and where to complain.' },
);

export const namedLicenseeExample = {
  legalName: licenseeExample.legalName,
  address: licenseeExample.address,
  licence: licenseeExample.licence,
  licenceNumber: licenseeExample.licenceNumber,
  registerUrl: licenseeExample.registerUrl,
  url: null,
  supervisor: {
    name: 'Banco de España',
    address: 'Calle de Alcalá 48, 28014 Madrid',
    phone: '+34 913 385 000',
    url: null,
  },
  complaints: { ...licenseeExample.complaints, phone: null, disputeBody: null },
  support: licenseeExample.support,
};

export const LicenseeBody = Type.Object(
  {
    licensee: LicenseeShape,
    version: Type.Integer({ minimum: 0, description: 'The `version` that you read; 0 for the first record.' }),
  },
  { title: 'ChangedLicensee', additionalProperties: false, examples: [{ licensee: licenseeExample, version: 0 }] },
);

export const StoredLicenseeShape = Type.Object(
  {
    licensee: Type.Union([LicenseeShape, Type.Null()], {
      description: 'Null until it is entered. A live instance then takes no orders.',
    }),
    version: Type.Integer({ description: 'Counts changes. Send it back with yours.' }),
    updatedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'The last change.' }),
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  {
    title: 'StoredLicensee',
    examples: [{ licensee: licenseeExample, version: 1, updatedAt: '2026-11-15T09:41:00.000Z' }],
  },
);
