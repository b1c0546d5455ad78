/** Tagalog: what is asked, and what to do when an answer is not right. */
const questions = {
  firstName: { label: 'Pangalan', required: 'Ilagay ang pangalan mo' },
  middleName: { label: 'Gitnang pangalan', required: 'Ilagay ang gitnang pangalan mo' },
  lastName: { label: 'Apelyido', required: 'Ilagay ang apelyido mo' },
  secondSurname: { label: 'Pangalawang apelyido', required: 'Ilagay ang pangalawang apelyido mo' },
  dateOfBirth: {
    label: 'Petsa ng kapanganakan',
    hint: 'Halimbawa, {{example}}.',
    required: 'Ilagay ang petsa ng kapanganakan mo',
  },
  placeOfBirth: {
    label: 'Lugar ng kapanganakan',
    hint: 'Bayan o lungsod, gaya ng nasa dokumento mo.',
    required: 'Ilagay ang bayan o lungsod kung saan ka ipinanganak',
  },
  nationality: {
    label: 'Nasyonalidad',
    hint: 'Kung higit sa isa, piliin ang nasa dokumentong ipapakita mo.',
    required: 'Piliin ang nasyonalidad mo',
  },
  address: {
    label: 'Kalye at numero ng bahay',
    hint: 'Ang tirahan mo, hindi post office box.',
    required: 'Ilagay ang kalye at numero ng bahay mo',
  },
  city: { label: 'Bayan o lungsod', required: 'Ilagay ang bayan o lungsod mo' },
  stateProvince: { label: 'Estado, lalawigan o rehiyon', required: 'Ilagay ang estado, lalawigan o rehiyon mo' },
  postalCode: { label: 'Kodigo postal', required: 'Ilagay ang kodigo postal mo' },
  countryCode: { label: 'Bansang tinitirhan mo', required: 'Piliin ang bansang tinitirhan mo' },
  phoneNumber: {
    label: 'Numero ng telepono',
    hint: 'May country code, halimbawa +44 7700 900123.',
    required: 'Ilagay ang numero ng telepono mo',
  },
  taxIdKind: {
    label: 'Anong numero sa buwis ang mayroon ka?',
    required: 'Piliin kung anong numero sa buwis ang mayroon ka',
  },
  taxIdLastFour: {
    label: 'Huling apat na numero nito',
    hint: 'Ang huling apat lamang, halimbawa 1234.',
    required: 'Ilagay ang huling apat na numero ng numero mo sa buwis',
  },
  nationalIdCountry: {
    label: 'Bansang nagbigay ng pambansang numero mo',
    required: 'Piliin ang bansang nagbigay ng pambansang numero mo',
  },
  nationalIdNumber: {
    label: 'Pambansang numero ng pagkakakilanlan',
    hint: 'Halimbawa CPF, CURP, DNI, BVN o NIN. Karaniwang nakalimbag ito sa ID mo.',
    required: 'Ilagay ang pambansang numero ng pagkakakilanlan mo',
  },
  documentType: {
    label: 'Anong dokumento ang ipapakita mo?',
    required: 'Piliin kung anong dokumento ang ipapakita mo',
  },
  documentCountry: {
    label: 'Bansang nagbigay ng dokumento',
    required: 'Piliin ang bansang nagbigay ng dokumento',
  },
  documentNumber: {
    label: 'Numero ng dokumento',
    hint: 'Mga letra at numero, gaya ng nasa dokumento.',
    required: 'Ilagay ang numero ng dokumento',
  },
  documentExpiresOn: {
    label: 'Petsa kung kailan lilipas ang bisa ng dokumento',
    hint: 'Halimbawa, {{example}}.',
    required: 'Ilagay ang petsa kung kailan lilipas ang bisa ng dokumento',
  },
  documentFront: {
    label: 'Larawan ng dokumento',
    hint: 'Ang panig na may larawan mo. Sa pasaporte, ang pahinang may larawan mo.',
    required: 'Idagdag ang larawan ng panig ng dokumento na may larawan mo',
  },
  documentBack: { label: 'Larawan ng likod', required: 'Idagdag ang larawan ng likod ng dokumento' },
  documentMrz: {
    label: 'Mga linyang nababasa ng makina, na maraming tandang <',
    hint: 'Dalawa o tatlong linya sa ibaba ng pahina o sa likod. Mas mabilis ang pagsusuri kung ita-type mo ang mga ito.',
    required: 'Ilagay ang mga linyang nababasa ng makina',
  },
  selfiePhoto: {
    label: 'Larawan ng mukha mo',
    hint: 'Tumingin nang diretso sa camera, sa maliwanag na lugar, nang walang salaming pang-araw o sumbrero.',
    required: 'Idagdag ang larawan ng mukha mo',
  },
  proofOfAddressType: {
    label: 'Ano ang ipapakita mo?',
    required: 'Piliin kung ano ang ipapakita mo bilang patunay ng tirahan mo',
  },
  proofOfAddressIssuedOn: {
    label: 'Petsa ng dokumento',
    hint: 'Hindi ito dapat mas luma sa tatlong buwan.',
    required: 'Ilagay ang petsa ng dokumento',
  },
  proofOfAddressFile: {
    label: 'Ang dokumento',
    hint: 'Dapat mabasa ang pangalan mo, ang tirahan mo at ang petsa.',
    required: 'Idagdag ang dokumentong nagpapatunay ng tirahan mo',
  },
  occupation: {
    label: 'Ano ang ikinabubuhay mo?',
    hint: 'Halimbawa nars, estudyante o retirado.',
    required: 'Ilagay kung ano ang ikinabubuhay mo',
  },
  sourceOfFunds: {
    label: 'Saan galing ang perang ipinapadala mo?',
    required: 'Piliin kung saan galing ang perang ipinapadala mo',
  },
  fundsExplanation: {
    label: 'Ikuwento pa sa amin ang tungkol dito',
    hint: 'Isa o dalawang pangungusap, halimbawa kung kanino at kailan mo ito natanggap.',
    required: 'Ikuwento pa sa amin kung saan galing ang pera',
  },
  politicallyExposed: {
    label:
      'May mataas ka bang katungkulan sa pamahalaan, o nagkaroon sa nakaraang 12 buwan? Mayroon ba ang isang taong malapit sa iyo?',
    hint: 'Halimbawa sa pamahalaan, kongreso, mataas na hukuman, pamunuan ng militar o kompanyang pag-aari ng estado. Ang malapit ay kapamilya, o taong kasosyo mo sa negosyo.',
    required: 'Pumili ng isa sa mga sagot',
  },
} as const;

/** What a question is called in some countries. */
const localNames = {
  zipCode: { label: 'ZIP code ng lugar', required: 'Ilagay ang ZIP code mo' },
  postcode: { label: 'Postcode ng lugar', required: 'Ilagay ang postcode mo' },
  eircode: { label: 'Eircode', required: 'Ilagay ang Eircode mo' },
  pinCode: { label: 'PIN code ng lugar', required: 'Ilagay ang PIN code ng lugar mo' },
  cep: { label: 'Kodigo postal (CEP)', required: 'Ilagay ang kodigo postal mo (CEP)' },
  state: { label: 'Estado', required: 'Ilagay ang estado mo' },
  provinceOrTerritory: { label: 'Lalawigan o teritoryo', required: 'Ilagay ang lalawigan o teritoryo mo' },
  firstSurname: { label: 'Unang apelyido', required: 'Ilagay ang unang apelyido mo' },
} as const;

const options = {
  taxIdKind: {
    ssn: 'Numero ng Social Security (SSN)',
    itin: 'Numero ng indibidwal na nagbabayad ng buwis (ITIN)',
  },
  documentType: {
    passport: 'Pasaporte',
    identityCard: 'ID card',
    drivingLicence: 'Lisensya sa pagmamaneho',
    residencePermit: 'Permit sa paninirahan',
  },
  proofOfAddressType: {
    utilityBill: 'Bill ng kuryente, gas, tubig o internet',
    bankStatement: 'Statement ng bangko',
    taxLetter: 'Sulat mula sa tanggapan ng buwis',
    governmentLetter: 'Ibang sulat mula sa pamahalaan',
    rentalContract: 'Kontrata sa upa',
  },
  sourceOfFunds: {
    salary: 'Sahod',
    selfEmployment: 'Sariling negosyo',
    pension: 'Pensyon',
    benefits: 'Tulong mula sa pamahalaan',
    savings: 'Ipon',
    saleOfProperty: 'Pagbebenta ng ari-arian',
    inheritance: 'Mana',
    gift: 'Regalo',
    other: 'Iba pa',
  },
  politicallyExposed: { no: 'Hindi', yes: 'Oo, ako mismo', associate: 'Oo, isang malapit sa akin' },
} as const;

const faults = {
  too_long: '{{label}}: masyado itong mahaba. Gumamit ng {{limit}} karakter o mas kaunti',
  wrong_format: '{{label}}: maglagay ng kahit isang letra o numero',
  control_characters: '{{label}}: alisin ang mga karakter na hindi naililimbag',
  not_allowed: '{{label}}: pumili ng isa sa listahan',
  not_a_date: '{{label}}: maglagay ng petsang nasa kalendaryo, halimbawa {{example}}',
  too_young: 'Dapat {{limit}} taong gulang ka man lamang',
  bornTooLongAgo: '{{label}}: higit sa {{limit}} taon na ito. Tingnan ang taon',
  tooOld: '{{label}}: hindi dapat mas luma sa tatlong buwan ang dokumento',
  in_the_past: '{{label}}: lumipas na ang bisa ng dokumento. Gumamit ng may bisa pa',
  in_the_future: '{{label}}: hindi dapat nasa hinaharap ang petsa',
  wrong_check_digits:
    '{{label}}: may letra o numerong mali o nagkapalit ng puwesto. Ihambing ang bawat isa sa dokumento mo',
  mrzCheckDigits: 'May karakter na hindi tama. Ihambing ang bawat isa sa dokumento, o iwanan itong blangko',
  lastFourDigits: 'Maglagay ng eksaktong apat na numero, halimbawa 1234',
  phone: 'Maglagay ng numero ng telepono na may country code, halimbawa +44 7700 900123',
  too_short: '{{label}}: masyado itong maikli. Maglagay ng hindi bababa sa {{limit}} letra o numero',
  wrong_length: '{{label}}: {{limit}} ang letra at numero nito sa bansa mo, at {{entered}} ang inilagay mo',
  wrong_characters: '{{label}}: gumamit lamang ng mga letra, numero, puwang, tuldok, slash at gitling',
  separators:
    '{{label}}: magsimula at magtapos sa letra o numero, at maglagay lamang ng isang puwang, tuldok, slash o gitling sa pagitan ng dalawa',
  looksLike: '{{label}}: ihambing ito sa dokumento mo. Dapat ganito ang itsura nito: {{example}}',
  postalCode: '{{label}}: hindi ito sa bansang pinili mo. Doon, ganito ang itsura nito: {{example}}',
  incomplete_date: '{{label}}: ilagay ang araw, buwan at taon, halimbawa {{example}}',
  not_digits: '{{label}}: gumamit lamang ng mga numero, halimbawa {{example}}',
  short_year: '{{label}}: ilagay ang taon nang may apat na numero, halimbawa {{example}}',
  no_such_month: '{{label}}: dapat numero mula 1 hanggang 12 ang buwan',
  no_such_day: '{{label}}: dapat numero mula 1 hanggang {{limit}} ang araw sa buwang iyon',
  mrzLength:
    'May 88, 72 o 90 karakter lahat ang mga linyang nababasa ng makina, at {{entered}} ang inilagay mo. Ilagay ang bawat letra, numero at tandang <, o iwanan itong blangko',
  mrzCharacters:
    'Mga linyang nababasa ng makina: gumamit lamang ng mga letrang A hanggang Z, numero at tandang <, o iwanan itong blangko',
  phoneTooShort:
    'Numero ng telepono: masyado itong maikli. Kasama ang country code, may hindi bababa sa {{limit}} numero ito',
  phoneTooLong:
    'Numero ng telepono: masyado itong mahaba. Kasama ang country code, hanggang {{limit}} numero lamang ito',
  phoneCharacters: 'Numero ng telepono: gumamit lamang ng mga numero, puwang, gitling at panaklong, na may + sa simula',
} as const;

export const questionTexts = { questions, localNames, options, faults };
