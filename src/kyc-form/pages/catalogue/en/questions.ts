/** English: what is asked, and what to do when an answer is not right. */
const questions = {
  firstName: { label: 'First name', required: 'Enter your first name' },
  middleName: { label: 'Middle names', required: 'Enter your middle names' },
  lastName: { label: 'Last name', required: 'Enter your last name' },
  secondSurname: { label: 'Second surname', required: 'Enter your second surname' },
  dateOfBirth: {
    label: 'Date of birth',
    hint: 'For example, {{example}}.',
    required: 'Enter your date of birth',
  },
  placeOfBirth: {
    label: 'Place of birth',
    hint: 'Town or city, as shown on your document.',
    required: 'Enter the town or city where you were born',
  },
  nationality: {
    label: 'Nationality',
    hint: 'If you have more than one, choose the one on the document that you will show.',
    required: 'Choose your nationality',
  },
  address: {
    label: 'Street and house number',
    hint: 'Your home address, not a post office box.',
    required: 'Enter your street and house number',
  },
  city: { label: 'Town or city', required: 'Enter your town or city' },
  stateProvince: { label: 'State, province or region', required: 'Enter your state, province or region' },
  postalCode: { label: 'Postal code', required: 'Enter your postal code' },
  countryCode: { label: 'Country where you live', required: 'Choose the country where you live' },
  phoneNumber: {
    label: 'Phone number',
    hint: 'With the country code, for example +44 7700 900123.',
    required: 'Enter your phone number',
  },
  taxIdKind: { label: 'Which tax number do you have?', required: 'Choose which tax number you have' },
  taxIdLastFour: {
    label: 'Last four digits of that number',
    hint: 'Only the last four, for example 1234.',
    required: 'Enter the last four digits of your tax number',
  },
  nationalIdCountry: {
    label: 'Country that issued your national number',
    required: 'Choose the country that issued your national number',
  },
  nationalIdNumber: {
    label: 'National identity number',
    hint: 'For example CPF, CURP, DNI, BVN or NIN. It is usually printed on your identity card.',
    required: 'Enter your national identity number',
  },
  documentType: { label: 'Which document will you show?', required: 'Choose which document you will show' },
  documentCountry: {
    label: 'Country that issued the document',
    required: 'Choose the country that issued the document',
  },
  documentNumber: {
    label: 'Document number',
    hint: 'Letters and digits, as shown on the document.',
    required: 'Enter the number of the document',
  },
  documentExpiresOn: {
    label: 'Date on which the document expires',
    hint: 'For example, {{example}}.',
    required: 'Enter the date on which the document expires',
  },
  documentFront: {
    label: 'Photo of the document',
    hint: 'The side with your picture. For a passport, the page with your picture.',
    required: 'Add a photo of the side of the document with your picture',
  },
  documentBack: { label: 'Photo of the back', required: 'Add a photo of the back of the document' },
  documentMrz: {
    label: 'Machine-readable lines, with many < signs',
    hint: 'Two or three lines at the bottom of the page or on the back. Typing them in makes the check faster.',
    required: 'Enter the machine-readable lines',
  },
  selfiePhoto: {
    label: 'Photo of your face',
    hint: 'Look straight into the camera, in good light, without sunglasses or a hat.',
    required: 'Add a photo of your face',
  },
  proofOfAddressType: {
    label: 'What will you show?',
    required: 'Choose what you will show as proof of your address',
  },
  proofOfAddressIssuedOn: {
    label: 'Date of the document',
    hint: 'It must not be older than three months.',
    required: 'Enter the date of the document',
  },
  proofOfAddressFile: {
    label: 'The document',
    hint: 'Your name, your address and the date must be readable.',
    required: 'Add the document that proves your address',
  },
  occupation: {
    label: 'What do you do for a living?',
    hint: 'For example nurse, student or retired.',
    required: 'Enter what you do for a living',
  },
  sourceOfFunds: {
    label: 'Where does the money that you send come from?',
    required: 'Choose where the money that you send comes from',
  },
  fundsExplanation: {
    label: 'Tell us more about it',
    hint: 'One or two sentences, for example from whom and when you received it.',
    required: 'Tell us more about where the money comes from',
  },
  politicallyExposed: {
    label: 'Do you hold a high public office, or did you in the last 12 months? Does someone close to you?',
    hint: 'For example in a government, a parliament, a high court, the military command or a state-owned company. Someone close is a family member, or a person you own a business with.',
    required: 'Choose one of the answers',
  },
} as const;

/** What a question is called in some countries. */
const localNames = {
  zipCode: { label: 'ZIP code', required: 'Enter your ZIP code' },
  postcode: { label: 'Postcode', required: 'Enter your postcode' },
  eircode: { label: 'Eircode', required: 'Enter your Eircode' },
  pinCode: { label: 'PIN code', required: 'Enter your PIN code' },
  cep: { label: 'Postal code (CEP)', required: 'Enter your postal code (CEP)' },
  state: { label: 'State', required: 'Enter your state' },
  provinceOrTerritory: { label: 'Province or territory', required: 'Enter your province or territory' },
  firstSurname: { label: 'First surname', required: 'Enter your first surname' },
} as const;

const options = {
  taxIdKind: {
    ssn: 'Social Security number (SSN)',
    itin: 'Individual Taxpayer Identification Number (ITIN)',
  },
  documentType: {
    passport: 'Passport',
    identityCard: 'Identity card',
    drivingLicence: 'Driving licence',
    residencePermit: 'Residence permit',
  },
  proofOfAddressType: {
    utilityBill: 'Bill for electricity, gas, water or internet',
    bankStatement: 'Bank statement',
    taxLetter: 'Letter from the tax office',
    governmentLetter: 'Another letter from an authority',
    rentalContract: 'Rental contract',
  },
  sourceOfFunds: {
    salary: 'Salary',
    selfEmployment: 'Own business',
    pension: 'Pension',
    benefits: 'State benefits',
    savings: 'Savings',
    saleOfProperty: 'Sale of property',
    inheritance: 'Inheritance',
    gift: 'Gift',
    other: 'Something else',
  },
  politicallyExposed: { no: 'No', yes: 'Yes, I do or did', associate: 'Yes, someone close to me' },
} as const;

const faults = {
  too_long: '{{label}}: this is too long. Use {{limit}} characters or fewer',
  wrong_format: '{{label}}: enter at least one letter or digit',
  control_characters: '{{label}}: remove characters that cannot be printed',
  not_allowed: '{{label}}: choose one from the list',
  not_a_date: '{{label}}: enter a date of the calendar, for example {{example}}',
  too_young: 'You must be at least {{limit}} years old',
  bornTooLongAgo: '{{label}}: this is more than {{limit}} years ago. Check the year',
  tooOld: '{{label}}: the document must not be older than three months',
  in_the_past: '{{label}}: the document has expired. Use one that is still valid',
  in_the_future: '{{label}}: the date must not be in the future',
  wrong_check_digits:
    '{{label}}: a letter or digit is wrong or has changed places. Compare each one with your document',
  mrzCheckDigits: 'A character is not right. Compare each one with the document, or leave this empty',
  lastFourDigits: 'Enter exactly four digits, for example 1234',
  phone: 'Enter a phone number with its country code, for example +44 7700 900123',
  too_short: '{{label}}: this is too short. Enter at least {{limit}} letters or digits',
  wrong_length: '{{label}}: it has {{limit}} letters and digits in your country, and you entered {{entered}}',
  wrong_characters: '{{label}}: use letters, digits, spaces, dots, slashes and hyphens only',
  separators:
    '{{label}}: begin and end with a letter or a digit, and put only one space, dot, slash or hyphen between two of them',
  looksLike: '{{label}}: check it against your document. It should look like {{example}}',
  postalCode: '{{label}}: this is not one of the country that you chose. There it looks like {{example}}',
  incomplete_date: '{{label}}: enter the day, the month and the year, for example {{example}}',
  not_digits: '{{label}}: use digits only, for example {{example}}',
  short_year: '{{label}}: enter the year with four digits, for example {{example}}',
  no_such_month: '{{label}}: the month must be a number from 1 to 12',
  no_such_day: '{{label}}: the day must be a number from 1 to {{limit}} in that month',
  mrzLength:
    'The machine-readable lines have 88, 72 or 90 characters in all, and you entered {{entered}}. Enter every letter, digit and < sign, or leave this empty',
  mrzCharacters: 'Machine-readable lines: use only the letters A to Z, digits and the < sign, or leave this empty',
  phoneTooShort: 'Phone number: this is too short. With the country code it has at least {{limit}} digits',
  phoneTooLong: 'Phone number: this is too long. With the country code it has at most {{limit}} digits',
  phoneCharacters: 'Phone number: use digits, spaces, hyphens and brackets only, with a + at the beginning',
} as const;

export const questionTexts = { questions, localNames, options, faults };
