/**
 * What each level asks in each zone, as data. The form, the checks of answers and the tests all read it from here:
 * to ask for something else, change this file.
 */
import type { KycLevel, Zone } from './case.js';
import { countriesOf } from './zones.js';

export type QuestionKind = 'text' | 'date' | 'country' | 'choice' | 'phone' | 'mrz' | 'document';

export const stepIds = [
  'person',
  'address',
  'identification',
  'document',
  'selfie',
  'proofOfAddress',
  'funds',
] as const;
export type StepId = (typeof stepIds)[number];

/** The ids are also keys of the text catalogues. */
export const questionIds = [
  'firstName',
  'middleName',
  'lastName',
  'secondSurname',
  'dateOfBirth',
  'placeOfBirth',
  'nationality',
  'politicallyExposed',
  'address',
  'city',
  'stateProvince',
  'postalCode',
  'countryCode',
  'phoneNumber',
  'taxIdKind',
  'taxIdLastFour',
  'nationalIdCountry',
  'nationalIdNumber',
  'documentType',
  'documentCountry',
  'documentNumber',
  'documentExpiresOn',
  'documentFront',
  'documentBack',
  'documentMrz',
  'selfiePhoto',
  'proofOfAddressType',
  'proofOfAddressIssuedOn',
  'proofOfAddressFile',
  'occupation',
  'sourceOfFunds',
  'fundsExplanation',
] as const;
export type QuestionId = (typeof questionIds)[number];

/** Text answers by question. Documents are attached instead. */
export type Answers = Readonly<Partial<Record<QuestionId, string>>>;

/** Formats have names, so that pages can explain them; `checks/answers.ts` checks them. */
export type Format = 'lastFourDigits' | 'nationalId' | 'documentNumber' | 'postalCode';

/**
 * `birth`: an adult, not older than people get. `ahead`: today or later. `recent`: not ahead, not older than three
 * months.
 */
export type DateRule = 'birth' | 'ahead' | 'recent';

export interface Question {
  readonly id: QuestionId;
  readonly kind: QuestionKind;
  readonly isRequired: boolean;
  /** Asked only when another answer of the same step has one of these values. */
  readonly onlyWhen?: { readonly question: QuestionId; readonly isOneOf: readonly string[] };
  /** In characters as users count them. */
  readonly maxLength?: number;
  /** The options of a choice; of a country only when not every country is allowed. */
  readonly options?: readonly string[];
  readonly format?: Format;
  readonly dateRule?: DateRule;
  /** The document must be a picture, not a PDF. */
  readonly isPhoto?: boolean;
  /** The token of the HTML attribute. */
  readonly autocomplete?: string;
}

export interface Step {
  readonly id: StepId;
  readonly questions: readonly Question[];
}

/** Levels are cumulative: the steps of the lower ones come first. */
export function requirementsOf(level: KycLevel, zone: Zone): readonly Step[] {
  const steps = [person(zone), address(zone), identification(zone)];
  if (level !== 'LEVEL_1') steps.push(document(zone), selfie);
  if (level === 'LEVEL_3') steps.push(proofOfAddress, funds);
  return steps.filter((step) => step.questions.length > 0);
}

/** Whether the person, or somebody close, holds or lately held a prominent public function. */
const exposures = ['no', 'yes', 'associate'] as const;
const documentTypes = ['passport', 'identityCard', 'drivingLicence', 'residencePermit'] as const;
const typesWithBack = ['identityCard', 'drivingLicence', 'residencePermit'];
const typesWithMrz = ['passport', 'identityCard', 'residencePermit'];

const withPlaceOfBirth: readonly Zone[] = ['EEA', 'CH'];
const withSecondSurname: readonly Zone[] = ['LATAM'];
const withNationalId: readonly Zone[] = ['LATAM', 'AFRICA'];
const withPhone: readonly Zone[] = ['MENA', 'AFRICA', 'APAC'];
const withStates: readonly Zone[] = ['US', 'CA', 'LATAM'];
/** Zones in which every place has a postal code. */
const withPostalCodes: readonly Zone[] = ['US', 'CA', 'GB', 'EEA', 'CH'];
/** Zones in which identity cards without an expiry date are common. */
const withLastingCards: readonly Zone[] = ['LATAM', 'AFRICA', 'MENA'];

function person(zone: Zone): Step {
  return {
    id: 'person',
    questions: [
      text('firstName', 100, { autocomplete: 'given-name' }),
      text('middleName', 100, { isRequired: false, autocomplete: 'additional-name' }),
      text('lastName', 100, { autocomplete: 'family-name' }),
      ...only(withSecondSurname, zone, text('secondSurname', 100, { isRequired: false })),
      date('dateOfBirth', 'birth', { autocomplete: 'bday' }),
      ...only(withPlaceOfBirth, zone, text('placeOfBirth', 100)),
      { id: 'nationality', kind: 'country', isRequired: true },
      // Of everybody, also of family members and close associates: Directive (EU) 2015/849 art. 20 and 23.
      choice('politicallyExposed', exposures),
    ],
  };
}

function address(zone: Zone): Step {
  return {
    id: 'address',
    questions: [
      // First, because the format of the postal code depends on it.
      {
        id: 'countryCode',
        kind: 'country',
        isRequired: true,
        options: countriesOf(zone),
        autocomplete: 'country',
      },
      text('address', 300, { autocomplete: 'street-address' }),
      text('city', 100, { autocomplete: 'address-level2' }),
      text('stateProvince', 100, {
        isRequired: withStates.includes(zone),
        autocomplete: 'address-level1',
      }),
      text('postalCode', 20, {
        isRequired: withPostalCodes.includes(zone),
        format: 'postalCode',
        autocomplete: 'postal-code',
      }),
      ...only(withPhone, zone, {
        id: 'phoneNumber',
        kind: 'phone',
        isRequired: false,
        maxLength: 30,
        autocomplete: 'tel',
      }),
    ],
  };
}

/** National or tax numbers, where the rules of the zone require one. */
function identification(zone: Zone): Step {
  return {
    id: 'identification',
    questions: [
      ...only(['US'], zone, choice('taxIdKind', ['ssn', 'itin'])),
      ...only(['US'], zone, text('taxIdLastFour', 4, { format: 'lastFourDigits' })),
      ...only(withNationalId, zone, { id: 'nationalIdCountry', kind: 'country', isRequired: true }),
      ...only(withNationalId, zone, text('nationalIdNumber', 30, { format: 'nationalId' })),
    ],
  };
}

function document(zone: Zone): Step {
  const onlyWhen = (isOneOf: readonly string[]) => ({ onlyWhen: { question: 'documentType', isOneOf } }) as const;
  return {
    id: 'document',
    questions: [
      choice('documentType', documentTypes),
      { id: 'documentCountry', kind: 'country', isRequired: true },
      text('documentNumber', 30, { format: 'documentNumber' }),
      date('documentExpiresOn', 'ahead', { isRequired: !withLastingCards.includes(zone) }),
      { id: 'documentMrz', kind: 'mrz', isRequired: false, maxLength: 100, ...onlyWhen(typesWithMrz) },
      { id: 'documentFront', kind: 'document', isRequired: true },
      { id: 'documentBack', kind: 'document', isRequired: true, ...onlyWhen(typesWithBack) },
    ],
  };
}

const selfie: Step = {
  id: 'selfie',
  questions: [{ id: 'selfiePhoto', kind: 'document', isRequired: true, isPhoto: true }],
};

const proofOfAddress: Step = {
  id: 'proofOfAddress',
  questions: [
    choice('proofOfAddressType', ['utilityBill', 'bankStatement', 'taxLetter', 'governmentLetter', 'rentalContract']),
    date('proofOfAddressIssuedOn', 'recent'),
    { id: 'proofOfAddressFile', kind: 'document', isRequired: true },
  ],
};

const funds: Step = {
  id: 'funds',
  questions: [
    text('occupation', 100, { autocomplete: 'organization-title' }),
    choice('sourceOfFunds', [
      'salary',
      'selfEmployment',
      'pension',
      'benefits',
      'savings',
      'saleOfProperty',
      'inheritance',
      'gift',
      'other',
    ]),
    text('fundsExplanation', 500, {
      onlyWhen: { question: 'sourceOfFunds', isOneOf: ['saleOfProperty', 'inheritance', 'gift', 'other'] },
    }),
  ],
};

function text(id: QuestionId, maxLength: number, more: Partial<Question> = {}): Question {
  return { id, kind: 'text', isRequired: true, maxLength, ...more };
}

function date(id: QuestionId, dateRule: DateRule, more: Partial<Question> = {}): Question {
  return { id, kind: 'date', isRequired: true, dateRule, ...more };
}

function choice(id: QuestionId, options: readonly string[]): Question {
  return { id, kind: 'choice', isRequired: true, options };
}

function only(asked: readonly Zone[], zone: Zone, question: Question): readonly Question[] {
  return asked.includes(zone) ? [question] : [];
}
